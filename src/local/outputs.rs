//! What checks wrote, by its digest: for a person who wants to see it again, and no evidence.
//!
//! A file holds all of one output under its digest, or its beginning and end under the digest and
//! `.ends`. Files that nobody kept again for a month go, and the oldest where there are too many.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use super::file;
use super::places::Places;
use crate::engine::ports::{Found, Outputs, Written};
use crate::model::check::Captured;
use crate::model::ids::Digest;
use crate::wire::digest::sha256;

/// How much of a beginning is kept, in bytes.
const HEAD: usize = 16 * 1024;
/// How much of an end is kept, in bytes.
const TAIL: usize = 48 * 1024;
/// How long a file stays.
const AGE: Duration = Duration::from_hours(30 * 24);
/// How much all files may hold, in bytes; a small one counts as much as a disk takes for it.
const ROOM: u64 = 32 * 1024 * 1024;
/// What a disk takes for the smallest file, in bytes.
const LEAST: u64 = 4096;
/// What the name of a file ends with that holds beginning and end alone.
const ENDS: &str = ".ends";

/// The store of one clone.
#[derive(Debug)]
pub(crate) struct Store {
    directory: PathBuf,
    /// Set once this process has looked for files that may go.
    pruned: OnceLock<()>,
}

impl Store {
    /// Returns the store of a clone; nothing is made yet.
    pub(crate) fn of(places: &Places) -> Self {
        Self {
            directory: places.common.join("outputs"),
            pruned: OnceLock::new(),
        }
    }

    /// Writes an output and returns when that was.
    ///
    /// It is not flushed: a file that a crash left torn does not have its digest.
    fn write(&self, written: &Written<'_>) -> io::Result<SystemTime> {
        file::make_directory(&self.directory).map_err(io::Error::other)?;
        let (name, bytes) = packed(written);
        let mut file = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(&self.directory)?;
        file.write_all(&bytes)?;
        let file = file
            .persist(self.directory.join(name))
            .map_err(|error| error.error)?;
        file.metadata()?.modified()
    }

    /// Removes what is too old or too much. A directory that somebody put in this one's place is left alone.
    fn prune(&self, now: SystemTime) {
        if !fs::symlink_metadata(&self.directory).is_ok_and(|entry| entry.is_dir()) {
            return;
        }
        let mut room = ROOM;
        for (age, size, path) in listed(&self.directory, now) {
            let fits = room.checked_sub(size.max(LEAST));
            room = fits.unwrap_or(0);
            if age > AGE || fits.is_none() {
                drop(fs::remove_file(path));
            }
        }
    }

    /// Reads a file of the store.
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        file::read(&self.directory.join(name)).ok().flatten()
    }
}

impl Outputs for Store {
    fn keep(&self, written: &Written<'_>) {
        if let Ok(now) = self.write(written) {
            self.pruned.get_or_init(|| self.prune(now));
        }
    }

    fn find(&self, captured: &Captured) -> Option<Found> {
        let name = captured.sha256.to_string();
        let is_it = |bytes: &Vec<u8>| sha256(bytes) == captured.sha256;
        if let Some(bytes) = self.read(&name).filter(is_it) {
            return Some(Found {
                bytes,
                is_whole: true,
            });
        }
        let bytes = self.read(&(name + ENDS))?;
        // More than is ever kept was put there by somebody else.
        (bytes.len() <= HEAD + TAIL + 200).then_some(Found {
            bytes,
            is_whole: false,
        })
    }
}

/// Returns the name and the bytes under which an output is kept.
fn packed(written: &Written<'_>) -> (String, Vec<u8>) {
    let Written {
        captured,
        head,
        tail,
    } = *written;
    let kept = head.len() + tail.len();
    let is_whole = u64::try_from(kept).is_ok_and(|kept| kept == captured.bytes);
    let name = captured.sha256.to_string();
    if is_whole && kept <= HEAD + TAIL {
        return (name, [head, tail].concat());
    }
    let (head, rest) = head.split_at(head.len().min(HEAD));
    let end = if is_whole {
        [rest, tail].concat()
    } else {
        tail.to_vec()
    };
    let (_, end) = end.split_at(end.len().saturating_sub(TAIL));
    let shown = u64::try_from(head.len() + end.len()).unwrap_or(u64::MAX);
    let gap = format!(
        "\n... {} bytes were not kept ...\n",
        captured.bytes.saturating_sub(shown)
    );
    (name + ENDS, [head, gap.as_bytes(), end].concat())
}

/// Lists the files of the store with age and size, the newest first. Names that it does not give are
/// somebody else's.
fn listed(directory: &Path, now: SystemTime) -> Vec<(Duration, u64, PathBuf)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<(Duration, u64, PathBuf)> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_ours))
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            let age = now.duration_since(metadata.modified().ok()?);
            Some((age.unwrap_or_default(), metadata.len(), entry.path()))
        })
        .collect();
    found.sort();
    found
}

