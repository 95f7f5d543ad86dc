//! Trees and untracked files, as git has them.

use super::world::{Like, World, check, compare, flags};
use crate::model::state::{Flag, State};

#[test]
fn changes_of_tracked_files_give_gits_tree() {
    for script in [
        "true",
        "echo more >>a.txt",
        "echo more >>a.txt; git add a.txt; echo yet >>a.txt",
        "rm a.txt",
        "rm -r d",
        "chmod +x a.txt; chmod -x x.sh",
        "rm a.txt; mkdir a.txt; echo 1 >a.txt/b",
        "rm -r d; echo d >d",
        "rm -r d; ln -s /nowhere d",
        "mv d e; ln -s e d",
        "ln -sfn b.txt link",
        "rm link; printf a.txt >link",
        "rm a.txt; ln -s b.txt a.txt",
        "mkdir d-y d.x; echo 1 >d-y/f; echo 2 >d.x/f; echo 3 >d0; git add -A",
        "git rm -q --cached a.txt",
        "git update-index --index-version 4; echo more >>a.txt",
        "git update-index --split-index; echo more >>a.txt; git add a.txt; echo n >n; git add n",
        "git -c index.skipHash=true add -A; echo more >>a.txt",
        "git update-index --untracked-cache; echo more >>a.txt",
        "git checkout -q --detach; echo more >>a.txt",
        "cp a.txt 'new\nline'; cp a.txt \"q'u\\\"ote\"; git add -A; echo 2 >>'new\nline'",
        "f=$(printf 'n\\377\\376x'); echo 1 >\"$f\"; git add -A; echo 2 >\"$f\"",
        "f=$(printf 'n\\377u'); echo 1 >\"$f\"; mkdir u; echo 2 >u/f",
        "n=$(printf '%0200d' 0); mkdir -p $n/$n; echo 1 >$n/$n/$n; git add -A; echo 2 >$n/$n/$n",
        "mkdir -p e/f; echo >e/f/.hidden",
        "printf 'A' >A.TXT; git add -A; printf B >A.TXT",
        "rm .git/index",
        "git update-index --index-version 2; echo n >n; git add n; echo more >>n",
        "git config core.fsmonitor false; git update-index --no-fsmonitor; echo more >>a.txt",
        "git config core.bigFileThreshold 10; dd if=/dev/zero of=t bs=1k count=9 2>/dev/null; git add t; echo >>t",
        "dd if=/dev/zero of=big bs=1M count=17 2>/dev/null; git add big; echo >>big",
    ] {
        check(script, &[], Like::Git);
    }
}

#[test]
fn empty_directories_change_neither_tree_nor_untracked_files() {
    let script = "mkdir -p e/f/g e/m/p; echo >e/f/.hidden; mkdir empty; rm -r d; mkdir d";
    check(script, &["empty_directory"], Like::Git);
}

#[test]
fn equal_size_and_time_do_not_hide_other_bytes() {
    let script = "touch -d 2020-01-01 a.txt; git update-index --refresh
        git config core.trustctime false; git config core.checkStat minimal
        cp -p a.txt ref; printf 'z\\n' >a.txt; touch -r ref a.txt; rm ref";
    check(script, &[], Like::GitTree);

    let world = World::new();
    let before = world.state();
    world.sh(script);
    assert_ne!(world.state().tree, before.tree);
    assert_eq!(world.state().index, before.index);
}

#[test]
fn marks_in_the_index_do_not_hide_changes() {
    let assumed = "git update-index --assume-unchanged a.txt; echo more >>a.txt";
    check(assumed, &["assume_unchanged"], Like::Git);
    let skipped = "git update-index --skip-worktree a.txt; echo more >>a.txt";
    check(skipped, &["skip_worktree"], Like::Git);
    let absent = "git update-index --skip-worktree a.txt d/c.txt; rm -r a.txt d";
    check(
        "git update-index --skip-worktree a.txt; rm a.txt",
        &["absent"],
        Like::Head,
    );
    let world = World::new();
    world.sh(absent);
    assert_eq!(
        world
            .state()
            .flags
            .values()
            .map(|noted| noted.count)
            .sum::<u64>(),
        2
    );
}

#[test]
fn what_is_meant_to_be_added_counts_as_tracked() {
    check(
        "echo n >n.txt; git add -N n.txt",
        &["intent_to_add"],
        Like::Git,
    );
    check(
        "echo n >n.txt; git add -N n.txt; rm n.txt",
        &["intent_to_add"],
        Like::Git,
    );

    let world = World::new();
    world.sh("echo n >n.txt; git add -N n.txt");
    let staged = world.state().staged_tree.unwrap().to_string();
    assert_eq!(staged, world.sh("git write-tree").trim());
}

