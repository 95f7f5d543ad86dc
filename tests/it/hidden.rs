//! Evidence that somebody without a key puts out of sight by a push that only adds to the ledger.

use super::support::{World, plans};

/// The ref of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";

/// Makes a world whose HEAD was proven, and then failed in a later audit of the same tree.
fn failed() -> World {
    let world = World::new();
    world.init();
    world.with_plan(&plans::of_argv(&["sh", "-c", "test -e \"$HOME/up\""]));
    world.seal();
    world.git(["commit", "-qm", "Plan"]);
    let up = world.home().join("up");
    std::fs::write(&up, "").unwrap();
    world.json(["audit"]).is("PASS", 0);
    std::fs::remove_file(&up).unwrap();
    world.json(["audit"]).is("FAIL", 1);
    world
}

/// Puts a commit with these entries on top of the ledger.
fn push(world: &World, entries: &[String]) {
    let listing = entries.join("\n") + "\n";
    let tree = world.git_with_input(["mktree"], &listing).trimmed();
    let line = ["commit-tree", "-p", LEDGER, "-m", "Tidy up", &tree];
    let commit = world.git(line).trimmed();
    world.git(["update-ref", LEDGER, &commit]);
}

#[test]
fn a_failure_whose_note_hangs_elsewhere_is_missed() {
    let world = failed();
    let head = world.rev("HEAD");
    let note = world.rev(&format!("{LEDGER}:{head}"));
    let text = world.git(["cat-file", "blob", &note]).stdout;
    let (short, _) = text.trim_end().rsplit_once('\n').unwrap();
    let short = world.blob(&format!("{short}\n"));
    let (directory, rest) = head.split_at(2);
    let listed = world.git(["ls-tree", LEDGER]).stdout;
    let others: Vec<String> = listed
        .lines()
        .filter(|line| !line.contains(&head))
        .map(str::to_owned)
        .collect();
    let whole = world
        .git_with_input(["mktree"], &format!("100644 blob {note}\t{rest}\n"))
        .trimmed();
    let tip = world.rev(LEDGER);
    let kept = [
        ("missed", vec![format!("100644 blob {note}\tREADME")]),
        ("missed", vec![format!("100644 blob {note}\t{note}")]),
        ("missed", vec![format!("040000 tree {whole}\tzz")]),
        (
            "there",
            vec![
                format!("040000 tree {whole}\t00"),
                format!("040000 tree {whole}\t{directory}"),
            ],
        ),
    ];
    for (what, elsewhere) in kept {
        world.git(["update-ref", LEDGER, &tip]);
        let shown = format!("{elsewhere:?}");
        let mut entries = others.clone();
        entries.extend(elsewhere);
        entries.push(format!("100644 blob {short}\t{head}"));
        push(&world, &entries);
        world.forget();

        let json = world.json(["verify", "HEAD"]);

        let (outcome, exit, code) = match what {
            "there" => ("FAIL", 1, "audit-failed"),
            _ => ("UNKNOWN", 3, "ledger-removed"),
        };
        let json = json.is(outcome, exit);
        assert!(json.codes().contains(&code), "{shown}\n{}", json.ran);
    }
}
