//! Where the program of a check lies, and who could put another one there (D8).

use std::collections::BTreeSet;

/// Directories for temporary files on every system of this kind, whatever `TMPDIR` says.
pub(crate) const TEMPORARY: [&str; 3] = ["/dev/shm", "/tmp", "/var/tmp"];

/// Where a program lies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lies {
    /// What is odd about its directories outside the work tree.
    pub(crate) open: BTreeSet<Open>,
    /// Its paths from the top of the work tree: as it was found, and with all links followed. None
    /// for a program outside.
    pub(crate) in_tree: BTreeSet<String>,
}

/// Why another program could take the place of one outside the work tree. Paths are safe to print.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Open {
    /// It lies below this directory for temporary files.
    Temporary(String),
    /// It lies in or below this directory, which everybody may write to.
    Writable(String),
    /// Everybody may write to the file itself.
    File,
}

impl std::fmt::Display for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Temporary(place) => write!(f, "lies below {place}, which is for temporary files"),
            Self::Writable(place) => write!(f, "lies in {place}, which everybody may write to"),
            Self::File => f.write_str("may be written to by everybody"),
        }
    }
}

/// What a recorded path tells without the machine that it speaks of: the path from the top of the
/// tree, or a directory for temporary files.
pub(crate) fn recorded(path: &str) -> Lies {
    let mut lies = Lies::default();
    lies.in_tree
        .extend(path.strip_prefix("./").map(str::to_owned));
    let is_below = |place: &&str| {
        let rest = path.strip_prefix(*place);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let below = TEMPORARY.into_iter().filter(is_below);
    lies.open
        .extend(below.map(|place| Open::Temporary(place.to_owned())));
    lies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_path_tells_the_tree_and_temporary_places_alone() {
        let temporary = |place: &str| BTreeSet::from([Open::Temporary(place.to_owned())]);

        assert_eq!(recorded("/tmp/a/sh").open, temporary("/tmp"));
        assert_eq!(recorded("/var/tmp/sh").open, temporary("/var/tmp"));
        assert_eq!(
            recorded("./a/b").in_tree,
            BTreeSet::from(["a/b".to_owned()])
        );
        for harmless in ["/usr/bin/sh", "~/bin/sh", "/tmpl/sh", "tmp/sh"] {
            assert_eq!(recorded(harmless), Lies::default(), "{harmless}");
        }
    }
}
