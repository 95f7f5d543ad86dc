//! Costs that must not grow, counted instead of measured.

use std::process::ExitCode;

use crate::place::Place;

/// How many appends lie between the two counts.
const APPENDS: usize = 50;

/// Counts the objects that one append writes.
fn objects_per_append(place: &Place) -> usize {
    let before = place.loose_objects();
    place.ours(&[
        "init",
        "--no-hooks",
        "--hmac",
        "--new-instance",
        "--reason",
        "count",
    ]);
    place.loose_objects() - before
}

/// Says whether an append writes as many objects into a large ledger as into a small one.
pub(crate) fn hold() -> ExitCode {
    let place = Place::new();
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.git(&["config", "maintenance.auto", "false"]);
    place.git(&["config", "gc.auto", "0"]);

    let first = objects_per_append(&place);
    (0..APPENDS).for_each(|_| {
        objects_per_append(&place);
    });
    let last = objects_per_append(&place);

    println!("objects per append: {first} at the start, {last} after {APPENDS} more");
    // Note, tree and commit; one more where a tree or note is split.
    if (1..=4).contains(&first) && last <= first + 1 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