/// Says whether a name is one that the store gives, or that of a file in the making.
fn is_ours(name: &str) -> bool {
    let digest = name.strip_suffix(ENDS).unwrap_or(name);
    Digest::parse(digest).is_some() || name.starts_with(".new-")
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::super::vector_tests::Files;
    use super::*;

    fn captured(bytes: &[u8]) -> Captured {
        Captured {
            bytes: u64::try_from(bytes.len()).unwrap(),
            sha256: sha256(bytes),
        }
    }

    fn keep(store: &Store, head: &[u8], tail: &[u8]) -> Captured {
        let captured = captured(&[head, tail].concat());
        store.keep(&Written {
            captured: &captured,
            head,
            tail,
        });
        captured
    }

    /// Makes a file of the store as old as that.
    fn age(store: &Store, captured: &Captured, age: Duration) {
        let path = store.directory.join(captured.sha256.to_string());
        let file = File::options().append(true).open(path).unwrap();
        let then = file.metadata().unwrap().modified().unwrap() - age;
        file.set_modified(then).unwrap();
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_was_kept_is_found_whole_and_is_private() {
        let files = Files::new();
        let store = Store::of(files.places());

        let captured = keep(&store, b"a", b"b\n");

        let found = store.find(&captured).unwrap();
        assert_eq!(
            (found.bytes.as_slice(), found.is_whole),
            (&b"ab\n"[..], true)
        );
        let path = store.directory.join(captured.sha256.to_string());
        assert_eq!((mode(&store.directory), mode(&path)), (0o700, 0o600));
    }

    #[test]
    fn of_a_long_output_beginning_and_end_are_kept() {
        let files = Files::new();
        let store = Store::of(files.places());
        let long: Vec<u8> = b"abcdefg\n".repeat(100_000);

        let captured = keep(&store, &long, b"");

        let found = store.find(&captured).unwrap();
        let text = String::from_utf8(found.bytes).unwrap();
        assert!(!found.is_whole && text.len() < HEAD + TAIL + 100);
        assert!(
            text.contains("\n... 734464 bytes were not kept ...\n"),
            "{}",
            text.len()
        );
        assert!(text.starts_with("abcdefg\n") && text.ends_with("abcdefg\n"));
    }

    #[test]
    fn what_is_not_what_its_name_says_is_not_found() {
        let files = Files::new();
        let store = Store::of(files.places());
        let captured = keep(&store, b"true", b"");
        let path = store.directory.join(captured.sha256.to_string());

        fs::write(&path, "false").unwrap();

        assert_eq!(store.find(&captured), None);
    }

    #[test]
    fn what_is_too_long_for_beginning_and_end_is_not_found() {
        let files = Files::new();
        let store = Store::of(files.places());
        let captured = keep(&store, &vec![7; HEAD + TAIL + 1], b"");
        let path = store.directory.join(format!("{}{ENDS}", captured.sha256));
        assert!(store.find(&captured).is_some());

        fs::write(&path, vec![7; HEAD + TAIL + 201]).unwrap();

        assert_eq!(store.find(&captured), None);
    }

    #[test]
    fn what_is_old_goes_when_a_later_command_keeps_something() {
        let files = Files::new();
        let store = Store::of(files.places());
        let (old, young) = (keep(&store, b"old", b""), keep(&store, b"young", b""));
        age(&store, &old, Duration::from_hours(31 * 24));
        age(&store, &young, Duration::from_hours(29 * 24));

        keep(&Store::of(files.places()), b"new", b"");

        assert_eq!(
            (store.find(&old), store.find(&young).is_some()),
            (None, true)
        );
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many() {
        let files = Files::new();
        let store = Store::of(files.places());
        let oldest = keep(&store, b"oldest", b"");
        age(&store, &oldest, Duration::from_mins(1));
        let count = ROOM / LEAST;
        for number in 0..count {
            let name = sha256(&number.to_le_bytes()).to_string();
            fs::write(store.directory.join(name), "x").unwrap();
        }

        let newest = keep(&Store::of(files.places()), b"newest", b"");

        assert_eq!(store.find(&oldest), None);
        assert!(store.find(&newest).is_some());
        let left = fs::read_dir(&store.directory).unwrap().count();
        assert_eq!(u64::try_from(left).unwrap(), count);
    }

    #[test]
    fn what_is_not_ours_stays() {
        let files = Files::new();
        let store = Store::of(files.places());
        keep(&store, b"x", b"");
        let mine = store.directory.join("mine.txt");
        fs::write(&mine, "x").unwrap();
        let file = File::options().append(true).open(&mine).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();

        keep(&Store::of(files.places()), b"y", b"");

        assert!(mine.exists());
    }

    #[test]
    fn nothing_is_removed_behind_a_planted_link() {
        let files = Files::new();
        let elsewhere = files.places().common_dir.join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        let victim = elsewhere.join(sha256(b"victim").to_string());
        fs::write(&victim, "x").unwrap();
        let file = File::options().append(true).open(&victim).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        fs::create_dir_all(&files.places().common).unwrap();
        symlink(&elsewhere, files.places().common.join("outputs")).unwrap();

        keep(&Store::of(files.places()), b"y", b"");

        assert!(victim.exists());
    }
}
