//! The gate before a repository is believed: its format and extensions against our own list.
//!
//! gix opens a reftable repository without a word and then sees no refs, so nothing is left to it:
//! the configuration files of the repository are read here, as git reads them for this purpose,
//! without includes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gix::bstr::{BString, ByteSlice as _};
use gix::config::File;

use super::plain;

/// Why a repository is refused.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// The format version is none of ours.
    Version {
        /// What the file says.
        version: String,
    },
    /// An extension that we do not know or cannot serve.
    Extension {
        /// Its name and value, as `name=value`.
        extension: String,
    },
    /// A configuration file cannot be read.
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why, for a person.
        why: String,
    },
}

/// What version 0 makes of an extension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Since {
    /// Git honours it in version 0 too.
    Always,
    /// Git refuses version 0 with it.
    Version1,
}

/// How many lines and sections a configuration may have, each file as often as it is included.
const MOST_LINES: usize = 200_000;
/// How many lines the opening of a file counts for.
const OPENING: usize = 100;
/// How deep files may include each other, as for git.
const DEEPEST: usize = 10;

/// The extensions that git knows: since which version, and the values we serve (none: any).
///
/// `compatObjectFormat` is known and refused: objects have two names there.
const KNOWN: [(&str, Since, &[&str]); 8] = [
    ("noop", Since::Always, &[]),
    ("preciousobjects", Since::Always, &[]),
    ("partialclone", Since::Always, &[]),
    ("worktreeconfig", Since::Always, &[]),
    ("objectformat", Since::Version1, &["sha1", "sha256"]),
    ("relativeworktrees", Since::Version1, &[]),
    ("refstorage", Since::Version1, &["files"]),
    ("compatobjectformat", Since::Version1, &["none of ours"]),
];

/// Refuses a repository whose format or extensions are not on our list.
pub(super) fn check(git_dir: &Path, common_dir: &Path) -> Result<(), Refusal> {
    let version = version(&read(&common_dir.join("config"))?)?;
    for path in [common_dir.join("config"), git_dir.join("config.worktree")] {
        let file = read(&path)?;
        for (name, value) in extensions(&file) {
            judge(version, &name, &value)?;
        }
        check_includes(&path, &file)?;
    }
    Ok(())
}

/// Reads every file that a file includes, whatever the condition, so that gix can do so without
/// waiting on one.
///
/// A file counts as often as it is included: whoever reads them all reads it that often.
fn check_includes(path: &Path, file: &File) -> Result<(), Refusal> {
    let mut known = BTreeMap::new();
    let mut left = MOST_LINES;
    let mut todo = Vec::new();
    let mut next = Some((path.to_owned(), 0));
    known.insert(path.to_owned(), (lines(path), includes(path, file)));
    while let Some((path, depth)) = next {
        if !known.contains_key(&path) {
            let file = read(&path)?;
            known.insert(path.clone(), (lines(&path), includes(&path, &file)));
        }
        if let Some((lines, included)) = known.get(&path) {
            left = left
                .checked_sub(*lines)
                .ok_or_else(|| Refusal::Unreadable {
                    path: path.clone(),
                    why: format!("it has more than {MOST_LINES} lines with all that it includes"),
                })?;
            if depth < DEEPEST {
                todo.extend(included.iter().map(|path| (path.clone(), depth + 1)));
            }
        }
        next = todo.pop();
    }
    Ok(())
}

/// Counts what takes time in a file: lines, sections, and the opening of it.
fn lines(path: &Path) -> usize {
    let bytes = plain::read(path).ok().flatten().unwrap_or_default();
    let count = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'['));
    OPENING + count.count()
}

/// Lists the files that a file includes.
fn includes(path: &Path, file: &File) -> Vec<PathBuf> {
    let is_include = |name: &[u8]| {
        name.eq_ignore_ascii_case(b"include") || name.eq_ignore_ascii_case(b"includeif")
    };
    file.sections()
        .filter(|section| is_include(section.header().name()))
        .flat_map(|section| section.body().values("path"))
        .filter_map(|named| included(path, &named))
        .collect()
}

/// Returns the file that an include in a file names.
fn included(path: &Path, named: &BString) -> Option<PathBuf> {
    let home = gix::path::env::home_dir();
    let context = gix::config::path::interpolate::Context {
        home_dir: home.as_deref(),
        ..Default::default()
    };
    let named = gix::config::Path::from(named.as_bstr());
    let named = named.interpolate(context).ok()?;
    Some(path.parent()?.join(named))
}

/// Reads one file as git does when it looks for the format.
fn read(path: &Path) -> Result<File, Refusal> {
    let unreadable = |why: String| Refusal::Unreadable {
        path: path.to_owned(),
        why,
    };
    // Before anything is parsed, which is what takes the time.
    if lines(path) > MOST_LINES {
        return Err(unreadable(format!("it has more than {MOST_LINES} lines")));
    }
    let bytes = plain::read(path).map_err(|error| unreadable(error.to_string()))?;
    let meta = gix::config::file::Metadata::from(gix::config::Source::Local);
    let file = File::from_bytes_no_includes(
        &bytes.unwrap_or_default(),
        meta,
        gix::config::file::init::Options::default(),
    )
    .map_err(|error| unreadable(error.to_string()))?;
    if steers_the_library(&file) {
        return Err(unreadable(
            "it has settings `gitoxide.*`, which git does not know and which would change what is \
             read; remove them, or keep them in your own configuration"
                .to_owned(),
        ));
    }
    Ok(file)
}

