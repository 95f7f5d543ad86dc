//! A failure that was recorded is not lost, whatever somebody does who can write to `.git` alone.

use std::fs;

use serde_json::json;

use crate::support::{Key, Line, World, plans};

/// A world whose HEAD passed in the work tree, by an ignored file.
fn passed() -> World {
    let world = World::new().prepared(&plans::of_argv(&["test", "-e", "cache"]));
    world.write(".gitignore", "cache\n");
    world.write("cache", "");
    world.git(["add", "-A"]);
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Work by the cache"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    world
}

/// Audits HEAD without the ignored file.
fn fail(world: &World) {
    world.json(["audit", "--commit", "HEAD"]).is("FAIL", 1);
}

/// Puts lines where batches wait.
fn plant(world: &World, name: &str, target: &str, lines: &[&str]) {
    let batch = json!({
        "v": 1, "target": target, "subject": "planted", "lines": lines, "kept": [],
    });
    let members = ["v", "target", "subject", "lines", "kept"];
    let members: Vec<String> = members
        .iter()
        .map(|name| format!("\"{name}\":{}", batch[name]))
        .collect();
    let text = format!("{{{}}}\n", members.join(","));
    world.write(&format!(".git/plan-audit/pending/{name}.json"), text);
}

/// Returns the subjects of the ledger's commits.
fn subjects(world: &World) -> String {
    world
        .git(["log", "--format=%s", "refs/notes/plan-audit"])
        .stdout
}

#[test]
fn an_old_line_that_is_put_where_lines_wait_takes_no_failure_back() {
    let world = passed();
    let Line { target, text } = world.record("audit");
    fail(&world);
    plant(&world, "000000-0000000000000000", &target, &[&text]);
    let planted = world.top.join(".git/plan-audit/pending");

    fail(&world);

    assert_eq!(fs::read_dir(planted).unwrap().count(), 0);
    let json = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(!json.codes().contains(&"ledger-fork"), "{}", json.ran);
    assert!(!subjects(&world).contains("planted"));
}

#[test]
fn nothing_that_waits_without_a_record_of_this_clone_reaches_the_ledger() {
    let world = passed();
    plant(&world, "000000-0000000000000000", &world.rev("HEAD"), &[]);

    let json = world.json(["audit"]).is("PASS", 0);

    assert!(json.codes().contains(&"pending-dropped"), "{}", json.ran);
    assert!(!subjects(&world).contains("planted"));
}

/// Puts the bytes of one object where another one is stored.
fn exchange(world: &World, id: &str, by: &str) {
    let path = |id: &str| {
        let (folder, name) = id.split_at(2);
        world.top.join(".git/objects").join(folder).join(name)
    };
    let bytes = fs::read(path(by)).unwrap();
    fs::remove_file(path(id)).unwrap();
    fs::write(path(id), bytes).unwrap();
}

#[test]
fn an_exchanged_object_of_the_ledger_hides_no_failure() {
    let ledger = "refs/notes/plan-audit";
    for is_tree in [true, false] {
        let world = passed();
        let seal = world.record("seal");
        fail(&world);
        let (now, then) = if is_tree {
            let tree = |tip: &str| world.rev(&format!("{tip}^{{tree}}"));
            (tree(ledger), tree(&format!("{ledger}~1")))
        } else {
            let at = format!("{ledger}:{}", world.rev("HEAD"));
            (world.rev(&at), world.blob(&format!("{}\n", seal.text)))
        };
        world.forget();

        exchange(&world, &now, &then);

        world
            .run(["verify", "HEAD"])
            .exits(3)
            .says("are others than its id says");
    }
}

