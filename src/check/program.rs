//! Which file a check runs: found once, and named by path and digest.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::place::Places;
use crate::model::check::Program;
use crate::model::ids::Digest;
use crate::model::place::Lies;
use crate::model::text::{self, shown};
use crate::proc::file::{find, is_executable, open_regular};
use crate::wire::digest::Hasher;

/// The longest program that is run, in bytes: each is read in full to name it.
const LONGEST: u64 = 2 << 30;
/// How much is read at once, in bytes.
const PIECE: usize = 64 * 1024;

/// Looks programs up, and remembers what it found.
#[derive(Debug)]
pub(super) struct Programs {
    top: PathBuf,
    home: Option<PathBuf>,
    directories: Vec<PathBuf>,
    found: Mutex<BTreeMap<String, PathBuf>>,
    digests: Mutex<BTreeMap<Face, Digest>>,
    places: Places,
    lying: Mutex<BTreeMap<PathBuf, Lies>>,
}

/// A program that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Resolved {
    /// Its absolute path; links are not followed, as some programs act by their name.
    pub(super) path: PathBuf,
    /// The name by which it was asked for.
    pub(super) called: String,
    /// What is recorded of it.
    pub(super) record: Program,
    /// Where it lies.
    pub(super) lies: Lies,
}

impl Programs {
    /// Begins with nothing found.
    pub(super) fn new(
        top: &Path,
        home: Option<PathBuf>,
        directories: Vec<PathBuf>,
        places: Places,
    ) -> Self {
        Self {
            places,
            lying: Mutex::default(),
            top: top.to_path_buf(),
            home,
            directories,
            found: Mutex::default(),
            digests: Mutex::default(),
        }
    }

    /// Finds a program and names it; an error is a reason for a person, safe to print.
    pub(super) fn resolve(&self, name: &str) -> Result<Resolved, String> {
        let path = self.find(name)?;
        let sha256 = self
            .digest(&path, is_path(name))
            .map_err(|cause| format!("cannot read `{}` to name it: {cause}", shown(name)))?;
        let record = Program {
            path: self.recorded(&path),
            sha256,
        };
        Ok(Resolved {
            lies: self.lies(&path, is_path(name)),
            path,
            called: name.to_owned(),
            record,
        })
    }

    /// Says where a program lies. Only of those on `PATH` is it remembered.
    fn lies(&self, path: &Path, in_tree: bool) -> Lies {
        if in_tree {
            return self.places.of(path);
        }
        let mut lying = self.lying.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lying.entry(path.to_owned());
        known.or_insert_with(|| self.places.of(path)).clone()
    }

    /// Finds a program: a name with a slash from the top of the tree, any other along `PATH`.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf, String> {
        if is_path(name) {
            return self.find_in_tree(name);
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = found.get(name) {
            return Ok(path.clone());
        }
        let path = find(name, &self.directories)
            .ok_or_else(|| format!("no program `{}` on PATH", shown(name)))?;
        found.insert(name.to_owned(), path.clone());
        Ok(path)
    }

    /// Finds a program by its path; looked up each time, as a check may have built it.
    fn find_in_tree(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.top.join(name);
        let told = shown(name);
        match path.metadata() {
            Err(_) => Err(format!("`{told}` does not exist")),
            Ok(metadata) if !metadata.is_file() => Err(format!("`{told}` is not a regular file")),
            Ok(_) if !is_executable(&path) => Err(format!(
                "`{told}` is not executable, or its file system forbids it"
            )),
            Ok(_) => Ok(path),
        }
    }

