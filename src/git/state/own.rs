//! State files of plan-auditor 2.x: never untracked, and hidden wherever no rule says so (DESIGN 6).

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A file.
    File,
    /// A directory with all that is in it.
    Directory,
}

/// What hides them, as a reader is told.
pub(super) const RULE: &[u8] = b"the state of plan-auditor";

/// The names in `.plan-auditor/`; plans, policies, settings and signers are not state.
const STATE: [(&[u8], Kind); 15] = [
    (b"seal.json", Kind::File),
    (b"seals", Kind::Directory),
    (b"evidence.jsonl", Kind::File),
    (b"evidence.head.json", Kind::File),
    (b"evidence.write.lock", Kind::File),
    (b"archive", Kind::Directory),
    (b"integrity.json", Kind::File),
    (b"audit.freeze.lock", Kind::File),
    (b"snapshots", Kind::Directory),
    (b"agents", Kind::Directory),
    (b"supervisor-runtime.json", Kind::File),
    (b"supervisor-assessment.json", Kind::File),
    (b"supervisor.stop", Kind::File),
    (b"supervisor.log", Kind::File),
    (b"watchdog.jsonl", Kind::File),
];

/// Says whether an untracked path is such a state file or directory.
pub(super) fn is_state(path: &[u8], is_directory: bool) -> bool {
    let Some(name) = path.strip_prefix(b".plan-auditor/") else {
        return false;
    };
    let kind = if is_directory {
        Kind::Directory
    } else {
        Kind::File
    };
    STATE.contains(&(name, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_no_state() {
        for path in [
            "plan.json",
            "plans",
            "policies",
            "allowed_signers",
            "seal.json.py",
        ] {
            let path = format!(".plan-auditor/{path}");
            assert!(!is_state(path.as_bytes(), false) && !is_state(path.as_bytes(), true));
        }
        assert!(is_state(b".plan-auditor/seals", true));
        assert!(!is_state(b".plan-auditor/seals", false));
        assert!(!is_state(b"x/.plan-auditor/seals", true));
    }
}
