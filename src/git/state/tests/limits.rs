//! What cannot be read, does not end, or changes meanwhile; and who may not be believed.

use super::world::{Like, World, check, flags};
use crate::git::open::{OpenError, Repository};
use crate::model::state::{Flag, StateError};

#[test]
fn special_files_are_flagged_and_never_waited_for() {
    check("mkfifo p", &["special"], Like::GitTree);
    check("rm a.txt; mkfifo a.txt", &["special"], Like::Head);
    check(
        "rm -r d; mkfifo d; mkfifo .gitattributes .gitignore",
        &["special", "unsupported"],
        Like::Nothing,
    );
    check(
        "echo '*.p' >.gitignore; git add .gitignore; mkfifo n.p",
        &[],
        Like::Git,
    );
}

#[test]
fn replaced_objects_and_grafts_are_flagged_and_have_no_effect() {
    let replace =
        "b=$(echo other | git hash-object -w --stdin); git replace $(git rev-parse HEAD:a.txt) $b";
    check(replace, &["replace"], Like::Head);
    let graft = "git rev-parse HEAD >.git/info/grafts";
    check(graft, &["grafts"], Like::Head);
}

#[test]
fn a_forged_object_vouches_for_nothing() {
    let world = World::new();
    world.sh("echo '*.w text eol=crlf' >.gitattributes; printf '1\\r\\n' >n.w; git add -A; git commit -qm 2
        h=$(git rev-parse HEAD:n.w); f=.git/objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)
        o=$(printf 'evil' | git hash-object -w --stdin); chmod +w $f
        cp .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-) $f; printf evil >n.w");
    let state = world.state();
    assert_ne!(
        state.tree.to_string(),
        world.sh("git rev-parse HEAD^{tree}").trim()
    );
}

#[test]
fn a_change_of_what_steers_git_is_seen() {
    for (script, same) in [
        ("git config core.hooksPath x", false),
        ("git config alias.st status", false),
        ("git config color.ui always", true),
        ("echo >.git/hooks/pre-commit", false),
        ("echo x >>.git/info/exclude", false),
        ("git update-server-info", true),
        (
            "mkdir -p ../i; git config -f ../i/c filter.x.clean cat; git config include.path ../../i/c",
            false,
        ),
        ("git tag t; git branch b", true),
    ] {
        let world = World::new();
        let repository = Repository::open(&world.top()).unwrap();
        let before = repository.state().unwrap().control;
        world.sh(script);
        let after = repository.state().unwrap().control;
        assert_eq!(before == after, same, "{script}");
    }
}

#[test]
fn an_index_that_is_damaged_gives_no_state() {
    let world = World::new();
    let path = world.top().join(".git/index");
    let mut index = std::fs::read(&path).unwrap();
    index[50] ^= 1;
    std::fs::write(&path, index).unwrap();

    let state = Repository::open(&world.top()).unwrap().state();

    assert!(
        matches!(state, Err(StateError::Unreadable { .. })),
        "{state:?}"
    );
}

#[test]
fn an_index_that_leads_out_of_the_work_tree_is_refused() {
    let world = World::new();
    world.sh("cp .git/index i; sed -i 's,d/c.txt,../../x,' i; git -c index.skipHash=true version >/dev/null");
    let index = std::fs::read(world.top().join("i")).unwrap();
    let mut index = index[..index.len() - 20].to_vec();
    index.extend([0; 20]);
    std::fs::write(world.top().join(".git/index"), index).unwrap();

    let state = Repository::open(&world.top()).unwrap().state();

    let Err(StateError::Unreadable { cause }) = state else {
        panic!("{state:?}")
    };
    assert!(cause.to_string().contains("would not write"), "{cause}");
}