#[test]
fn a_merge_that_is_not_resolved_is_flagged() {
    let merge = "git checkout -qb o; echo o >>a.txt; git commit -qam o; git checkout -q main
        echo m >>a.txt; git commit -qam m; git merge o >/dev/null 2>&1 || :";
    check(merge, &["unmerged"], Like::Git);
    check(&format!("{merge}; rm a.txt"), &["unmerged"], Like::Git);
    let removed = merge.replace(
        "echo o >>a.txt; git commit -qam o",
        "git rm -q a.txt; git commit -qm o",
    );
    check(&removed, &["unmerged"], Like::Git);
    check(&format!("{removed}; rm a.txt"), &["unmerged"], Like::Git);

    let world = World::new();
    world.sh(merge);
    assert!(world.state().staged_tree.is_none());
}

#[test]
fn modes_on_disk_count_whatever_the_settings_believe() {
    let world = World::new();
    let clean = world.state().tree;
    world.sh("git config core.fileMode false; chmod +x a.txt");
    let state = world.state();
    assert_eq!(flags(&state), ["modes"].into());
    assert_ne!(state.tree, clean);

    check("git config core.fileMode false", &[], Like::Git);
    let link = "git config core.symlinks false; rm link; printf a.txt >link";
    check(link, &["modes"], Like::Nothing);
}

#[test]
fn links_that_lead_out_and_names_that_fall_together_are_told() {
    let out = "ln -s /etc/hostname l; ln -s ../.. d/up; git add -A";
    check(out, &["link_outside"], Like::Git);
    let both = "printf 1 >A.TXT; git add -A; git config core.ignoreCase true";
    check(both, &["case_collision"], Like::Git);

    let world = World::new();
    world.sh("printf 1 >D-X; printf 1 >A.TXT; git add -A; git config core.ignoreCase true");
    let told = world.state().flags[&Flag::CaseCollision].clone();
    assert_eq!(told.paths, ["A.TXT", "a.txt"]);
}

#[test]
fn untracked_files_are_those_that_git_shows() {
    for script in [
        "echo '*.o' >.gitignore; git add .gitignore; echo 1 >n.o; echo 2 >n.c; echo 3 >d/n.o",
        "printf 'out/\\n' >.gitignore; git add .gitignore; mkdir out; echo >out/x; mkdir -p e/out; echo >e/out/y",
        "printf 'd/\\n' >.gitignore; git add .gitignore; echo >d/new",
        "printf '*\\n!*/\\n!*.c\\n' >.gitignore; git add -f .gitignore; mkdir s; echo >s/x.c; echo >s/x.d",
        "printf 'b*\\n' >.gitignore; printf '!bb\\n' >d/.gitignore; git add -f .gitignore d/.gitignore; echo >d/bb; echo >d/bc",
        "printf '/x\\ntrail \\nesc\\\\ \\n\\043hash\\n\\\\#h\\n' >.gitignore; git add .gitignore; echo >x; mkdir y; echo >y/x; echo >trail; echo >'esc '; echo >'#h'",
        "printf 'crlf\\r\\n' >.gitignore; git add .gitignore; echo >crlf",
        "printf '\\357\\273\\277bom\\n' >.gitignore; git add .gitignore; echo >bom",
        "printf 'lnk/\\n' >.gitignore; git add .gitignore; ln -s d lnk; ln -s loop loop",
        "printf '**/deep\\na/**/z\\n' >.gitignore; git add .gitignore; mkdir -p a/b/c q/deep; echo >a/b/c/z; echo >q/deep/x; echo >a/z",
        "echo '*.t' >.gitignore; git add .gitignore; git rm -q --cached a.txt; echo >n.t",
        "p=.; for i in $(seq 100); do p=$p/l; done; mkdir -p $p; echo >$p/f",
        "mkdir -p .plan-auditor/plans; echo {} >.plan-auditor/plan.json; echo >.plan-auditor/plans/x.json",
    ] {
        check(script, &[], Like::Git);
    }
}

#[test]
fn state_files_of_plan_auditor_are_hidden_and_never_untracked() {
    let world = World::new();
    world.sh(
        "mkdir -p .plan-auditor/seals .plan-auditor/snapshots/s; cd .plan-auditor
        touch seal.json seals/1.json evidence.jsonl evidence.head.json evidence.write.lock
        touch integrity.json audit.freeze.lock snapshots/s/x supervisor-runtime.json watchdog.jsonl
        touch plan.json supervisor.json allowed_signers",
    );
    let state = world.state();

    assert_eq!(state.untracked.noted.count, 3, "{:?}", state.untracked);
    let hidden = [
        "audit.freeze.lock",
        "evidence.head.json",
        "evidence.jsonl",
        "evidence.write.lock",
        "integrity.json",
    ];
    let hidden = hidden.map(|name| format!(".plan-auditor/{name}"));
    assert_eq!(
        (state.hidden.count, state.hidden.paths),
        (10, hidden.into())
    );
    assert_eq!(state.aside.hidden_by.paths, ["the state of plan-auditor"]);

    world.sh(
        "printf '*\\n!plan.json\\n' >.plan-auditor/.gitignore; git add -f .plan-auditor/.gitignore",
    );
    let ignored = world.state();
    assert_eq!(
        (ignored.untracked.noted.count, ignored.hidden.count),
        (1, 0)
    );
}

