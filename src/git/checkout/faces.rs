//! What tells a file from another with the same bytes: inode, change time and mode (D7).
//!
//! A file that was rewritten, replaced, or moved away and back has another face. A directory's
//! change time tells nothing by itself, since files that are ignored may come and go in it; but
//! coming and going sets its time of writing too, and moving the directory itself does not.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::fcntl::AtFlags;
use nix::sys::stat::{FileStat, fstat, fstatat, mode_t};

use super::super::state::disk::{Disk, file_in, split};
use super::super::state::part::Part;

/// How long we wait at most for the clock of the file system to move on.
const PATIENCE: Duration = Duration::from_secs(3);

/// The face of one file or directory; none if it is gone.
type Face = Option<Marks>;

/// Inode, mode and time.
type Marks = (u64, mode_t, (i64, i64));

/// The faces of everything that is tracked, in the order of the lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Faces(Vec<(Vec<u8>, Face)>);

impl Faces {
    /// Looks at everything that is tracked below `top`.
    pub(super) fn of(part: &Part, top: &Path) -> Self {
        let mut faces = Self::default();
        faces.add(part, top, b"");
        faces
    }

    /// Adds a part that lies at `prefix`.
    fn add(&mut self, part: &Part, top: &Path, prefix: &[u8]) {
        let mut disk = Disk::at(top).ok();
        let mut directory = None;
        for entry in part.listing.entries() {
            let (parent, name) = split(&entry.path);
            let opened = disk.as_mut().and_then(|disk| disk.enter(parent).ok());
            if directory.as_deref() != Some(parent) {
                let stat = opened.and_then(|fd| fstat(fd).ok());
                let shown = if parent.is_empty() { b"." } else { parent };
                self.0
                    .push((file_in(prefix, shown), stat.map(|stat| of_directory(&stat))));
                directory = Some(parent.to_vec());
            }
            if entry.is_gitlink() {
                continue;
            }
            let flags = AtFlags::AT_SYMLINK_NOFOLLOW;
            let stat = opened.and_then(|fd| fstatat(fd, name, flags).ok());
            self.0.push((
                file_in(prefix, &entry.path),
                stat.map(|stat| of_file(&stat)),
            ));
        }
        for (path, part) in &part.submodules {
            let below = top.join(std::ffi::OsStr::from_bytes(path));
            self.add(part, &below, &file_in(prefix, path));
        }
    }

    /// Lists the paths whose faces differ from those before.
    pub(super) fn differing(&self, before: &Self) -> Vec<Vec<u8>> {
        let pairs = self.0.iter().zip(&before.0);
        pairs
            .filter(|(now, before)| now != before)
            .map(|((path, _), _)| path.clone())
            .collect()
    }
}

/// Returns the face of a file or link.
fn of_file(stat: &FileStat) -> Marks {
    (
        stat.st_ino,
        stat.st_mode,
        (stat.st_ctime, stat.st_ctime_nsec),
    )
}

/// Returns the face of a directory: its change time counts only where it is not that of a name
/// that came or went.
fn of_directory(stat: &FileStat) -> Marks {
    let changed = (stat.st_ctime, stat.st_ctime_nsec);
    let written = (stat.st_mtime, stat.st_mtime_nsec);
    let moved = if changed == written { (0, 0) } else { changed };
    (stat.st_ino, stat.st_mode, moved)
}

/// Returns once a change would get another time than anything that was written before the call.
///
/// File systems take their time from a clock that stands still for some milliseconds; a file that
/// is exchanged within the same tick would keep its face.
pub(super) fn outwait(top: &Path) -> io::Result<()> {
    let probe = top.with_file_name("tick");
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&probe)?;
    let time = |file: &std::fs::File| {
        let metadata = file.metadata()?;
        Ok::<_, io::Error>((metadata.ctime(), metadata.ctime_nsec()))
    };
    let began = Instant::now();
    let first = time(&file)?;
    while time(&file)? == first && began.elapsed() < PATIENCE {
        file.write_all(b".")?;
    }
    std::fs::remove_file(&probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_wait_a_change_has_another_time() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().join("tree");
        std::fs::create_dir_all(&top).unwrap();
        let time = || {
            let metadata = top.metadata().unwrap();
            (metadata.ctime(), metadata.ctime_nsec())
        };
        let before = time();

        outwait(&top).unwrap();
        std::fs::write(top.join("a"), "").unwrap();

        assert!(time() > before);
        assert!(!temp.path().join("tick").exists());
    }
}