#[test]
fn an_index_that_is_not_whole_or_no_file_gives_no_state() {
    for (script, says) in [
        ("sed -i 's,d/c.txt,d/C.txt,' .git/index", "checksum"),
        ("truncate -s 100 .git/index", ""),
        (": >.git/index", ""),
        ("rm .git/index; mkfifo .git/index", "regular file"),
        ("rm .git/index; mkdir .git/index", "not a regular file"),
    ] {
        let world = World::new();
        // An index that is no file is refused on opening; it may also come to be so afterwards.
        let repository = Repository::open(&world.top()).unwrap();
        world.sh(script);

        let state = repository.state();

        let Err(StateError::Unreadable { cause }) = state else {
            panic!("{script}: {state:?}")
        };
        assert!(cause.to_string().contains(says), "{script}: {cause}");
    }
}

#[test]
fn files_that_come_and_go_give_a_state_or_none() {
    let world = World::new();
    let repository = Repository::open(&world.top()).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let top = world.top();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                for n in 0..20 {
                    drop(std::fs::write(top.join(format!("n{n}")), [b'x'; 100]));
                }
                for n in 0..20 {
                    drop(std::fs::remove_file(top.join(format!("n{n}"))));
                }
            }
        });
        for _ in 0..30 {
            match repository.state() {
                Ok(_) | Err(StateError::Unstable { .. }) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn repositories_of_others_are_refused() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let world = World::new();
    for owned in [".git", ".", "-R ."] {
        world.sh(&format!("chown -R 0:0 .; chown 1:1 {owned}"));
        let refused = Repository::open(&world.top()).unwrap_err();
        assert!(matches!(refused, OpenError::Ownership { .. }), "{owned}");
        assert!(refused.hint().unwrap().contains("safe.directory"));
    }
    world.sh("git config safe.directory '*' || git config -f .git/config safe.directory '*'");
    assert!(Repository::open(&world.top()).is_err());
}

#[test]
fn unreadable_files_are_flagged() {
    if nix::unistd::geteuid().is_root() {
        // Root reads everything, so somebody else runs this test.
        return as_nobody("git::state::tests::limits::unreadable_files_are_flagged");
    }
    let world = World::new();
    world.sh("mkdir s; echo >s/f; chmod 0 s a.txt; echo >u; chmod 0 u");

    let state = world.state();
    world.sh("chmod 700 s");

    assert_eq!(flags(&state), ["unreadable"].into());
    assert_eq!(state.flags[&Flag::Unreadable].paths, ["a.txt", "s", "u"]);
}

/// Runs one test of this program as a user without rights.
#[expect(clippy::disallowed_methods, reason = "a test runs itself again")]
fn as_nobody(test: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let program = dir.path().join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let status = std::process::Command::new(&program)
        .args(["--exact", test])
        .env("TMPDIR", dir.path())
        .env("HOME", dir.path())
        .uid(65534)
        .gid(65534)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(
        status.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_almost_all_hole_is_not_read() {
    check(
        "truncate -s 1T hole; git add -N hole 2>/dev/null",
        &["intent_to_add", "unsupported"],
        Like::Nothing,
    );
    check("truncate -s 1T hole", &["unsupported"], Like::GitTree);
}

/// Packs bytes as a loose object would be, without pressing them.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    let mut packed = vec![0x78, 0x01, 0x01];
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(bytes);
    packed.extend((high << 16 | low).to_be_bytes());
    packed
}

#[test]
fn an_object_whose_header_claims_a_terabyte_takes_no_memory() {
    let world = World::new();
    let directory = world.top().join(".git/objects/11");
    std::fs::create_dir_all(&directory).unwrap();
    let object = stored(b"blob 1099511627776\0x");
    std::fs::write(directory.join("1".repeat(38)), object).unwrap();
    let repository = Repository::open(&world.top()).unwrap();
    let id = gix::ObjectId::from_hex("1".repeat(40).as_bytes()).unwrap();

    let error = repository.gix.find_object(id).unwrap_err();

    let text = crate::engine::stop::causes(&error).to_lowercase();
    assert!(text.contains("limit"), "{text}");
}
