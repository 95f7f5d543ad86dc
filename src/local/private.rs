//! Private directories below the user's cache: safe to reach, locked while in use, removed always.
//!
//! Each lies in an entry of its own, beside a lock that the kernel releases when we die; an entry
//! whose lock nobody holds is left over from a killed command, and the next one removes it.

mod ancestors;
mod removal;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, Flock, FlockArg, OFlag, openat};
use nix::sys::stat::{Mode, SFlag, fstatat, mkdirat};

use super::file::{make_directory, unwritable};
use super::{LocalError, random};

/// The lock of an entry.
const LOCK: &str = "lock";
/// The private directory in an entry.
const INSIDE: &str = "tree";
/// How often another name is drawn when one was taken away from under us.
const ATTEMPTS: usize = 16;

/// A private directory; removed with all that is in it when this is dropped.
#[derive(Debug)]
pub(crate) struct PrivateDirectory {
    /// The folder of all entries.
    folder: OwnedFd,
    /// The name of its entry.
    name: String,
    /// The directory, with all links resolved.
    path: PathBuf,
    /// Held as long as the entry is there.
    lock: Option<Flock<File>>,
}

impl PrivateDirectory {
    /// Makes an empty one below `folder`, which is made too if it is not there.
    ///
    /// Refused by name if somebody else could exchange any directory on the way, or if it would lie
    /// in one of these work trees, whose files it must not see.
    pub(crate) fn make(folder: &Path, work_trees: &[PathBuf]) -> Result<Self, LocalError> {
        let there = existing(folder);
        ancestors::demand_safe(&there)?;
        ancestors::demand_outside(&there, work_trees)?;
        make_directory(folder)?;
        let real = folder
            .canonicalize()
            .map_err(|error| unwritable(folder, error))?;
        ancestors::demand_safe(&real)?;
        for _ in 0..ATTEMPTS {
            let name = drawn()?;
            let made = enter(&real, &name).map_err(|error| unwritable(&real.join(&name), error))?;
            if let Some((folder, lock)) = made {
                return Ok(Self {
                    folder,
                    path: real.join(&name).join(INSIDE),
                    name,
                    lock: Some(lock),
                });
            }
        }
        Err(unwritable(&real, io::ErrorKind::ResourceBusy.into()))
    }

    /// Returns where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it with all that is in it, whatever modes the directories in it have.
    pub(crate) fn remove(mut self) -> Result<(), LocalError> {
        self.clear()
    }

    /// Removes the entry once.
    fn clear(&mut self) -> Result<(), LocalError> {
        let Some(lock) = self.lock.take() else {
            return Ok(());
        };
        let removed = clear(&self.folder, &self.name);
        drop(lock);
        removed.map_err(|error| unwritable(&self.path, error))
    }
}

impl Drop for PrivateDirectory {
    fn drop(&mut self) {
        drop(self.clear());
    }
}

/// Removes what killed commands left behind. What cannot be removed is left for the next time.
pub(crate) fn sweep(folder: &Path) {
    let Ok(real) = folder.canonicalize() else {
        return;
    };
    if ancestors::demand_safe(&real).is_ok() {
        drop(sweep_in(&real));
    }
}

/// Removes the entries that nobody holds.
fn sweep_in(folder: &Path) -> io::Result<()> {
    let folder = open_folder(folder)?;
    for name in names(&folder)? {
        match abandoned(&folder, &name) {
            Some(Abandoned::Held(_lock)) => drop(clear(&folder, &name)),
            Some(Abandoned::Bare) => drop(removal::unlink_directory(folder.as_fd(), name.as_str())),
            None => {}
        }
    }
    Ok(())
}

/// Lists the names in the folder that could be entries of ours.
fn names(folder: &OwnedFd) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::from_fd(folder.try_clone()?)?.iter() {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Takes an entry that is ours and whose lock nobody holds; none if it is not such a one.
///
/// The maker of an entry puts the lock there first, and notices if the entry is taken away before
/// it holds the lock.
fn abandoned(folder: &OwnedFd, name: &str) -> Option<Abandoned> {
    let stat = fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW).ok()?;
    let is_directory = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFDIR;
    if !is_directory || stat.st_uid != nix::unistd::geteuid().as_raw() {
        return None;
    }
    let entry = open_entry(folder, name).ok()?;
    let flags = OFlag::O_RDWR | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    match openat(&entry, LOCK, flags, Mode::empty()) {
        Ok(lock) => {
            let lock = Flock::lock(File::from(lock), FlockArg::LockExclusiveNonblock).ok()?;
            Some(Abandoned::Held(lock))
        }
        Err(Errno::ENOENT) => Some(Abandoned::Bare),
        Err(_) => None,
    }
}

/// An entry that nobody holds.
#[derive(Debug)]
enum Abandoned {
    /// Its lock is ours as long as this is there.
    Held(Flock<File>),
    /// It has no lock: its maker died, or is about to put one there. So it is removed only if it is
    /// empty.
    Bare,
}