#[test]
fn directories_with_nothing_in_them_are_told_and_may_come_and_go() {
    let world = World::new();
    let before = world.state();
    world.sh(
        "echo 'o/' >>.git/info/exclude; mkdir -p e/m/p d/y .git/z o/n; mkdir f; touch f/a; rm f/a",
    );
    let state = world.state();

    assert_eq!(
        state.flags[&Flag::EmptyDirectory].paths,
        ["d/y", "e/m/p", "f"]
    );
    assert_eq!(flags(&state), ["empty_directory"].into());
    assert_eq!(state.untracked, before.untracked);
    let unsteered = State {
        control: before.control.clone(),
        ..state
    };
    assert!(unsteered.is_same(&before));
}

#[test]
fn rules_that_are_not_tracked_hide_and_do_not_ignore() {
    for (script, hidden) in [
        (
            "echo '*.l' >>.git/info/exclude; echo >n.l; mkdir s; echo >s/m.l",
            &["n.l", "s/m.l"][..],
        ),
        (
            "echo 'venv/' >>.git/info/exclude; mkdir -p venv/b; echo >venv/b/x",
            &["venv/"],
        ),
        (
            "echo 'venv/' >>.git/info/exclude; mkdir -p venv/b; true",
            &[],
        ),
        (
            "echo '*' >d/.gitignore; echo >d/n",
            &["d/.gitignore", "d/n"],
        ),
        (
            "mkdir c; echo '*' >c/.gitignore; echo >c/n",
            &["c/.gitignore", "c/n"],
        ),
        (
            "echo '*.g' >../g; git config core.excludesFile \"$PWD/../g\"; echo >n.g",
            &["n.g"],
        ),
        (
            "echo 'N.*' >.gitignore; git add .gitignore; git config core.ignoreCase true; echo >n.g",
            &["n.g"],
        ),
        (
            "echo '*.o' >.gitignore; git add .gitignore; echo 'out/' >>.git/info/exclude
             mkdir out; echo >out/a.o",
            &[],
        ),
        (
            "echo '*.l' >>.git/info/exclude; echo '!n.l' >.gitignore; git add .gitignore; echo >m.l",
            &["m.l"],
        ),
    ] {
        let world = World::new();
        world.sh(script);
        let state = world.state();
        assert_eq!(state.hidden.paths, hidden, "{script}");
        let rules = state.aside.hidden_by.paths;
        assert_eq!(rules.is_empty(), hidden.is_empty(), "{script}");
        assert_eq!(
            state.untracked.noted,
            world.untracked_at(&world.top()),
            "{script}"
        );
    }
}

#[test]
fn a_directory_that_is_ignored_is_not_entered() {
    let world = World::new();
    world.sh(
        "echo 'out/' >.gitignore; git add .gitignore; mkdir out; chmod 0 out; mkfifo d/p; rm d/p",
    );

    compare(&world, &world.top(), "ignored", (&[], Like::Git));
    world.sh("chmod 700 out");
}

#[test]
fn content_of_a_clean_commit_comes_from_objects_alone() {
    use crate::wire::digest::{Hasher, Label, sha256};
    let world = World::new();
    world.sh("printf '* text=auto\\n*.crlf eol=crlf\\n' >.gitattributes; printf '1\\n2\\n' >w.crlf
        f=$(printf 'n\\377'); echo 1 >\"$f\"; git add -A; git commit -qm 2; rm w.crlf; git checkout -q w.crlf");
    let state = world.state();

    let mut hasher = Hasher::labelled(Label::Content);
    let listed = world.sh("git ls-tree -rz --full-tree HEAD | od -An -v -tx1 | tr -d ' \\n'");
    for line in unhex(&listed)
        .split(|byte| *byte == 0)
        .filter(|line| !line.is_empty())
    {
        let tab = line.iter().position(|byte| *byte == b'\t').unwrap();
        let head = String::from_utf8(line[..tab].to_vec()).unwrap();
        let words: Vec<_> = head.split(' ').collect();
        let blob = unhex(&world.sh(&format!(
            "git cat-file blob {} | od -An -v -tx1 | tr -d ' \\n'",
            words[2]
        )));
        hasher.framed(&line[tab + 1..]);
        hasher.framed(words[0].as_bytes());
        hasher.update(&u64::try_from(blob.len()).unwrap().to_be_bytes());
        hasher.update(sha256(&blob).as_bytes());
    }

    assert_eq!(flags(&state), [].into());
    assert_eq!(state.content, hasher.finish());
    assert_eq!(state.tree, state.staged_tree.unwrap());
}

/// Reads hex.
fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