#[test]
fn a_failure_that_grafts_made_unusable_leaves_no_older_pass() {
    let world = passed();
    let head = world.rev("HEAD");
    world.write(".git/info/grafts", format!("{head}\n"));
    fail(&world);
    fs::remove_file(world.top.join(".git/info/grafts")).unwrap();

    let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);

    assert!(json.codes().contains(&"failure-unseen"), "{}", json.ran);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_failure_that_changed_a_file_leaves_no_older_pass() {
    let world = World::new().prepared(&plans::of_argv(&["sh", "test.sh"]));
    let script = "test -e \"$HOME/up\" && exit 0; echo failed >>work.txt; exit 1";
    world.write("test.sh", script);
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Work"]);
    let up = world.home().join("up");
    for place in [&["audit"][..], &["audit", "--commit", "HEAD"]] {
        fs::write(&up, "").unwrap();
        world.run(place).exits(0);
        fs::remove_file(&up).unwrap();
        world.run(place).exits(1);

        let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);

        assert!(json.codes().contains(&"failure-unseen"), "{}", json.ran);
        world.git(["checkout", "-q", "work.txt"]);
    }
    fs::write(&up, "").unwrap();
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_failure_of_another_clone_that_a_later_record_has_seen_is_missed() {
    let world = passed();
    let work = world.rev("HEAD");
    // Another clone of the same person: its failure comes back by the ledger.
    let other = world.at(&world.temp_path().join("other"));
    let ledger = "refs/notes/plan-audit";
    let both = format!("+{ledger}:{ledger}");
    world.git(["clone", "-q", ".", other.top.to_str().unwrap()]);
    other.git(["fetch", "-q", "origin", &both]);
    let key = Key::own(&world);
    other
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    fail(&other);
    world.git(["fetch", "-q", other.top.to_str().unwrap(), &both]);
    world.json(["verify", &work]).is("FAIL", 1);
    world.write("more", "");
    world.git(["add", "-A"]);
    world.json(["audit"]).is("PASS", 0);
    let is_failure = |line: &Line| line.text.contains("\"place\":\"checkout\"");

    let left = world.lines().into_iter().filter(|line| !is_failure(line));
    world.replace_ledger(&left.collect::<Vec<_>>());

    let json = world.json(["verify", &work]).is("UNKNOWN", 3);
    assert!(json.codes().contains(&"ledger-gap"), "{}", json.ran);
}

/// Puts another git directory in the place of the one that is there.
fn replace_git_dir(world: &World) {
    let (git, aside) = (world.top.join(".git"), world.temp_path().join("aside"));
    world.tool("cp", ["-a", git.to_str().unwrap(), aside.to_str().unwrap()]);
    fs::rename(&git, world.temp_path().join("was")).unwrap();
    fs::rename(&aside, &git).unwrap();
}

#[test]
fn a_git_directory_that_was_exchanged_for_a_copy_forgets_nothing_silently() {
    let world = World::proven();
    let key = Key::make(&world, "other");
    world.commit(".plan-auditor/allowed_signers", key.signers());
    for keeps_files in [true, false] {
        replace_git_dir(&world);
        if !keeps_files {
            fs::remove_dir_all(world.top.join(".git/plan-audit")).unwrap();
        }

        let json = world.json(["verify", "HEAD"]);

        assert!(json.codes().contains(&"clone-exchanged"), "{}", json.ran);
        assert_eq!(json.ran.code, 3, "{}", json.ran);
        world.init();
        let json = world.json(["verify", "HEAD"]);
        assert!(!json.codes().contains(&"clone-exchanged"), "{}", json.ran);
        fs::remove_dir_all(world.temp_path().join("was")).unwrap();
    }
}

#[test]
fn a_git_directory_that_is_named_instead_forgets_nothing_silently() {
    let world = World::proven();
    let (git, aside) = (world.top.join(".git"), world.temp_path().join("aside"));
    world.tool("cp", ["-a", git.to_str().unwrap(), aside.to_str().unwrap()]);
    fs::remove_dir_all(aside.join("plan-audit")).unwrap();
    fs::rename(&git, world.temp_path().join("was")).unwrap();

    fs::write(&git, format!("gitdir: {}\n", aside.display())).unwrap();

    let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    assert!(json.codes().contains(&"clone-exchanged"), "{}", json.ran);
}

