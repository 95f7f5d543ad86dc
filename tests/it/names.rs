//! Names: the commit and the repository that are judged are those that git means, or there is no
//! verdict.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::World;

/// A world whose HEAD is bad work, and the commit before it, which is proven.
fn bad_after_good() -> (World, String) {
    let world = World::proven();
    let good = world.rev("HEAD");
    world.commit("work.txt", "bad\n");
    world.json(["verify", "HEAD"]).is("FAIL", 1);
    (world, good)
}

/// Demands that a verdict was refused, and that a word tells why.
#[track_caller]
fn refused(world: &World, revision: &str, word: &str) {
    world.run(["verify", revision]).exits(2).says(word);
}

/// Returns a path in the git directory.
fn inside(world: &World, name: &str) -> std::path::PathBuf {
    world.top.join(".git").join(name)
}

/// Moves a file aside and puts a link in its place.
fn link(path: &Path, to: &str) {
    fs::remove_file(path).unwrap();
    symlink(to, path).unwrap();
}

#[test]
fn a_branch_that_is_a_link_is_refused() {
    let (world, good) = bad_after_good();
    world.git(["update-ref", "refs/heads/bad", "HEAD"]);
    world.write(".git/refs/heads/refs/heads/bad", good);
    link(&inside(&world, "refs/heads/main"), "refs/heads/bad");

    refused(&world, "HEAD", "refs/heads/main is a link");
}

#[test]
fn a_list_of_references_with_one_name_twice_is_refused() {
    let (world, good) = bad_after_good();
    let bad = world.rev("HEAD");
    fs::remove_file(inside(&world, "refs/heads/main")).unwrap();
    let list = format!("{bad} refs/heads/main\n{good} refs/heads/a\n{good} refs/heads/main\n");
    world.write(".git/packed-refs", list);

    refused(&world, "HEAD", "packed-refs names a reference twice");
}

#[test]
fn a_list_of_references_does_not_say_what_a_branch_names() {
    let (world, good) = bad_after_good();
    world.git(["pack-refs", "--all", "--prune"]);
    let list = fs::read_to_string(inside(&world, "packed-refs")).unwrap();
    let line = format!("{} refs/heads/main\n", world.rev("HEAD"));
    assert!(list.contains(&line), "{list}");
    let forged = list.replace(&line, &format!("{line}^{good}\n"));
    world.write(".git/packed-refs", forged);

    for revision in ["HEAD", "main", "refs/heads/main^0"] {
        world.json(["verify", revision]).is("FAIL", 1);
    }
}

#[test]
fn a_work_tree_is_no_bare_repository() {
    let (world, good) = bad_after_good();
    world.git(["pack-refs", "--all", "--prune"]);
    for folder in ["objects", "refs"] {
        fs::create_dir_all(world.top.join(folder)).unwrap();
    }
    world.write("commondir", ".git");
    world.write("HEAD", good);
    world.write(
        "config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
    );
    link(&inside(&world, "HEAD"), "refs/heads/main");

    refused(&world, "HEAD", "HEAD is a link");

    fs::remove_file(inside(&world, "HEAD")).unwrap();
    refused(&world, "HEAD", "error");
}

#[test]
fn a_blank_after_the_name_of_the_git_directory_belongs_to_it() {
    let (world, good) = bad_after_good();
    let [plain, blank] = ["git", "git "].map(|name| world.temp_path().join(name));
    world.tool("cp", ["-a", ".git", blank.to_str().unwrap()]);
    fs::rename(inside(&world, ""), &plain).unwrap();
    fs::write(plain.join("HEAD"), format!("{good}\n")).unwrap();
    world.write(".git", format!("gitdir: {}\n", blank.display()));

    refused(&world, "HEAD", "not certain");

    world.write(".git", format!("gitdir: {}\n", plain.display()));
    world.git(["worktree", "add", "-q", "--detach", "../side"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_blank_after_the_name_of_the_common_directory_belongs_to_it() {
    let (world, _) = bad_after_good();
    let side = world.linked("side");
    let common = inside(&world, "worktrees/side/commondir");
    side.json(["verify", "HEAD"]).is("FAIL", 1);

    fs::write(common, "../.. \n").unwrap();

    assert_eq!(side.run(["verify", "HEAD"]).code, 2);
}

#[test]
fn a_configuration_that_would_take_long_to_read_is_refused() {
    let world = World::proven();
    let config = fs::read_to_string(inside(&world, "config")).unwrap();
    world.write(".git/config", config + &"[a]\n".repeat(2_000_000));

    refused(&world, "HEAD", "more than 200000 lines");
}

#[test]
fn a_reflog_is_not_asked() {
    let (world, good) = bad_after_good();
    let bad = world.rev("HEAD");
    let line = format!("{bad} {good} A <a@example.invalid> 1767225600 +0000\tx\n");
    for log in ["logs/HEAD", "logs/refs/heads/main"] {
        world.write(&format!(".git/{log}"), &line);
    }

    for revision in ["HEAD@{0}", "@{0}", "main@{yesterday}", "@{-1}", ":/Make"] {
        refused(&world, revision, "which anybody can write to");
    }
    world.run(["verify", "--base", "HEAD@{0}"]).exits(2);
    world.run(["log", "HEAD@{0}"]).exits(2);
    world.run(["audit", "--commit", "HEAD@{0}"]).exits(2);
}

#[test]
fn a_file_that_git_takes_for_another_reference_is_refused() {
    let (world, good) = bad_after_good();
    let bad = world.rev("HEAD");
    world.git(["update-ref", "refs/tags/x", &bad]);
    world.write(".git/refs/tags/main", format!("{good}junk\n"));
    let told = |revision, word| world.run(["verify", revision]).exits(3).says(word);
    told("main", "refs/tags/main is no reference");
    fs::remove_file(inside(&world, "refs/tags/main")).unwrap();

    world.write(".git/side", &bad);
    world.git(["update-ref", "refs/heads/side", &good]);

    told("side", "stands before every branch");
}
