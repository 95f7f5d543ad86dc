//! Servers: real pushes to bare repositories whose hooks ask us.

mod evidence;
mod http;
mod protected;
mod recipes;
mod ssh;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Key, Proof, Ran, World, finish, plans};

/// A clone, and the server it pushes to.
struct Server {
    /// The clone; its key is listed at the trust point, and nothing of its work is committed.
    clone: World,
    /// The bare repository.
    bare: World,
}

impl Server {
    /// Makes a server whose default branch lists the key of a clone, with this hook.
    fn with(hook: &str) -> Self {
        let clone = World::new();
        let key = Key::make(&clone, "ada");
        key.listed(&clone);
        let bare = clone.with_remote();
        clone.run(["init", "--no-hooks"]).exits(0);
        let server = Self { clone, bare };
        server.asks(hook, "");
        server
    }

    /// Makes a server with `pre-receive`.
    fn new() -> Self {
        Self::with("pre-receive")
    }

    /// Demands that bad work is refused, good work taken with its evidence, and that no ledger is
    /// deleted, whatever way pushes come.
    fn judging(self) -> Self {
        self.push(["main", LEDGER])
            .exits(1)
            .says("remote: plan-audit: FAIL refs/heads/main")
            .says("remote: next: ");
        let server = self.finished();
        server.push(["main", LEDGER]).exits(0);
        let deletion = format!(":{LEDGER}");
        server
            .push([deletion.as_str()])
            .exits(1)
            .says("ledger-deleted");

        assert_eq!(server.at("main"), Some(server.clone.rev("main")));
        server
    }

    /// Puts a hook in place that asks us, with options for git before our name.
    fn asks(&self, hook: &str, options: &str) {
        let path = self.bare.top.join("hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = format!("#!/bin/sh\nexec git {options} plan-audit hook {hook} \"$@\"\n");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Seals the usual plan in the clone and commits work that it does not pass.
    fn with_bad_work(self) -> Self {
        self.clone.with_plan(&plans::good());
        self.clone.write("work.txt", "bad\n");
        self.clone.git(["add", "-A"]);
        self.clone.seal();
        self.clone.git(["commit", "-qm", "Begin"]);
        self
    }

    /// Seals the usual plan in the clone and commits work that is proven.
    fn with_proven_work(self) -> Self {
        self.clone.with_plan(&plans::good());
        self.clone.git(["add", "-A"]);
        self.clone.seal();
        self.finished()
    }

    /// Makes the work of the clone good, audits and commits it.
    fn finished(self) -> Self {
        self.clone.write("work.txt", "good\n");
        self.clone.git(["add", "-A"]);
        self.clone.json(["audit"]).is("PASS", 0);
        self.clone.git(["commit", "-qm", "Make it good"]);
        self
    }

    /// Pushes references from the clone, however that ends.
    fn push<const N: usize>(&self, references: [&str; N]) -> Ran {
        let line = ["push", "-q", "origin"].into_iter().chain(references);
        finish(&mut self.clone.command("git", &self.clone.top, line))
    }

    /// Returns what a reference of the server names; none where it is not there.
    fn at(&self, name: &str) -> Option<String> {
        let line = ["rev-parse", "-q", "--verify", name];
        let found = finish(&mut self.bare.command("git", &self.bare.top, line));
        (found.code == 0).then(|| found.trimmed())
    }
}

/// The reference of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";

#[test]
fn a_server_with_keys_of_its_own_judges_the_first_push() {
    let world = World::empty(Proof::Ssh);
    world.git(["init", "-q", "-bmain"]);
    let key = Key::make(&world, "ada");
    world
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    let world = world.prepared(&plans::good()).finished();
    let path = world.temp_path().join("origin.git");
    world.git(["init", "-q", "--bare", "-bmain", path.to_str().unwrap()]);
    world.git(["remote", "add", "origin", path.to_str().unwrap()]);
    let server = Server {
        bare: world.at(&path),
        clone: world,
    };
    server.asks("pre-receive", "");

    server
        .push(["main", LEDGER])
        .exits(1)
        .says("no-trust-root")
        .says("next: ");
    let list = server.clone.temp_path().join("signers");
    fs::write(&list, key.signers()).unwrap();
    let option = format!("-c planAudit.allowedSigners='{}'", list.display());
    server.asks("pre-receive", &option);
    server.push(["main", LEDGER]).exits(0);

    assert_eq!(server.at("refs/heads/main"), Some(server.clone.rev("main")));
}
