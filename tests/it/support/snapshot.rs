//! Snapshots that do not change from run to run: ids, times, durations and places get names.

/// What changes from run to run, as pattern and name; longer ids come first.
const FILTERS: &[(&str, &str)] = &[
    (r"SHA256:[A-Za-z0-9+/]{43}", "[KEY]"),
    (r"hmac:[0-9a-f]{16}", "[KEY]"),
    (r"\b[0-9a-f]{64}\b", "[ID]"),
    (r"\b[0-9a-f]{40}\b", "[OID]"),
    (r"\b[0-9a-f]{32}\b", "[RANDOM]"),
    (r"\b[0-9a-f]{12}\b", "[ID12]"),
    (r"\b[0-9a-f]{7}\b", "[ID7]"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[TIME]"),
    (r"\b\d+(\.\d+)? ?(ms|s)\b", "[DURATION]"),
    (r"(/[\w.-]+)*/gpa-world-\w+", "[WORLD]"),
];

/// Runs assertions in which what changes from run to run has a name.
pub(crate) fn stable(assertions: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    for (pattern, name) in FILTERS {
        settings.add_filter(pattern, *name);
    }
    settings.bind(assertions);
}

#[test]
fn what_changes_from_run_to_run_has_a_name_in_snapshots() {
    let text = "2026-11-29T16:40:00Z tree 4f2a91c took 12 ms in /tmp/gpa-world-x1Y/repo by \
                ssh:SHA256:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";

    stable(|| {
        insta::assert_snapshot!(text, @"[TIME] tree [ID7] took [DURATION] in [WORLD]/repo by ssh:[KEY]");
    });
}
