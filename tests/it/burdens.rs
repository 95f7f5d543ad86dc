//! What whoever may push can leave behind: it takes nothing from honest evidence, and no command
//! waits or swells for it.

use crate::support::{World, plans};

/// Writes an object as it is given, whatever git thinks of it.
fn literally(world: &World, kind: &str, text: &str) -> String {
    let hash = ["hash-object", "-t", kind, "-w", "--stdin", "--literally"];
    let id = world.git_with_input(hash, text).stdout;
    id.trim().to_owned()
}

/// Writes a commit whose author has no address, which git reads and strict readers do not.
fn odd_commit(world: &World, tree: &str, parent: &str) -> String {
    let people = "author a\ncommitter a <a> 1 +0000";
    let text = format!("tree {tree}\nparent {parent}\n{people}\n\nodd\n");
    literally(world, "commit", &text)
}

#[test]
fn a_broken_past_of_ledger_and_code_is_passed_over() {
    let world = World::new();
    let base = odd_commit(&world, &world.rev("HEAD^{tree}"), &world.rev("HEAD"));
    world.git(["reset", "-q", "--hard", &base]);
    world.git(["update-ref", "refs/remotes/origin/main", &base]);
    let world = world.prepared(&plans::of_argv(&["true"]));
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Work"]);
    let tip = world.rev("refs/notes/plan-audit");
    let whole = world.rev("refs/notes/plan-audit^{tree}");
    let odd = odd_commit(&world, &whole, &tip);
    let blob = world.rev("HEAD:work.txt");
    let names = (0..400_001).map(|n| format!("100644 blob {blob}\t{n:07}\n"));
    let many = names.collect::<Vec<_>>().concat();
    let many = world.git_with_input(["mktree"], &many).stdout;
    let mut parent = odd;
    for tree in [many.trim(), &whole] {
        let commit = ["commit-tree", "-m", "x", "-p", &parent, tree];
        parent = world.git(commit).stdout.trim().to_owned();
    }
    world.git(["update-ref", "refs/notes/plan-audit", &parent]);

    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn more_plan_files_than_are_read_are_no_plans() {
    let world = World::proven();
    let blob = world.rev("HEAD:.plan-auditor/plan.json");
    let names = (0..1_200).map(|n| format!("100644 blob {blob}\tp{n:05}.json\n"));
    let names = names.collect::<Vec<_>>().concat();
    let plans = world.git_with_input(["mktree"], &names).stdout;
    let directory = format!("040000 tree {}\tplans\n", plans.trim());
    let directory = world.git_with_input(["mktree"], &directory).stdout;
    let top = format!("040000 tree {}\t.plan-auditor\n", directory.trim());
    let tree = world.git_with_input(["mktree"], &top).stdout;
    let commit = ["commit-tree", "-p", "HEAD", "-m", "x", tree.trim()];
    let commit = world.git(commit).stdout;

    world
        .run(["verify", commit.trim()])
        .exits(1)
        .says("it is not read")
        .says("p01000.json");
}

#[test]
fn what_gix_would_open_and_git_not_is_refused_by_name() {
    let world = World::proven();
    let fifo = world.temp_path().join("lent/info/alternates");
    std::fs::create_dir_all(fifo.parent().unwrap()).unwrap();
    world.tool("mkfifo", [&fifo]);
    let alternates = world.top.join(".git/objects/info/alternates");
    let lent = world.temp_path().join("lent");
    std::fs::write(&alternates, format!("\"{}\"\n", lent.display())).unwrap();
    world
        .run(["verify", "HEAD"])
        .exits(2)
        .says("lent/info/alternates");
    std::fs::remove_file(&alternates).unwrap();
    world.git([
        "config",
        "gitoxide.core.shallowFile",
        fifo.to_str().unwrap(),
    ]);

    world.run(["verify", "HEAD"]).exits(2).says("gitoxide");
}

/// Makes as many flags as can be had name paths as long as can be.
const LONG_PATHS: &str = r#"
long=$(printf '\360\237\230\200%.0s' $(seq 62)); D="$long/$long/$long/$long"
B=$(echo x | git hash-object -w --stdin); L=$(printf /etc/passwd | git hash-object -w --stdin)
for i in 1 2 3 4 5; do
  mkdir -p "a$i$D" "b$i$D" "d$i$D/n/.git/objects" "d$i$D/n/.git/refs" "e$i$D" "f$i$D"
  echo x >"a$i$D/u"; echo x >"b$i$D/h"; echo "/b$i*" >>.git/info/exclude; mkfifo "e$i$D/p"
  echo "ref: refs/heads/main" >"d$i$D/n/.git/HEAD"
  printf '100644 %s 0\tg%s\n120000 %s 0\th%s\n100644 %s 0\ti%s\n' "$B" "$i$D/s" "$L" "$i$D/l" "$B" "$i$D/f"
done >index
git update-index --add --index-info <index; rm index
git -c core.quotePath=false ls-files '[ghi]?*' >paths
grep '^[hi]' paths | git checkout-index -q -f --stdin
grep '^[gi]' paths | git update-index --skip-worktree --stdin
grep '^h' paths | git update-index --assume-unchanged --stdin; rm paths
"#;

#[test]
fn a_failure_is_recorded_however_long_the_paths_are() {
    let world = World::new().prepared(&plans::of_argv(&["false"]));
    world.tool("sh", ["-c", LONG_PATHS]);

    let json = world.json(["audit"]).is("FAIL", 1);

    assert!(!json.codes().contains(&"not-recorded"), "{}", json.ran);
    let text = world.record("audit").text;
    for flag in [
        "absent",
        "empty_directory",
        "link_outside",
        "nested",
        "special",
    ] {
        assert!(
            text.contains(&format!("\"{flag}\":{{\"count\":5")),
            "{flag}\n{text}"
        );
    }
}
