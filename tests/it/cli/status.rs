//! `status`: where plans and ledger stand.

use crate::support::{World, plans};

#[test]
fn a_draft_and_a_sealed_plan_are_told_apart() {
    let world = World::new();
    world.init();
    world.with_plan(&plans::good());
    let draft = world.json(["status"]).is("OK", 0);
    world.seal();

    let sealed = world.json(["status"]).is("OK", 0);

    assert_eq!(draft.at("/plans/default/sealed"), false);
    assert_eq!(sealed.at("/plans/default/sealed"), true);
}

#[test]
fn the_ledger_is_counted() {
    let world = World::proven();

    let json = world.json(["status"]).is("OK", 0);

    let lines = u64::try_from(world.lines().len()).unwrap();
    assert_eq!(json.at("/ledger/records"), lines);
    assert_eq!(json.text("/ledger/tip"), world.rev("refs/notes/plan-audit"));
    assert_eq!(json.list("/ledger/heads").len(), 1);
}

#[test]
fn an_empty_repository_is_no_error() {
    World::new().json(["status"]).is("OK", 0);
}

#[test]
fn a_plan_that_a_sparse_checkout_leaves_out_is_not_removed() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        let world = World::proven();
        world.git(["sparse-checkout", "set", "--cone", index, "sub"]);
        assert!(!world.top.join(".plan-auditor").exists());

        let status = world.json(["status"]);

        assert_eq!(
            status.text("/plans/default/standing"),
            "invalid",
            "{}",
            status.ran
        );
        for line in ["status", "seal", "audit"] {
            world.run([line]).says("a sparse checkout leaves it out");
        }
        world.run(["audit"]).exits(2);
        world.run(["seal"]).exits(2);
        world.git(["sparse-checkout", "add", ".plan-auditor"]);
        world.json(["audit"]).is("PASS", 0);
    }
}