/// Makes an entry; none if it was taken away before we held its lock.
fn enter(folder: &Path, name: &str) -> io::Result<Option<(OwnedFd, Flock<File>)>> {
    let folder = open_folder(folder)?;
    mkdirat(&folder, name, Mode::S_IRWXU)?;
    let Ok(entry) = open_entry(&folder, name) else {
        return Ok(None);
    };
    let flags = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
    let lock = match openat(&entry, LOCK, flags, Mode::S_IRUSR | Mode::S_IWUSR) {
        Ok(lock) => File::from(lock),
        Err(Errno::ENOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Ok(lock) = Flock::lock(lock, FlockArg::LockExclusiveNonblock) else {
        return Ok(None);
    };
    if lock.metadata()?.nlink() == 0 {
        return Ok(None);
    }
    mkdirat(&entry, INSIDE, Mode::S_IRWXU)?;
    Ok(Some((folder, lock)))
}

/// Removes an entry, its lock last.
fn clear(folder: &OwnedFd, name: &str) -> io::Result<()> {
    let entry = open_entry(folder, name)?;
    removal::empty_but(entry.as_fd(), LOCK)?;
    removal::unlink(entry.as_fd(), LOCK)?;
    removal::unlink_directory(folder.as_fd(), name)?;
    Ok(())
}

/// Opens the folder of all entries.
fn open_folder(folder: &Path) -> io::Result<OwnedFd> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    Ok(nix::fcntl::open(folder, flags, Mode::empty())?)
}

/// Opens an entry, never through a link.
fn open_entry(folder: &OwnedFd, name: &str) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(folder, name, flags, Mode::empty())
}

/// Draws a name.
fn drawn() -> Result<String, LocalError> {
    let bytes: [u8; 16] = random::bytes()?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// Returns the deepest directory on the way to a path that is there.
fn existing(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|at| at.canonicalize().ok())
        .unwrap_or_else(|| PathBuf::from("/"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn scratch() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().canonicalize().unwrap().join("cache/checkouts");
        (temp, folder)
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn it_is_there_while_it_is_held_and_gone_after() {
        let (_temp, folder) = scratch();
        let made = PrivateDirectory::make(&folder, &[]).unwrap();
        let path = made.path().to_owned();
        let mode = path.metadata().unwrap().permissions().mode();
        fs::write(path.join("file"), "x").unwrap();

        sweep(&folder);
        assert!(path.join("file").exists());
        drop(made);

        assert_eq!(mode & 0o777, 0o700);
        assert_eq!(entries(&folder), 0);
    }

    #[test]
    fn what_is_read_only_or_deep_or_a_link_is_removed_and_nothing_else() {
        let (temp, folder) = scratch();
        let outside = temp.path().join("outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("kept"), "x").unwrap();
        let made = PrivateDirectory::make(&folder, &[]).unwrap();
        let top = made.path().to_owned();
        let mut at = top.clone();
        for _ in 0..300 {
            at.push("d");
        }
        fs::create_dir_all(&at).unwrap();
        symlink(&outside, top.join("link")).unwrap();
        symlink(&outside, top.join("d/link")).unwrap();
        fs::create_dir_all(top.join("closed/below")).unwrap();
        fs::write(top.join("closed/below/file"), "x").unwrap();
        for closed in ["closed/below", "closed", "d"] {
            fs::set_permissions(top.join(closed), fs::Permissions::from_mode(0o0)).unwrap();
        }

        made.remove().unwrap();

        assert_eq!(entries(&folder), 0);
        assert!(outside.join("kept").exists());
    }

    #[test]
    fn what_nobody_holds_is_swept_and_strange_names_are_left() {
        let (temp, folder) = scratch();
        let made = PrivateDirectory::make(&folder, &[]).unwrap();
        let name = made.name.clone();
        let mut forgotten = made;
        forgotten.lock = None;
        drop(forgotten);
        fs::create_dir_all(folder.join("notes")).unwrap();
        fs::create_dir_all(folder.join("0".repeat(32))).unwrap();
        let outside = temp.path().join("outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("lock"), "x").unwrap();
        symlink(&outside, folder.join("f".repeat(32))).unwrap();
        assert!(folder.join(&name).join("tree").exists());

        sweep(&folder);

        let mut left: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["f".repeat(32), "notes".to_owned()]);
        assert!(outside.join("lock").exists());
    }

    #[test]
    fn a_work_tree_is_no_place_for_it() {
        let (temp, folder) = scratch();
        let top = temp.path().canonicalize().unwrap();

        let made = PrivateDirectory::make(&folder, std::slice::from_ref(&top));

        assert!(matches!(made, Err(LocalError::Unsafe { .. })), "{made:?}");
        assert_eq!(entries(&top), 0);
    }

    #[test]
    fn a_way_that_others_may_change_is_refused_by_name() {
        let (temp, folder) = scratch();
        let open = temp.path().canonicalize().unwrap().join("cache");
        fs::create_dir_all(&open).unwrap();
        for mode in [0o777, 0o770, 0o775] {
            fs::set_permissions(&open, fs::Permissions::from_mode(mode)).unwrap();
            let Err(LocalError::Unsafe { path, .. }) = PrivateDirectory::make(&folder, &[]) else {
                panic!("{mode:o}");
            };
            assert_eq!(path, open.display().to_string());
        }
        fs::set_permissions(&open, fs::Permissions::from_mode(0o1777)).unwrap();

        assert!(PrivateDirectory::make(&folder, &[]).is_ok());
    }
}
