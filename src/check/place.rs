//! Who could put another program in the place of one that was found (D8).
//!
//! *Everybody* is who has no other right than that of `o+w`: groups and other owners are not asked
//! about, since a container or a sandbox often shows the owners of the system as nobody.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::model::place::{Lies, Open, TEMPORARY};
use crate::model::text;

/// Everybody may write.
const EVERYBODY: u32 = 0o002;
/// In a directory, what is there can be replaced by its owner alone.
const STICKY: u32 = 0o1000;

/// What is known of directories before any program is looked at.
#[derive(Debug)]
pub(super) struct Places {
    /// The top of the work tree, a real path.
    top: PathBuf,
    /// Directories for temporary files, as real paths too.
    temporary: BTreeSet<PathBuf>,
}

impl Places {
    /// Takes the top (a real path) and what `TMPDIR` says.
    pub(super) fn new(top: &Path, tmpdir: Option<&OsString>) -> Self {
        let named = tmpdir.map(Path::new).filter(|path| path.is_absolute());
        let all = named.into_iter().chain(TEMPORARY.map(Path::new));
        let both = all.flat_map(|path| [Some(path.to_owned()), path.canonicalize().ok()]);
        // Whoever says that everything is temporary means none of it.
        let temporary = both.flatten().filter(|path| path.parent().is_some());
        Self {
            top: top.to_owned(),
            temporary: temporary.collect(),
        }
    }

    /// Looks at a program, as it was found and with all links followed. What cannot be looked at
    /// has nothing odd: it cannot be started either.
    pub(super) fn of(&self, found: &Path) -> Lies {
        let mut lies = Lies::default();
        let real = found.canonicalize().unwrap_or_else(|_| found.to_owned());
        for path in [found, &real] {
            match path.strip_prefix(&self.top) {
                Ok(rest) => {
                    let path = rest.as_os_str().as_bytes();
                    lies.in_tree
                        .insert(String::from_utf8_lossy(path).into_owned());
                }
                Err(_) => lies.open.extend(self.open(path)),
            }
        }
        lies
    }

    /// Lists what is odd about a program outside the work tree.
    fn open(&self, path: &Path) -> Vec<Open> {
        let shown = |path: &Path| text::path(path.as_os_str().as_bytes());
        let mut open: Vec<Open> = Vec::new();
        let below = self
            .temporary
            .iter()
            .filter(|place| path.starts_with(place));
        open.extend(below.map(|place| Open::Temporary(shown(place))).next());
        for (place, at) in path.ancestors().enumerate() {
            let mode = at.metadata().map_or(0, |found| found.mode());
            let is_open = mode & EVERYBODY != 0;
            match place {
                0 if is_open => open.push(Open::File),
                1 if is_open => open.push(Open::Writable(shown(at))),
                // Further up it matters only who may move a directory away.
                2.. if is_open && mode & STICKY == 0 => open.push(Open::Writable(shown(at))),
                _ => {}
            }
        }
        open
    }
}

/// The variable that says where temporary files go.
pub(super) fn tmpdir() -> &'static OsStr {
    OsStr::new("TMPDIR")
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// A home whose own place says nothing: tests lie below a directory for temporary files.
    struct Home(tempfile::TempDir, Places);

    impl Home {
        fn new() -> Self {
            let home = tempfile::tempdir().unwrap();
            let root = home.path().canonicalize().unwrap();
            for folder in ["top", "bin", "tmp"] {
                fs::create_dir_all(root.join(folder)).unwrap();
            }
            let temporary = BTreeSet::from([root.join("tmp")]);
            let places = Places {
                top: root.join("top"),
                temporary,
            };
            Self(home, places)
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn put(&self, name: &str, mode: u32) -> PathBuf {
            fs::write(self.at(name), "x").unwrap();
            self.mode(name, mode);
            self.at(name)
        }

        fn mode(&self, name: &str, mode: u32) {
            fs::set_permissions(self.at(name), Permissions::from_mode(mode)).unwrap();
        }

        fn writable(&self, name: &str) -> Open {
            Open::Writable(self.at(name).display().to_string())
        }
    }

    #[test]
    fn a_program_that_only_its_owner_can_replace_has_nothing_odd() {
        let home = Home::new();
        let program = home.put("bin/tool", 0o775);

        assert_eq!(home.1.of(&program), Lies::default());
    }

    #[test]
    fn a_directory_that_everybody_may_write_to_is_told_also_with_the_sticky_bit() {
        let home = Home::new();
        let program = home.put("bin/tool", 0o755);

        for mode in [0o777, 0o1777] {
            home.mode("bin", mode);
            assert_eq!(
                home.1.of(&program).open,
                BTreeSet::from([home.writable("bin")])
            );
        }
        home.mode("bin", 0o775);
        home.mode("bin/tool", 0o757);
        assert_eq!(home.1.of(&program).open, BTreeSet::from([Open::File]));
    }

    #[test]
    fn further_up_only_who_may_move_directories_away_is_told() {
        let home = Home::new();
        fs::create_dir_all(home.at("bin/inner")).unwrap();
        let program = home.put("bin/inner/tool", 0o755);

        home.mode("bin", 0o1777);
        assert_eq!(home.1.of(&program), Lies::default());
        home.mode("bin", 0o777);
        assert_eq!(
            home.1.of(&program).open,
            BTreeSet::from([home.writable("bin")])
        );
    }

    #[test]
    fn a_link_is_judged_where_it_lies_and_where_it_leads() {
        let home = Home::new();
        home.put("tmp/tool", 0o755);
        let [out, into] = ["bin/out", "bin/into"].map(|name| home.at(name));
        symlink(home.at("tmp/tool"), &out).unwrap();
        home.put("top/own", 0o755);
        symlink(home.at("top/own"), &into).unwrap();
        let temporary = Open::Temporary(home.at("tmp").display().to_string());

        assert_eq!(home.1.of(&out).open, BTreeSet::from([temporary]));
        let found = home.1.of(&into);
        assert_eq!(found.open, BTreeSet::new());
        assert_eq!(found.in_tree, BTreeSet::from(["own".to_owned()]));
    }

    #[test]
    fn the_work_tree_may_lie_where_temporary_files_do() {
        let home = Home::new();
        let temporary = BTreeSet::from([home.at("")]);
        let places = Places {
            top: home.at("top"),
            temporary,
        };
        let program = home.put("top/tool", 0o755);

        assert_eq!(places.of(&program).open, BTreeSet::new());
    }

    #[test]
    fn every_known_place_counts_beside_the_one_that_is_named() {
        let named = OsString::from("/elsewhere");
        let places = Places::new(Path::new("/top"), Some(&named));

        for place in ["/elsewhere", "/tmp", "/var/tmp"] {
            assert!(places.temporary.contains(Path::new(place)), "{place}");
        }
        let relative = Places::new(Path::new("/top"), Some(&OsString::from("tmp")));
        assert!(!relative.temporary.contains(Path::new("tmp")));
        let root = Places::new(Path::new("/top"), Some(&OsString::from("/")));
        assert!(!root.temporary.contains(Path::new("/")));
    }
}
