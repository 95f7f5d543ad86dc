//! What steers a clone: attribute files, `.gitmodules`, names and links. What a clone would not
//! write proves nothing, in the work tree and in a checkout.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{World, plans};

/// A world whose sealed check is a line of shell.
fn checked_by(line: &str) -> World {
    World::new().prepared(&plans::of_argv(&["sh", "-c", line]))
}

/// Audits what is staged in the work tree, and another time in a checkout, and commits it; neither
/// may prove the commit.
#[track_caller]
fn neither_proves(made: impl Fn() -> World) {
    for words in [&["audit"][..], &["audit", "--checkout"]] {
        let world = made();
        let audit = world.run(words);
        world.git(["commit", "-qm", "Work"]);

        let json = world.json(["verify", "HEAD"]);

        assert_ne!(json.ran.code, 0, "after\n{audit}\n{}", json.ran);
        assert_ne!(json.text("/outcome"), "PASS", "after\n{audit}");
    }
}

#[test]
fn a_name_that_git_does_not_check_out_proves_nothing() {
    for name in ["git~1", ".git ", ".git.", ".g\u{200c}it"] {
        neither_proves(|| {
            let world = checked_by("true");
            world.git(["config", "core.protectNTFS", "false"]);
            world.git(["config", "core.protectHFS", "false"]);
            world.write(name, "x");
            world.git(["add", "-A"]);

            world
        });
    }
}

#[test]
fn a_link_by_way_of_a_link_into_the_git_directory_proves_nothing() {
    neither_proves(|| {
        let world = checked_by("grep -qx good l");
        fs::write(world.top.join(".git/evil"), "good\n").unwrap();
        symlink(".", world.top.join("d")).unwrap();
        symlink("d/.git/evil", world.top.join("l")).unwrap();
        world.git(["add", "-A"]);

        world
    });
}

/// A sealed check that finds no carriage return in `data.txt`.
const UNIX: &str = "! grep -q \"$(printf '\\r')\" data.txt";

#[test]
fn an_attribute_file_that_is_a_link_proves_nothing() {
    neither_proves(|| {
        let world = checked_by(UNIX);
        symlink("#\n*.txt text eol=crlf", world.top.join(".gitattributes")).unwrap();
        world.write("data.txt", "a\nb\n");
        world.git(["add", "-A"]);

        world
    });
}

#[test]
fn an_attribute_file_with_a_nul_proves_nothing() {
    neither_proves(|| {
        let world = checked_by(UNIX);
        world.write(".gitattributes", "*.txt text eol=crlf\n\0\n*.txt -text\n");
        world.write("data.txt", "a\nb\n");
        world.git(["add", "-A"]);

        world
    });
}

#[test]
fn an_attribute_file_that_the_index_calls_a_link_proves_nothing() {
    let world = checked_by(UNIX);
    world.write(".gitattributes", "data.txt text eol=crlf\n");
    world.write("data.txt", "a\nb\n");
    world.git(["add", "-A"]);
    let blob = world.git(["hash-object", ".gitattributes"]).trimmed();
    let staged = |mode: &str| {
        let entry = format!("{mode},{blob},.gitattributes");
        world.git(["update-index", "--cacheinfo", &entry]);
    };

    staged("120000");
    let audit = world.run(["audit"]);
    staged("100644");
    world.git(["commit", "-qm", "Work"]);

    let json = world.json(["verify", "HEAD"]);
    assert_ne!(json.text("/outcome"), "PASS", "after\n{audit}");
}

#[test]
fn an_attribute_file_that_lfs_keeps_proves_nothing() {
    neither_proves(|| {
        let world = checked_by("grep -q \"$(printf '\\r')\" data.txt");
        let rules = ".gitattributes filter=lfs -text\ndata.txt text eol=crlf\n";
        world.write(".gitattributes", rules);
        world.write("data.txt", "a\r\nb\r\n");
        world.git(["add", "-A"]);
        let sum = world.tool("sha256sum", [".gitattributes"]).stdout;
        let (digest, _) = sum.split_once(' ').unwrap();
        let head = "version https://git-lfs.github.com/spec/v1\noid sha256:";
        let pointer = format!("{head}{digest}\nsize {}\n", rules.len());
        let hash = ["hash-object", "-w", "--no-filters", "--stdin"];
        let blob = world.git_with_input(hash, &pointer).trimmed();
        let entry = format!("100644,{blob},.gitattributes");
        world.git(["update-index", "--cacheinfo", &entry]);

        world
    });
}

/// A world with a submodule `lib`, whose `f` a sealed check wants; then a script changes things.
fn with_submodule(script: &str) -> World {
    let library = World::new();
    library.commit("f", "ok\n");
    let world = World::new();
    let from = library.top.to_str().unwrap();
    let allow = "protocol.file.allow=always";
    world.git(["-c", allow, "submodule", "--quiet", "add", from, "lib"]);
    let world = world.prepared(&plans::of_argv(&["grep", "-qx", "ok", "lib/f"]));
    world.tool("sh", ["-euc", script]);
    world.git(["add", "-A"]);
    world
}

#[test]
fn a_submodule_that_no_clone_fills_proves_nothing() {
    for script in [
        "git config -f .gitmodules submodule.lib.update none",
        "git config -f .gitmodules --unset submodule.lib.url",
        "git config -f .gitmodules submodule.lib.url --upload-pack=x",
        "sed -i 's,\"lib\",\"../lib\",' .gitmodules",
        "printf '[submodule \"b\"]\\n\\tpath = lib\\n\\turl = /none\\n' >>.gitmodules",
        "printf '[submodule \"lib\"]\\n\\tpath = other\\n' >>.gitmodules",
        "echo .gitmodules >.gitignore; git rm -q --cached .gitmodules",
        "git rm -q --cached .gitmodules; echo .gitmodules >.git/info/exclude",
        "git rm -q --cached .gitmodules; mv .gitmodules gm; ln -s gm .gitmodules; echo .gitmodules >.git/info/exclude",
        "cd lib; ln -s 'f text eol=crlf' .gitattributes; git add -A; git -c user.name=a -c user.email=a@b commit -qm x",
    ] {
        neither_proves(|| with_submodule(script));
    }
}

#[test]
fn a_submodule_that_a_clone_fills_proves_something() {
    let world = with_submodule("git config -f .gitmodules submodule.lib.shallow true");
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Work"]);

    world.json(["verify", "HEAD"]).is("PASS", 0);
}