#[test]
fn a_repository_made_in_the_place_of_another_is_a_new_one() {
    let world = World::new();
    for _ in 0..4 {
        world.init();
        fs::remove_dir_all(world.top.join(".git")).unwrap();
        world.git(["init", "-q"]);
    }

    world.prepared(&plans::good()).finished();
}

#[test]
fn a_clone_whose_instance_names_another_ledger_records_nothing() {
    for is_pinned in [true, false] {
        let world = passed();
        let path = world.top.join(".git/plan-audit/instance");
        let text = fs::read_to_string(&path).unwrap();
        let (_, rest) = text.split_once("\"repo\":\"").unwrap();
        let (ledger, _) = rest.split_once('"').unwrap();
        if is_pinned {
            let pin = format!("{{\"ledger\":\"{ledger}\"}}\n");
            world.commit(".plan-auditor/supervisor.json", pin);
            world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
            world.forget();
        }
        fs::write(&path, text.replace(ledger, &"ab".repeat(32))).unwrap();
        let tip = world.rev("refs/notes/plan-audit");

        let json = world.json(["audit", "--commit", "HEAD"]).is("REFUSED", 2);

        assert!(json.codes().contains(&"other-ledger"), "{}", json.ran);
        assert_eq!(world.rev("refs/notes/plan-audit"), tip);
        let line = ["init", "--no-hooks", "--new-instance", "--reason", "edited"];
        world.run(line).exits(0);
        fail(&world);
        world.json(["verify", "HEAD"]).is("FAIL", 1);
    }
}

#[test]
fn a_trust_point_that_was_moved_makes_nobody_forget_what_this_clone_sealed() {
    let world = World::proven();
    let easy = plans::of_argv(&["true"]).to_string();
    world.write(".plan-auditor/plans/easy.json", easy);
    world.git(["add", "-A"]);
    world.json(["seal", "--plan", "easy"]).is("OK", 0);
    world.git(["rm", "-q", ".plan-auditor/plan.json"]);
    world.write("work.txt", "bad\n");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Leave the plan out"]);
    let child = ["commit-tree", "-p", "HEAD", "-m", "x", "HEAD^{tree}"];
    let child = world.git(child).trimmed();

    world.git(["update-ref", "refs/remotes/origin/main", &child]);

    let json = world.json(["audit", "--commit", "HEAD"]).is("REFUSED", 2);
    assert!(json.codes().contains(&"plan-removed"), "{}", json.ran);
    let json = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(json.codes().contains(&"plan-removed"), "{}", json.ran);
}

#[test]
fn a_clone_with_the_id_of_another_one_records_nothing_until_it_has_its_own() {
    let world = passed();
    let other = world.at(&world.temp_path().join("other"));
    let (ledger, from) = ("refs/notes/plan-audit", world.top.to_str().unwrap());
    world.git(["clone", "-q", ".", other.top.to_str().unwrap()]);
    other.git(["fetch", "-q", from, &format!("{ledger}:{ledger}")]);
    let key = Key::own(&world);
    let init = ["init", "--no-hooks", "--key", key.path()];
    other.run(init).exits(0);
    let path = ".git/plan-audit/instance";
    let read = |world: &World| fs::read_to_string(world.top.join(path)).unwrap();
    let inst = |text: &str| {
        let (_, rest) = text.split_once("\"inst\":\"").unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let (stolen, own) = (inst(&read(&world)), inst(&read(&other)));
    other.write(path, read(&other).replace(&own, &stolen));

    let json = other.json(["audit", "--commit", "HEAD"]).is("REFUSED", 2);

    assert!(json.ran.stdout.contains("init"), "{}", json.ran);
    other.run(init).exits(0);
    fail(&other);
    assert_ne!(inst(&read(&other)), stolen);
    let back = format!("{ledger}:{ledger}");
    world.git(["fetch", "-q", other.top.to_str().unwrap(), &back]);
    let json = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(!json.codes().contains(&"ledger-fork"), "{}", json.ran);
}
