//! The pages of the guide are transcripts: each command is run again, and must say what the page says.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{World, transcript::Page};

/// Plays a page in a new world, and demands that it tells what happened.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test asks for a new page"
)]
fn is_true(name: &str) {
    let path = path(name);
    let text = fs::read_to_string(&path).unwrap();
    let page = Page::read(&text);

    let played = page.played(&World::empty(crate::support::Proof::Ssh));

    if std::env::var_os("PLAN_AUDIT_UPDATE_DOCS").is_some() && !page.says_the_same(&played) {
        fs::write(&path, played.to_string()).unwrap();
        return;
    }
    let mut differing = String::new();
    for (said, given) in page.differences(&played) {
        let _ = writeln!(differing, "--- the page says\n{said}--- it gives\n{given}");
    }
    assert!(differing.is_empty(), "docs/guide/{name}.md\n{differing}");
}

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide");
    folder.join(name).with_extension("md")
}

#[test]
fn a_developer_alone() {
    is_true("alone");
}

#[test]
fn a_team_with_pull_requests() {
    is_true("team");
}

#[test]
fn agents_in_worktrees() {
    is_true("agents");
}

#[test]
fn what_happens_to_history() {
    is_true("history");
}
