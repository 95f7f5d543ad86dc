//! The lines that a person adds where we may not write.

use std::path::Path;

use crate::model::hook::Hook;

/// How a file is written to which lines are added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// It is not there yet.
    Alone,
    /// It is a script whose own lines come after.
    Before,
    /// It is not there yet and will be read by a shell, as husky does.
    Sourced,
    /// It is a file of lefthook.
    Lefthook,
}

/// Returns a file and how lines are added to it.
pub(super) fn place(path: &Path) -> (String, Written) {
    let written = if path.symlink_metadata().is_ok() {
        Written::Before
    } else {
        Written::Alone
    };
    (path.display().to_string(), written)
}

/// Returns the lines.
pub(super) fn lines(hook: Hook, written: Written) -> Vec<&'static str> {
    let lines: &[&str] = match (written, hook) {
        (Written::Alone, Hook::Commit) => &["#!/bin/sh", "exec git-plan-audit hook pre-commit"],
        (Written::Alone, Hook::Merge) => {
            &["#!/bin/sh", "exec git-plan-audit hook pre-merge-commit"]
        }
        (Written::Alone, Hook::Push) => {
            &["#!/bin/sh", "exec git-plan-audit hook pre-push -- \"$@\""]
        }
        (Written::Sourced, Hook::Commit) => &["git-plan-audit hook pre-commit"],
        (Written::Sourced, Hook::Merge) => &["git-plan-audit hook pre-merge-commit"],
        (Written::Sourced, Hook::Push) => &["git-plan-audit hook pre-push -- \"$@\""],
        (Written::Before, Hook::Commit) => &["git-plan-audit hook pre-commit || exit"],
        (Written::Before, Hook::Merge) => &["git-plan-audit hook pre-merge-commit || exit"],
        // Both read the same lines. No here-document: its end must not be indented, as it is shown.
        (Written::Before, Hook::Push) => &[
            "lines=$(mktemp) && cat >\"$lines\" || exit",
            "git-plan-audit hook pre-push -- \"$@\" <\"$lines\" || { code=$?; rm -f \"$lines\"; exit $code; }",
            "exec <\"$lines\" && rm -f \"$lines\"",
        ],
        (Written::Lefthook, Hook::Commit) => &[
            "pre-commit:",
            "  jobs:",
            "    - name: plan-audit",
            "      run: git-plan-audit hook pre-commit",
        ],
        (Written::Lefthook, Hook::Merge) => &[
            "pre-merge-commit:",
            "  jobs:",
            "    - name: plan-audit",
            "      run: git-plan-audit hook pre-merge-commit",
        ],
        (Written::Lefthook, Hook::Push) => &[
            "pre-push:",
            "  jobs:",
            "    - name: plan-audit",
            "      run: git-plan-audit hook pre-push -- {1} {2}",
            "      use_stdin: true",
        ],
    };
    lines.to_vec()
}
