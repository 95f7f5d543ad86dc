//! What ends an oddity of a work tree that keeps its audit from proving a commit.

use crate::model::state::{Flag, Noted};
use crate::model::text::quoted;

/// What ends each disqualifying flag, as docs/reference/state.md has it. PATH stands for a path.
const REMEDIES: [(Flag, &str); 14] = [
    (
        Flag::Absent,
        "git sparse-checkout disable, or git update-index --no-skip-worktree PATH, then git checkout -- PATH; or \
         git plan-audit audit --checkout",
    ),
    (
        Flag::Eol,
        "git config core.autocrlf false, then rm PATH && git checkout -- PATH; or git plan-audit audit --checkout",
    ),
    (
        Flag::Filtered,
        "take the attribute away; for LFS have the real file there: git lfs pull; or let supervisor.json at the \
         trust point allow it: \"allow_flags\":[\"filtered\"]",
    ),
    (Flag::Grafts, "rm .git/info/grafts"),
    (
        Flag::Modes,
        "git config core.fileMode true (for a link core.symlinks), then git add PATH; or \
         git plan-audit audit --commit HEAD",
    ),
    (
        Flag::Nested,
        "move it out, or make it a submodule: git submodule add URL PATH",
    ),
    (
        Flag::OwnWorktree,
        "git worktree move PATH ELSEWHERE, or ignore it in a tracked .gitignore",
    ),
    (Flag::Replace, "git replace -d OBJECT"),
    (
        Flag::Special,
        "rm PATH, or ignore it in a tracked .gitignore",
    ),
    (
        Flag::SubmoduleAbsent,
        "git submodule update --init PATH, or mend .gitmodules",
    ),
    (
        Flag::SubmoduleDirty,
        "commit there, or git submodule update PATH",
    ),
    (Flag::Unmerged, "resolve it, then git add PATH"),
    (
        Flag::Unreadable,
        "chmod u+rX PATH; directories more than 512 deep are not read: move it up",
    ),
    (
        Flag::Unsupported,
        "take the encoding, file or setting away that the paths name",
    ),
];

/// Names what ends a flag, for the first path that has it.
pub(super) fn remedy(flag: Flag, noted: &Noted) -> Option<String> {
    let (_, text) = REMEDIES.iter().find(|(known, _)| *known == flag)?;
    Some(match noted.paths.first() {
        // A name that begins so would be taken for an option.
        Some(path) if path.starts_with('-') => text.replace("PATH", &quoted(&format!("./{path}"))),
        Some(path) => text.replace("PATH", &quoted(path)),
        None => (*text).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_disqualifies_can_be_ended() {
        for (flag, name, disqualifies) in Flag::TABLE {
            let has_remedy = REMEDIES.iter().any(|(known, _)| *known == flag);

            assert!(has_remedy || !disqualifies, "{name}");
        }
    }

    #[test]
    fn the_reference_says_the_same() {
        let reference = include_str!("../../../docs/reference/state.md").replace('`', "");
        for (flag, text) in REMEDIES {
            let row = format!("| {} |", flag.as_str());
            let line = reference.lines().find(|line| line.starts_with(&row));

            assert!(line.unwrap().ends_with(&format!("| {text} |")), "{row}");
        }
    }

    #[test]
    fn the_path_is_named_so_that_it_can_be_typed() {
        for (path, typed) in [("a b", "'a b'"), ("-rf", "./-rf"), ("a/b", "a/b")] {
            let text = remedy(Flag::SubmoduleAbsent, &Noted::of([path, "zz"])).unwrap();

            let expected = format!("git submodule update --init {typed}, or mend .gitmodules");
            assert_eq!(text, expected);
        }
    }
}
