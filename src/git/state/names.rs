//! Names that mean something to git: files that steer it, and names that it takes for its own
//! directory on some file system and does not check out, so that a clone stays empty.
//!
//! The latter are judged as `core.protectNTFS` and `core.protectHFS` do when both are on, whatever the
//! configuration says: the one is on for every clone, the other for those of a Mac.

use gix::bstr::ByteSlice as _;
use gix::validate::path::component as checked;

use super::disk::split;
use gix::validate::path::component::{Mode, Options};

/// What a path stands for, as far as names go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::git) enum Kind {
    /// A link.
    Link,
    /// Anything else.
    Other,
}

impl Kind {
    /// Returns the kind for a mode as git has it.
    pub(in crate::git) const fn of(mode: u32) -> Self {
        if mode == 0o120_000 {
            Self::Link
        } else {
            Self::Other
        }
    }
}

/// The protections that are on.
const OPTIONS: Options = Options {
    protect_windows: false,
    protect_hfs: true,
    protect_ntfs: true,
};

/// The longest path that the system takes, from the top of a work tree.
const LONGEST: usize = 4095;

/// Says whether git or Git LFS reads the file at this path for itself, wherever it likes: from the
/// disk, or from the object.
pub(in crate::git) fn steers(path: &[u8]) -> bool {
    split(path).1 == b".gitignore" || steers_as_link(path)
}

/// Says whether a link at this path is read otherwise in a clone than on disk: git takes its text
/// for attributes, or follows it in one place and not in the other.
///
/// A link called `.gitignore` is not read at all.
pub(in crate::git) fn steers_as_link(path: &[u8]) -> bool {
    split(path).1 == b".gitattributes" || matches!(path, b".gitmodules" | b".lfsconfig")
}

/// Says whether git checks out what has this path.
pub(in crate::git) fn is_checked_out(path: &[u8], kind: Kind) -> bool {
    let is_fit = |name: &[u8]| is_ordinary(name) || is_fit(name, kind);
    path.len() <= LONGEST && path.split(|byte| *byte == b'/').all(is_fit)
}

/// Says whether a name has nothing of what makes one git's own: a dot in front, a tilde, a
/// backslash, a letter that some file system skips.
///
/// Nearly every name has nothing of it, and a reading asks for each name of each path.
fn is_ordinary(name: &[u8]) -> bool {
    let is_own = |byte: &u8| matches!(byte, b'~' | b'\\') || !matches!(byte, b' '..=b'~');
    name.first().is_some_and(|first| *first != b'.') && !name.iter().any(is_own)
}

/// Says whether git writes a name; as a link it may not be `.gitmodules` either.
///
/// A backslash ends a name as a slash does: on NTFS it is one.
pub(in crate::git) fn is_fit(name: &[u8], kind: Kind) -> bool {
    let mode = (kind == Kind::Link).then_some(Mode::Symlink);
    let is_fit = |name: &[u8]| checked(name.as_bstr(), mode, OPTIONS).is_ok();
    let mut names = name.split(|byte| *byte == b'\\');
    // What a backslash parts may be empty or a dot: git looks for its own names only, and for empty
    // ones and dots where slashes part.
    !matches!(name, b"" | b"." | b"..")
        && names.all(|name| matches!(name, b"" | b"." | b"..") || is_fit(name))
        && is_fit_until_malformed(name, is_fit)
}