    /// Returns the digest of a program. Only of those on `PATH` is it remembered: a file of the
    /// tree may be built anew so fast that its times do not show it.
    fn digest(&self, path: &Path, in_tree: bool) -> io::Result<Digest> {
        let file = open_regular(path)?;
        let metadata = file.metadata()?;
        if metadata.len() > LONGEST {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        let face = Face::of(&metadata);
        let known = || {
            let digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
            digests.get(&face).copied()
        };
        if let Some(digest) = (!in_tree).then(known).flatten() {
            return Ok(digest);
        }
        let digest = digest_of(file)?;
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        digests.insert(face, digest);
        Ok(digest)
    }

    /// Returns a path as it is recorded: from the top of the tree with `./`, below HOME with `~/`.
    fn recorded(&self, path: &Path) -> String {
        let below = |place: &Path, mark: &str| {
            let rest = path.strip_prefix(place).ok()?;
            Some(format!("{mark}{}", text::path(rest.as_os_str().as_bytes())))
        };
        let in_home = || self.home.as_ref().and_then(|home| below(home, "~/"));
        below(&self.top, "./")
            .or_else(in_home)
            .unwrap_or_else(|| text::path(path.as_os_str().as_bytes()))
    }
}

/// Says whether a name is a path: those are never looked for along `PATH`.
fn is_path(name: &str) -> bool {
    name.contains('/')
}

/// What tells one file's content from another's without reading it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Face {
    device: u64,
    inode: u64,
    size: u64,
    written: (i64, i64),
    changed: (i64, i64),
}

impl Face {
    /// Takes it from what the system says of a file.
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            written: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// Reads a program and returns the digest of its bytes.
fn digest_of(file: impl io::Read) -> io::Result<Digest> {
    let mut file = file.take(LONGEST);
    let mut buffer = vec![0; PIECE];
    let mut hasher = Hasher::plain();
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hasher.finish());
        }
        hasher.update(buffer.get(..count).unwrap_or(&[]));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::wire::digest::sha256;

    fn put(path: &Path, text: &str, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn world() -> (tempfile::TempDir, Programs) {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        put(&at("bin/tool"), "tool", 0o755);
        put(&at("top/checks/a.sh"), "a", 0o755);
        put(&at("top/tool"), "trap", 0o755);
        put(&at("top/plain"), "plain", 0o644);
        symlink("tool", at("bin/applet")).unwrap();
        let places = Places::new(&at("top"), None);
        let programs = Programs::new(
            &at("top"),
            Some(home.path().into()),
            vec![at("bin")],
            places,
        );
        (home, programs)
    }

    #[test]
    fn a_plain_name_is_looked_for_on_the_path_alone() {
        let (_home, programs) = world();

        let found = programs.resolve("tool").unwrap();

        assert_eq!(found.record.path, "~/bin/tool");
        assert_eq!(found.record.sha256, sha256(b"tool"));
        assert_eq!(
            programs.resolve("a.sh").unwrap_err(),
            "no program `a.sh` on PATH"
        );
    }

    #[test]
    fn a_name_with_a_slash_starts_at_the_top() {
        let (_home, programs) = world();

        for name in ["checks/a.sh", "./checks/a.sh"] {
            let found = programs.resolve(name).unwrap();
            assert_eq!(found.record.path, "./checks/a.sh");
            assert_eq!(found.called, name);
        }
    }

    #[test]
    fn a_link_keeps_its_name_and_has_the_digest_of_its_target() {
        let (home, programs) = world();

        let found = programs.resolve("applet").unwrap();

        assert_eq!(found.path, home.path().join("bin/applet"));
        assert_eq!(
            (found.called.as_str(), found.record.sha256),
            ("applet", sha256(b"tool"))
        );
    }

    #[test]
    fn reasons_tell_apart_why_nothing_starts() {
        let (_home, programs) = world();
        let reason = |name: &str| programs.resolve(name).unwrap_err();

        assert_eq!(reason("./missing"), "`./missing` does not exist");
        assert_eq!(reason("./checks"), "`./checks` is not a regular file");
        assert!(reason("./plain").starts_with("`./plain` is not executable"));
        assert_eq!(reason("a\u{1b}c"), "no program `a\\u{1b}c` on PATH");
    }

    #[test]
    fn a_program_of_the_tree_that_was_built_anew_has_a_new_digest() {
        let (home, programs) = world();
        let before = programs.resolve("./tool").unwrap();

        put(&home.path().join("top/tool"), "TRAP", 0o755);

        let after = programs.resolve("./tool").unwrap();
        assert_ne!(before.record.sha256, after.record.sha256);
    }

    #[test]
    fn a_program_on_the_path_is_the_same_one_for_the_whole_audit() {
        let (home, programs) = world();
        let before = programs.resolve("tool").unwrap();

        fs::remove_file(home.path().join("bin/tool")).unwrap();

        assert_eq!(programs.find("tool"), Ok(before.path));
        assert!(programs.resolve("tool").is_err());
    }
}
