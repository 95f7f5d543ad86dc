//! What `audit` and `status` promise is what `verify` says, through the binary.

use crate::support::{Key, World, plans};

/// Demands that no command calls HEAD proven where `verify` does not, and returns what `status` says.
#[track_caller]
fn agree(world: &World) -> String {
    let verify = world.json(["verify"]);
    let audit = world.run(["audit"]);
    let status = world.run(["status"]).exits(0);
    let is_proven = verify.ran.code == 0;
    let claims = "a commit of this tree is proven";
    assert_eq!(audit.stdout.contains(claims), is_proven, "{audit}");
    assert_eq!(
        status.stdout.contains("HEAD is proven"),
        is_proven,
        "{status}"
    );
    status.stdout
}

#[test]
fn nobody_claims_what_verify_denies() {
    // The first commit holds plan and list.
    let world = World::empty(crate::support::Proof::Ssh);
    world.git(["init", "-q", "-b", "main"]);
    world.init();
    world.with_plan(&plans::of_argv(&["true"]));
    world.write(".plan-auditor/allowed_signers", Key::own(&world).signers());
    world.git(["add", "-A"]);
    world.seal();
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Begin"]);
    let main = "refs/remotes/origin/main";
    world.git(["update-ref", main, "HEAD"]);
    world.json(["verify"]).is("PASS", 0);
    world.init();
    world.json(["verify"]).is("PASS", 0);
    agree(&world);

    // A further signer.
    let more = Key::own(&world).signers() + &Key::make(&world, "bob").signers();
    world.write(".plan-auditor/allowed_signers", &more);
    world.git(["add", "-A"]);
    let audit = world.json(["audit"]).is("FAIL", 1);
    assert!(audit.codes().contains(&"trust-changed"), "{}", audit.ran);
    world.git(["commit", "-qm", "Bob"]);
    world.json(["verify"]).is("FAIL", 1);
    assert!(agree(&world).contains("git plan-audit verify, which says why"));
    world.git(["update-ref", main, "HEAD"]);
    agree(&world);
    world.init();
    world.json(["verify"]).is("PASS", 0);
    agree(&world);

    // The end of the plan, held by the trust point.
    world.run(["close"]).exits(0);
    world.commit("more.txt", "x");
    world.git(["update-ref", main, "HEAD"]);
    world.commit("still.txt", "x");
    world.json(["verify"]).is("NO_PLAN", 3);
    world
        .run(["audit"])
        .exits(3)
        .says("--new-generation --reason");
    let named = world.run(["audit", "--plan", "default"]).exits(0);
    assert!(named.stdout.contains("no commit is proven"), "{named}");
    world.json(["verify"]).is("NO_PLAN", 3);
    let again = ["seal", "--new-generation", "--reason", "more to do"];
    world.run(again).exits(0);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify"]).is("PASS", 0);
}

#[test]
fn status_tells_what_keeps_an_audit_from_counting() {
    let world = World::new().prepared(&plans::of_argv(&["true"])).finished();
    world.write("new.txt", "x");
    world.tool("mkfifo", ["ff"]);

    let status = world.run(["status"]).exits(0);

    assert!(status.stdout.contains("untracked-files"), "{status}");
    assert!(status.stdout.contains("special: ff"), "{status}");
    assert!(status.stdout.contains("HEAD is proven"), "{status}");
    std::fs::remove_file(world.top.join("new.txt")).unwrap();
    world.write("work.txt", "other\n");
    world.git(["add", "-A"]);
    world.run(["audit"]).exits(0);
    let json = world.json(["status"]).is("OK", 0);
    assert_eq!(json.text("/plans/default/unusable"), "special: ff");
    let status = world.run(["status"]).exits(0);
    assert!(
        status.stdout.contains("which does not count: special: ff"),
        "{status}"
    );
    assert!(!status.stdout.contains("not audited yet"), "{status}");
}
