//! Kinds of repositories: unborn, SHA-256, linked, separate, sparse, with others inside.

use super::world::{Like, World, check, compare, flags, state_at};
use crate::git::open::{OpenError, Repository};

#[test]
fn every_layout_gives_gits_tree() {
    for (init, script) in [
        ("git init -q", "true"),
        ("git init -q", "echo a >a; git add a; echo b >>a; echo c >c"),
        (
            "git init -q --object-format=sha256",
            "echo a >a; git add a; git commit -qm 1; echo b >>a",
        ),
        (
            "git init -q --separate-git-dir=../g",
            "echo a >a; git add a; echo b >>a; ln -s ../g x",
        ),
    ] {
        let world = World::empty(init);
        world.sh(script);
        if init.contains("separate") {
            let state = world.state();
            assert_eq!(state.tree.to_string(), world.tree_at(&world.top()));
        } else {
            compare(&world, &world.top(), script, (&[], Like::Git));
        }
    }
}

#[test]
fn an_empty_work_tree_is_the_empty_tree() {
    for init in ["git init -q", "git init -q --object-format=sha256"] {
        let world = World::empty(init);
        let repository = Repository::open(&world.top()).unwrap();
        assert_eq!(repository.state().unwrap().tree, repository.empty_tree());
    }
}

#[test]
fn head_and_branch_are_told() {
    let world = World::empty("git init -q -b trunk");
    let unborn = world.state();
    world.sh("git commit -q --allow-empty -m 1; git checkout -q --detach");
    let detached = world.state();

    assert_eq!(
        (unborn.head, unborn.branch.as_deref()),
        (None, Some("refs/heads/trunk"))
    );
    assert_eq!(detached.branch, None);
    assert_eq!(
        detached.head.unwrap().to_string(),
        world.sh("git rev-parse HEAD").trim()
    );
}

