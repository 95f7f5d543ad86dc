//! From a plan to a verdict, in every layout and with every proof.

use crate::support::{Key, Layout, Proof, World, plans};

/// Goes the whole way: seal, a failed audit, a fix, a proven commit, and its limits.
fn go(layout: Layout, proof: Proof) {
    let world = World::with(layout, proof);
    world.init();
    world.with_plan(&plans::good());
    world.write("work.txt", "bad\n");
    world.git(["add", "-A"]);
    world.seal();
    world.json(["audit"]).is("FAIL", 1);
    world.write("work.txt", "good\n");
    world.git(["add", "work.txt"]);
    let audit = world.json(["audit"]).is("PASS", 0);
    assert_eq!(audit.at("/plans/default/usable"), true, "{}", audit.ran);

    world.git(["commit", "-qm", "Make the work good"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);

    world.git(["commit", "-q", "--amend", "-m", "Make the work very good"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);

    world.commit("work.txt", "gold\n");
    world.json(["verify", "HEAD"]).is("FAIL", 1);
    world.json(["verify", "HEAD^"]).is("PASS", 0);
}

#[test]
fn a_proven_commit_stays_proven_and_another_byte_is_not() {
    for layout in Layout::ALL {
        for proof in Proof::ALL {
            eprintln!("{layout:?} {proof:?}");
            go(layout, proof);
        }
    }
}

#[test]
fn a_linked_worktree_and_the_main_one_share_their_evidence() {
    let world = World::proven();
    let linked = world.linked("work");

    linked.json(["verify", "HEAD"]).is("PASS", 0);
    linked.json(["audit"]).is("PASS", 0);

    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn in_a_bare_repository_the_keys_that_its_trust_point_lists_count() {
    let world = World::new();
    Key::make(&world, "ci").listed(&world);
    let world = world.prepared(&plans::good()).finished();

    let bare = world.bare();

    bare.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn in_a_bare_repository_keys_that_its_trust_point_does_not_list_do_not_count() {
    let world = World::new();
    let key = Key::make(&world, "other");
    let world = world.prepared(&plans::good()).finished();
    world.commit(".plan-auditor/allowed_signers", key.signers());
    world.git(["commit", "-q", "--allow-empty", "-m", "Next"]);

    let ran = world.bare().run(["verify", "HEAD"]);

    assert_ne!(ran.code, 0, "{ran}");
}

#[test]
fn a_clone_of_depth_one_of_a_root_commit_is_judged() {
    let world = World::with(Layout::Unborn, Proof::Ssh);
    world.init();
    world.with_plan(&plans::good());
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.seal();
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Root"]);
    let path = world.temp_path().join("shallow");
    let url = format!("file://{}", world.top.display());
    let notes = "+refs/notes/plan-audit:refs/notes/plan-audit";
    world.git(["clone", "-q", "--depth=1", &url, path.to_str().unwrap()]);
    let shallow = world.at(&path);
    shallow.git(["fetch", "-q", "origin", notes]);
    assert!(path.join(".git/shallow").exists());

    let verdict = shallow.json(["verify", "HEAD"]);

    assert!(
        !verdict.codes().contains(&"history-missing"),
        "{}",
        verdict.ran
    );
}
