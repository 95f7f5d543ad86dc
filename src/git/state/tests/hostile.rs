//! What git reads or checks out otherwise than the disk lets one believe.

use super::world::{Like, World, check, flags};

#[test]
fn names_that_git_does_not_check_out_are_flagged() {
    let off = "git config core.protectNTFS false; git config core.protectHFS false";
    for name in [
        "git~1",
        ".git ",
        ".git.",
        "d/GIT~1/x",
        ".g\u{200c}it",
        "a\\.git",
    ] {
        let world = World::new();
        world.sh(&format!(
            "{off}; mkdir -p \"$(dirname '{name}')\"; echo x >'{name}'; git add -A"
        ));

        let state = world.state();

        assert_eq!(flags(&state), ["unsupported"].into(), "{name}");
        let noted = &state.flags[&crate::model::state::Flag::Unsupported];
        assert_eq!(noted.paths.len(), 1, "{name}");
    }
}

#[test]
fn a_name_that_git_does_not_check_out_is_flagged_where_it_is_left_out() {
    let script = "git config core.protectNTFS false; echo x >git~1; git add -A
        git update-index --skip-worktree git~1; rm git~1";
    check(script, &["absent", "unsupported"], Like::Nothing);
}

#[test]
fn links_by_way_of_links_into_a_repository_are_special() {
    for script in [
        "ln -s . t; ln -s t/.git/evil l",
        "ln -s d/../.git/evil l",
        "git init -q d/in; ln -s d/in/.git/e l; rm -rf d/in",
    ] {
        let world = World::new();
        world.sh(&format!("{script}; git add -A"));

        assert!(flags(&world.state()).contains("special"), "{script}");
    }
}
