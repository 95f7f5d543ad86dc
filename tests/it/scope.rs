//! The scope of a plan through the binary: what work may touch, and updates that are no work of a plan.

use serde_json::json;

use crate::support::{World, plans};

#[test]
fn work_stays_in_its_scope_and_an_update_elsewhere_does_not_count_the_plan() {
    let world = World::new();
    world.init();
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let mut plan = plans::good();
    plan["scope"] = json!(["work.txt", "src/**"]);
    plan["pins"] = json!(["sub/**"]);
    world.with_plan(&plan);
    world.seal();
    world.write("work.txt", "good\n");
    world.write("src/a/b.rs", "fn a() {}\n");
    world.git(["add", "-A"]);

    world.write("notes.txt", "untracked\n");
    let audit = world.run(["audit"]).exits(1);
    let told = audit.stderr.find("out-of-scope").unwrap();
    assert!(told < audit.stderr.find("step 1").unwrap(), "{audit}");
    let status = world.json(["status"]).is("OK", 0);
    assert_eq!(status.at("/plans/default/outcome"), &json!("FAIL"));
    std::fs::remove_file(world.top.join("notes.txt")).unwrap();
    world.json(["audit", "--checkout"]).is("PASS", 0);
    world.git(["commit", "-qm", "Do the work"]);
    world.json(["verify", "origin/main..HEAD"]).is("PASS", 0);

    // Once it is merged, an update that leaves the plan alone needs no evidence of it.
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.commit("notes.txt", "tracked\n");
    let update = world.json(["verify", "HEAD^..HEAD"]).is("NO_PLAN", 3);
    assert_eq!(update.text("/commits/0/plans/default/outcome"), "UNTOUCHED");
    world.json(["verify", "HEAD"]).is("FAIL", 1);
    world.commit("src/a/b.rs", "fn b() {}\n");
    let update = world.json(["verify", "HEAD^..HEAD"]).is("FAIL", 1);
    assert!(update.codes().contains(&"out-of-scope"), "{}", update.ran);
}
