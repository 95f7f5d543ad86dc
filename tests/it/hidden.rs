//! Evidence that somebody without a key puts out of sight by a push that only adds to the ledger, and
//! names that he gives to other commits than those that are meant.

use super::support::{Key, World, plans};

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

/// A world with a protected list of signers and an agent's list: the world as a judge who never
/// recorded sees it, and both commits. The agent's key proves HEAD.
struct Judged {
    judge: World,
    good: String,
    evil: String,
}

impl Judged {
    /// Makes it.
    fn new() -> Self {
        let world = World::new();
        world.init();
        let lists = [
            Key::make(&world, "good").signers(),
            Key::own(&world).signers(),
        ];
        let [good, evil] = lists.map(|list| {
            world.git(["checkout", "-q", "--detach", "main"]);
            world.commit(".plan-auditor/allowed_signers", list);
            world.rev("HEAD")
        });
        world.git(["update-ref", "refs/remotes/origin/main", &evil]);
        world.run(["init", "--no-hooks"]).exits(0);
        let world = world.prepared(&plans::good()).finished();
        let judge = world.temp_path().join("judge");
        let path = judge.to_str().unwrap();
        world.git(["clone", "-q", "--no-checkout", ".", path]);
        let judge = world.at(&judge);
        judge.git([
            "fetch",
            "-q",
            "origin",
            "+refs/notes/*:refs/notes/*",
            "HEAD",
        ]);
        judge.git(["checkout", "-q", "--detach", &world.rev("HEAD")]);
        std::fs::remove_dir_all(judge.home().join(".local/state")).unwrap();
        std::fs::remove_dir_all(judge.home().join(".config/git-plan-audit")).unwrap();
        for name in ["HEAD", "main"] {
            judge.git([
                "update-ref",
                "--no-deref",
                "-d",
                &format!("refs/remotes/origin/{name}"),
            ]);
        }
        Self { judge, good, evil }
    }

    /// Points a reference at a commit.
    fn point(&self, name: &str, commit: &str) {
        self.judge.git(["update-ref", "--no-deref", name, commit]);
    }
}

#[test]
fn a_pushed_name_is_not_taken_for_the_trust_point() {
    let world = Judged::new();
    let judge = &world.judge;
    let main = "refs/remotes/origin/main";
    judge.json(["verify", "--base", &world.evil]).is("PASS", 0);
    judge.json(["verify", "--base", &world.good]).is("FAIL", 1);
    world.point(main, &world.good);

    world.point("refs/tags/origin/main", &world.evil);
    let (short, _) = world.good.split_at(9);
    world.point(&format!("refs/tags/{short}"), &world.evil);

    judge
        .json(["verify", "--base", "origin/main"])
        .is("FAIL", 1);
    for line in [
        ["verify", "--base", short],
        ["verify", "-q", "origin/main..HEAD"],
    ] {
        let json = judge.json(line).is("REFUSED", 2);
        assert_eq!(json.codes(), ["no-revision"], "{}", json.ran);
        assert!(json.ran.stdout.contains("refs/tags/"), "{}", json.ran);
    }
    judge.json(["verify", "--base", main]).is("FAIL", 1);
}

#[test]
fn a_pushed_branch_is_not_taken_for_the_default_one() {
    let world = Judged::new();
    let judge = &world.judge;
    let uncertain = || {
        let json = judge.json(["verify"]);
        assert_ne!(json.ran.code, 0, "{}", json.ran);
        json.codes().contains(&"trust-point-uncertain")
    };

    world.point("refs/remotes/origin/HEAD", &world.evil);
    assert!(!uncertain());
    world.point("refs/remotes/origin/main", &world.evil);
    assert!(uncertain());
    world.point("refs/remotes/origin/master", &world.good);
    assert!(uncertain());

    let head = ["refs/remotes/origin/HEAD", "refs/remotes/origin/main"];
    judge.git(["symbolic-ref", head[0], head[1]]);
    let json = judge.json(["verify"]).is("PASS", 0);
    assert!(json.codes().contains(&"ledger-not-pinned"), "{}", json.ran);
    assert!(
        json.ran.stdout.contains("add \\\"ledger\\\":"),
        "{}",
        json.ran
    );
}