/// Says whether a name is fit up to where it is no text, which is where it ends for git on HFS.
fn is_fit_until_malformed(name: &[u8], is_fit: impl Fn(&[u8]) -> bool) -> bool {
    let Err(error) = std::str::from_utf8(name) else {
        return true;
    };
    match name.get(..error.valid_up_to()) {
        None | Some(b"" | b"." | b"..") => true,
        Some(text) => is_fit(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that git refuses whatever they stand for.
    const REFUSED: &[&[u8]] = &[
        b"",
        b".",
        b"..",
        b".git",
        b".GiT",
        b".git ",
        b".git.",
        b".git . .",
        b".git:x",
        b".git::$INDEX_ALLOCATION",
        b"git~1",
        b"GIT~1",
        b"git~1.",
        b"git~1 ",
        b".git\\x",
        b"x\\.git",
        b"x\\git~1\\y",
        "\u{feff}.git".as_bytes(),
        ".g\u{200c}it".as_bytes(),
        ".git\u{206f}".as_bytes(),
        b".git\xff",
    ];

    /// Names that git refuses of links.
    const NO_LINK: &[&[u8]] = &[
        b".gitmodules",
        b".GITMODULES",
        b".gitmodules ",
        b"gitmod~1",
        b"gitmod~4",
        b"gi7eba~1",
        b"x\\.gitmodules",
        ".gitmodule\u{200d}s".as_bytes(),
    ];

    /// Names that git writes.
    const FIT: &[&[u8]] = &[
        b"a",
        b".gitignore",
        b".gitattributes",
        b".git_",
        b".gitx",
        b"git",
        b"git~2",
        b"git~10",
        b"...",
        b"a\\b",
        b"a\\",
        b"\\x",
        b"\\",
        b"..\\x",
        b".\\x",
        b"\xff",
        b".\xff",
        b"x.git",
        ".git\u{e9}".as_bytes(),
    ];

    #[test]
    fn names_that_git_takes_for_its_own_are_not_fit() {
        for name in REFUSED {
            let path = [b"d/", *name, b"/x"].concat();
            let shown = name.as_bstr();
            assert!(!is_fit(name, Kind::Other), "{shown}");
            assert!(!is_fit(name, Kind::Link), "{shown}");
            assert!(!is_checked_out(&path, Kind::Other), "{shown}");
        }
        for name in NO_LINK {
            assert!(is_fit(name, Kind::Other), "{}", name.as_bstr());
            assert!(!is_fit(name, Kind::Link), "{}", name.as_bstr());
        }
        for name in FIT {
            assert!(is_fit(name, Kind::Link), "{}", name.as_bstr());
        }
    }

    #[test]
    fn a_name_that_is_ordinary_is_fit_as_anything() {
        for name in [REFUSED, NO_LINK].concat() {
            assert!(!is_ordinary(name), "{}", name.as_bstr());
        }
        for name in FIT.iter().filter(|name| is_ordinary(name)) {
            assert!(is_fit(name, Kind::Link), "{}", name.as_bstr());
        }
        assert!(is_ordinary(b"a file.txt"));
    }

    #[test]
    fn a_path_that_the_system_takes_from_nobody_is_not_checked_out() {
        let path = b"d/".repeat(LONGEST / 2);

        assert!(is_checked_out(
            &[path.as_slice(), b"f"].concat(),
            Kind::Other
        ));
        assert!(!is_checked_out(
            &[path.as_slice(), b"ff"].concat(),
            Kind::Other
        ));
    }

    #[test]
    fn git_refuses_the_same_names() {
        use crate::git::state::tests::world::World;

        let world = World::new();
        let blob = world.sh("git rev-parse HEAD:a.txt");
        let both = "git -c core.protectNTFS=true -c core.protectHFS=true";
        let takes = |mode: &str, name: &[u8]| {
            let octal: Vec<String> = name.iter().map(|byte| format!("\\{byte:03o}")).collect();
            let octal = octal.concat();
            let script = format!(
                "printf '{mode} {} 0\\t{octal}\\0' | {both} update-index -z --index-info 2>/dev/null",
                blob.trim()
            );
            // Git warns of such an entry and leaves it out.
            world
                .sh(&format!(
                    "git read-tree --empty; {{ {script}; }} || :; git ls-files | wc -l"
                ))
                .trim()
                == "1"
        };
        for name in [REFUSED, NO_LINK, FIT].concat() {
            for (mode, kind) in [("100644", Kind::Other), ("120000", Kind::Link)] {
                assert_eq!(
                    takes(mode, name),
                    is_fit(name, kind),
                    "{mode} {}",
                    name.as_bstr()
                );
            }
        }
    }
}