#[test]
fn a_linked_work_tree_is_one_of_its_own() {
    let world = World::new();
    world.sh("git worktree add -q ../w; echo more >>../w/a.txt; git config extensions.worktreeConfig true
        git -C ../w config --worktree core.fileMode false; chmod +x ../w/b.txt");
    let linked = world.top().join("../w");

    let state = state_at(&linked);

    assert_eq!(flags(&state), ["modes"].into());
    assert_eq!(flags(&world.state()), [].into());
    assert_eq!(state.branch.as_deref(), Some("refs/heads/w"));
}

#[test]
fn sparse_indexes_are_expanded() {
    let setup = "mkdir -p out/deep; echo o >out/o; echo p >out/deep/p; git add -A; git commit -qm 2
        git sparse-checkout set --cone --sparse-index d";
    let absent = ["absent"];
    check(setup, &absent, Like::Head);
    let world = World::new();
    world.sh(setup);
    let sparse = world.state();
    world.sh("git sparse-checkout reapply --no-sparse-index");
    assert_eq!(world.state().index, sparse.index);
    assert_eq!(world.state().content, sparse.content);
    assert_eq!(world.state().tree, sparse.tree);

    let world = World::new();
    world.sh(&format!(
        "{setup}; mkdir -p out/deep; echo changed >out/deep/p; echo new >out/new"
    ));
    let state = world.state();
    assert_eq!(flags(&state), ["absent", "skip_worktree"].into());
    assert_eq!(state.untracked.noted.paths, ["out/new"]);
    let expected = world.sh("git update-index --no-skip-worktree out/deep/p; git add --sparse out/deep/p; git write-tree");
    assert_eq!(state.tree.to_string(), expected.trim());
}

#[test]
fn repositories_inside_are_flagged_and_not_entered() {
    check("git init -q nest; echo >nest/f", &["nested"], Like::Nothing);
    check(
        "git init -q d/nest; git -C d/nest commit -q --allow-empty -m 1",
        &["nested"],
        Like::Nothing,
    );
    check("git init -q d", &["nested"], Like::GitTree);
    check("git init -q --bare bare", &["empty_directory"], Like::Git);
    check(
        "rm a.txt; git init -q a.txt; git -C a.txt commit -q --allow-empty -m 1",
        &["nested"],
        Like::Nothing,
    );
    check(
        "mkdir n; echo 'gitdir: /nowhere' >n/.git; echo >n/f",
        &["nested"],
        Like::Git,
    );
    check(
        "mkdir -p n/.git; echo >n/.git/f; echo >n/f",
        &["nested"],
        Like::Git,
    );
    let ignored = "echo nest/ >.gitignore; git add .gitignore; git init -q nest; echo >nest/f";
    check(ignored, &[], Like::Git);
}

#[test]
fn own_work_trees_inside_are_flagged_and_not_entered() {
    let world = World::new();
    world.sh("git worktree add -q .claude/worktrees/w1");
    let before = world.state();
    world.sh("echo z >.claude/worktrees/w1/z");

    assert_eq!(world.state(), before);
    assert_eq!(
        (flags(&before), before.untracked.noted.count),
        (["own_worktree"].into(), 0)
    );
    world.sh("git worktree remove --force .claude/worktrees/w1");
    assert!(!world.state().is_same(&before));
}

#[test]
fn a_line_that_claims_to_be_an_own_work_tree_hides_nothing() {
    let world = World::new();
    world.sh("git worktree add -q ../w1; mkdir evil; echo >evil/x.py
        echo \"gitdir: $PWD/.git/worktrees/w1\" >evil/.git");

    assert_eq!(flags(&world.state()), ["nested"].into());
}

/// Makes a submodule `sub` of a library, and commits it.
const SUBMODULE: &str = "git init -q -b main ../lib; echo l >../lib/l; git -C ../lib add l
    git -C ../lib commit -qm 1; git -c protocol.file.allow=always submodule add -q ../lib sub 2>/dev/null
    git commit -qm sub";

#[test]
fn submodules_are_judged_like_the_whole() {
    for (script, expected, like) in [
        ("true", &[][..], Like::Git),
        ("echo x >>sub/l", &["submodule_dirty"], Like::GitTree),
        ("echo x >sub/new", &["submodule_dirty"], Like::GitTree),
        (
            "git -C sub commit -q --allow-empty -m 2; git config submodule.sub.ignore all",
            &["submodule_dirty"],
            Like::GitTree,
        ),
        (
            "git -C sub update-index --assume-unchanged l; echo x >>sub/l",
            &["submodule_dirty"],
            Like::GitTree,
        ),
        (
            "git -C sub update-index --skip-worktree l; rm sub/l",
            &["submodule_dirty"],
            Like::GitTree,
        ),
        (
            "echo l >>.git/modules/sub/info/exclude; echo x >sub/l",
            &["submodule_dirty"],
            Like::GitTree,
        ),
        (
            "git -C .git/modules/sub config core.worktree \"$PWD/../lib\"; echo x >>sub/l",
            &["submodule_dirty"],
            Like::Nothing,
        ),
        (
            "git submodule -q deinit -f sub",
            &["submodule_absent"],
            Like::GitTree,
        ),
        (
            "git submodule -q deinit -f sub; echo x >sub/x",
            &["submodule_dirty"],
            Like::GitTree,
        ),
        ("rm -rf sub", &[], Like::Git),
        (
            "rm -rf .git/modules/sub",
            &["submodule_dirty"],
            Like::Nothing,
        ),
    ] {
        check(&format!("{SUBMODULE}; {script}"), expected, like);
    }
}

#[test]
fn a_submodule_that_no_clone_fills_counts_as_absent() {
    for (script, expected) in [
        (
            "git config -f .gitmodules submodule.sub.update none",
            &["submodule_absent"][..],
        ),
        (
            "git rm -q --cached .gitmodules; echo .gitmodules >.git/info/exclude",
            &["submodule_absent"],
        ),
        (
            "mv .gitmodules gm; ln -s gm .gitmodules",
            &["submodule_absent", "unsupported"],
        ),
        (
            "git sparse-checkout set --no-cone /sub/; rm -f .gitmodules",
            &["absent"],
        ),
        (
            "git config -f .gitmodules submodule.sub.update none; git add .gitmodules
             git sparse-checkout set --no-cone /sub/; rm -f .gitmodules",
            &["absent", "submodule_absent"],
        ),
    ] {
        check(&format!("{SUBMODULE}; {script}"), expected, Like::Nothing);
    }
}

#[test]
fn what_a_submodule_hides_is_hidden() {
    let world = World::new();
    world.sh(&format!(
        "{SUBMODULE}; echo n >>.git/modules/sub/info/exclude; echo x >sub/n"
    ));
    assert_eq!(world.state().hidden.paths, ["sub/"]);
}

#[test]
fn what_takes_part_in_a_submodule_and_is_in_no_tree_is_told() {
    let world = World::new();
    let library =
        "ln -s /etc/hostname l2; git add l2; git commit -qm 2; cd ..; git add sub; mkdir sub/e";
    world.sh(&format!("{SUBMODULE}; cd sub; {library}"));

    let state = world.state();

    assert_eq!(flags(&state), ["empty_directory", "link_outside"].into());
    assert!(state.flags.values().all(|noted| noted.paths == ["sub/"]));
}

#[test]
fn a_repository_is_found_from_below_and_refused_by_name() {
    let world = World::new();
    let repository = Repository::open(&world.top().join("d")).unwrap();
    assert_eq!(repository.work_dir(), Some(world.top().as_path()));
    assert_eq!(
        repository.work_dir().unwrap(),
        world.top().canonicalize().unwrap()
    );
    assert!(Repository::open(&world.top().join(".git")).is_ok());

    world
        .sh("git config core.repositoryFormatVersion 1; git config extensions.refStorage reftable");
    let refused = Repository::open(&world.top()).unwrap_err();
    assert!(
        matches!(refused, OpenError::Extension { ref extension, .. } if extension == "refstorage=reftable")
    );
    world.sh("git init -q --ref-format=reftable ../t 2>/dev/null || { cp -r . ../t; }");
    let refused = Repository::open(&world.top().join("../t")).unwrap_err();
    assert!(
        matches!(refused, OpenError::Extension { .. }),
        "{refused:?}"
    );
}

#[test]
fn a_poisoned_core_bare_is_named() {
    let world = World::new();
    world.sh("git config core.bare true");
    let repository = Repository::open(&world.top()).unwrap();

    assert!(repository.is_bare());
    assert!(repository.bare_hint().unwrap().ends_with("core.bare false"));
    assert!(matches!(
        repository.state(),
        Err(crate::model::state::StateError::Bare)
    ));
}

#[test]
fn the_command_line_counts_as_configuration() {
    let world = World::new();
    let lines =
        crate::git::parameters::read(b"'planAudit.base'='origin/x' 'core.fileMode'='false'");
    let given = crate::git::open::Given {
        command: lines.unwrap(),
        ..Default::default()
    };
    world.sh(
        "chmod +x a.txt; git config planAudit.base mine; git config planAudit.bse x
        git config planAudit.fsync on; git remote add origin ../o",
    );

    let repository = Repository::open_with(&world.top(), &given).unwrap();
    let settings = repository.settings();

    assert_eq!(settings.base.value().unwrap().value, "origin/x");
    assert_eq!(settings.base.outside().unwrap().value, "origin/x");
    assert_eq!(settings.unknown[0].value, "planAudit.bse");
    assert_eq!(settings.unserved[0].value, "planAudit.fsync");
    assert_eq!(
        settings.remotes[0].fetch,
        ["+refs/heads/*:refs/remotes/origin/*"]
    );
    assert_eq!(flags(&repository.state().unwrap()), ["modes"].into());
}
