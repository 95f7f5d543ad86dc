//! The protected branch names tips of the ledger: a ledger that lacks one of them proves nothing.

use crate::support::{Key, World, plans};

/// The ledger.
const LEDGER: &str = "refs/notes/plan-audit";

/// Makes a project whose main line lists a key, with work on a branch that is proven and sent.
fn project() -> (World, World) {
    let world = World::new();
    Key::make(&world, "ada").listed(&world);
    let bare = world.with_remote();
    world.run(["init", "--no-hooks"]).exits(0);
    world.git(["switch", "-qc", "topic"]);
    let world = world.prepared_here();
    world.run(["sync"]).exits(0);
    (world, bare)
}

impl World {
    /// Seals, audits and commits the usual work on the branch that is checked out.
    fn prepared_here(self) -> Self {
        self.with_plan(&plans::good());
        self.write("work.txt", "bad\n");
        self.git(["add", "-A"]);
        self.seal();
        self.finished()
    }

    /// Merges the branch `topic` into main with a trailer, and pushes main.
    fn merged_with(&self, trailer: &str) {
        self.git(["switch", "-q", "main"]);
        self.git(["merge", "-q", "--no-ff", "--no-commit", "topic"]);
        self.git(["commit", "-q", "--no-edit", "--trailer", trailer]);
        self.git(["push", "-q", "origin", "main"]);
        self.git(["switch", "-q", "-c", "next"]);
        self.git(["commit", "-q", "--allow-empty", "-m", "Go on"]);
    }
}

#[test]
fn an_honest_trailer_asks_for_what_is_there() {
    let (world, _) = project();
    let trailer = world.run(["anchor"]).exits(0).trimmed();
    let tip = world.rev(LEDGER);
    assert_eq!(trailer, format!("Plan-Audit-Ledger: {tip}"));

    world.merged_with(&trailer);

    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.json(["audit"]).is("PASS", 0);
    let unsent = world.json(["anchor"]).is("REFUSED", 2);
    let told = unsent.codes();
    assert!(
        told.contains(&"evidence-unsent") && told.contains(&"anchor-unsound"),
        "{}",
        unsent.ran
    );
    world.run(["sync"]).exits(0);
    world.json(["anchor"]).is("OK", 0);
}

#[test]
fn a_ledger_that_was_rolled_back_at_the_remote_is_found_out_by_a_new_clone() {
    let (world, bare) = project();
    world.merged_with(&world.run(["anchor"]).exits(0).trimmed());
    // Somebody takes the audit away, and all that could remember it.
    bare.git(["update-ref", LEDGER, &format!("{LEDGER}~1")]);
    bare.git(["reflog", "expire", "--expire=now", "--all"]);
    bare.git(["gc", "-q", "--prune=now"]);

    let clone = world.cloned("fresh");
    clone.run(["sync", "--fetch-only"]);
    clone.git(["commit", "-q", "--allow-empty", "-m", "Go on"]);

    let json = clone.json(["verify", "HEAD"]).is("UNKNOWN", 3);

    assert!(
        json.codes().contains(&"ledger-anchor-missing"),
        "{}",
        json.ran
    );
    let hint = json.hint("ledger-anchor-missing");
    assert!(hint.starts_with("git plan-audit sync"), "{hint}");
    // Whoever has it mends it for all.
    world.run(["sync"]).exits(0);
    clone.run(["sync", "--fetch-only"]).exits(0);
    let json = clone.json(["verify", "HEAD"]);
    assert!(
        !json.codes().contains(&"ledger-anchor-missing"),
        "{}",
        json.ran
    );
}

#[test]
fn a_forged_trailer_makes_no_pass_and_is_ended_at_the_trust_point() {
    let (world, _) = project();
    let forged = "5".repeat(40);
    world.merged_with(&format!("Plan-Audit-Ledger: {forged}"));

    let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    assert!(
        json.codes().contains(&"ledger-anchor-missing"),
        "{}",
        json.ran
    );
    world.json(["anchor"]).is("REFUSED", 2);

    let settings = format!("{{\"disregard_anchors\":[\"{forged}\"]}}\n");
    world.git(["switch", "-q", "main"]);
    world.commit(".plan-auditor/supervisor.json", settings);
    world.git(["push", "-q", "origin", "main"]);
    world.run(["init", "--no-hooks"]).exits(0);
    world.git(["switch", "-q", "next"]);
    world.git(["rebase", "-q", "main"]);
    world.run(["audit"]).exits(0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_trailer_makes_nothing_of_a_commit_that_is_no_ledger() {
    let (world, _) = project();
    let commit = world.rev("main");

    world.merged_with(&format!("Plan-Audit-Ledger: {commit}"));

    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.write("work.txt", "bad\n");
    world.git(["commit", "-qam", "Worse"]);
    world.json(["verify", "HEAD"]).is("FAIL", 1);
}