/// Says whether a file has settings that mean nothing to git and steer gix: they name further files
/// that it opens.
fn steers_the_library(file: &File) -> bool {
    let is_ours = |name: &[u8]| name.eq_ignore_ascii_case(b"gitoxide");
    file.sections()
        .any(|section| is_ours(section.header().name()))
}

/// Returns the format version; a file without one counts as version 0.
///
/// Git then ignores every extension; gix does not, so version 0 is the careful reading.
fn version(file: &File) -> Result<u8, Refusal> {
    let Ok(value) = file.raw_value("core.repositoryformatversion") else {
        return Ok(0);
    };
    match value.as_bytes() {
        b"0" => Ok(0),
        b"1" => Ok(1),
        other => Err(Refusal::Version {
            version: crate::model::text::path(other),
        }),
    }
}

/// Lists every `extensions.*` of a file, with lower-case names.
fn extensions(file: &File) -> Vec<(String, BString)> {
    let mut found = Vec::new();
    for section in file.sections() {
        let header = section.header();
        if !header.name().eq_ignore_ascii_case(b"extensions") {
            continue;
        }
        let prefix = header
            .subsection_name()
            .map(|name| format!("{}.", name.to_str_lossy()));
        for name in section.body().value_names() {
            let full = format!("{}{name}", prefix.as_deref().unwrap_or_default());
            let values = section.body().values(&name);
            found.extend(values.into_iter().map(|v| (full.to_lowercase(), v)));
            if section.body().value_implicit(&name) == Some(None) {
                found.push((full.to_lowercase(), "true".into()));
            }
        }
    }
    found
}

/// Judges one extension by git's rules for the version, and by what we can serve.
///
/// One that is not on the list is refused in version 0 too, where git ignores it: whoever set it
/// wants something of this repository that we do not know (DESIGN section 6).
fn judge(version: u8, name: &str, value: &BString) -> Result<(), Refusal> {
    let refused = || Refusal::Extension {
        extension: crate::model::text::shown(&format!("{name}={}", value.to_str_lossy())),
    };
    let Some((_, since, served)) = KNOWN.into_iter().find(|(known, ..)| *known == name) else {
        return Err(refused());
    };
    let is_served = served.is_empty() || served.iter().any(|served| value == served);
    let fits = since == Since::Always || version == 1;
    if is_served && fits {
        Ok(())
    } else {
        Err(refused())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judges a repository with this configuration file.
    fn judged(config: &str) -> Result<(), Refusal> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config"), config).unwrap();
        check(dir.path(), dir.path())
    }

    #[test]
    fn an_included_fifo_is_refused_and_a_ring_of_includes_ends() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        let checked = || check(dir.path(), dir.path());
        let fifo = dir.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        write("config", "[include]\npath = more\npath = none\n");
        write("more", "[include]\npath = config\npath = more\n");
        assert_eq!(checked(), Ok(()));

        write("more", "[includeIf \"onbranch:x\"]\npath = fifo\n");

        assert!(matches!(checked(), Err(Refusal::Unreadable { path, .. }) if path == fifo));
    }

    #[test]
    fn a_configuration_that_would_take_long_to_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: String| std::fs::write(dir.path().join(name), text).unwrap();
        let checked = || check(dir.path(), dir.path());
        write("b", "[a]\nb = 1\n".repeat(30));
        write("a", "[include]\npath = b\n".repeat(30));
        for (config, passes) in [
            ("[a]\nb = 1\n".repeat(40_000), true),
            ("[a]\n".repeat(110_000), false),
            ("[a]".repeat(210_000), false),
            (format!("[a]\n{}", "b = 1\n".repeat(210_000)), false),
            ("[include]\npath = a\n".repeat(20), true),
            ("[include]\npath = a\n".repeat(40), false),
            (
                "[include]\npath = config\npath = config\npath = config\n".to_owned(),
                false,
            ),
        ] {
            let shown: String = config.chars().take(40).collect();
            write("config", config);

            assert_eq!(checked().is_ok(), passes, "{shown}");
        }
    }

    #[test]
    fn formats_and_extensions_are_on_our_list_or_refused() {
        let v1 = "[core]\nrepositoryformatversion = 1\n[extensions]\n";
        let v0 = "[core]\nrepositoryformatversion = 0\n[extensions]\n";
        for (config, passes) in [
            (String::new(), true),
            (format!("{v0}unknown = 1\n"), false),
            (format!("{v0}preciousObjects = true\n"), true),
            (format!("{v0}objectFormat = sha256\n"), false),
            (format!("{v0}refStorage = reftable\n"), false),
            (format!("{v1}objectFormat = sha256\n"), true),
            (format!("{v1}OBJECTFORMAT = sha512\n"), false),
            (format!("{v1}refStorage = files\n"), true),
            (format!("{v1}refStorage = reftable\n"), false),
            (format!("{v1}relativeWorktrees\n"), true),
            (format!("{v1}worktreeConfig = true\n"), true),
            (format!("{v1}compatObjectFormat = sha1\n"), false),
            (format!("{v1}foo\n"), false),
            (format!("{v1}[extensions \"a\"]\nnoop = 1\n"), false),
            ("[gitoxide \"core\"]\nshallowFile = x\n".into(), false),
            ("[GitOxide]\nuserAgent = x\n".into(), false),
            ("[core]\nrepositoryformatversion = 2\n".into(), false),
            ("[core]\nrepositoryformatversion = x\n".into(), false),
            ("[core\n".into(), false),
        ] {
            assert_eq!(judged(&config).is_ok(), passes, "{config}");
        }
    }
}
