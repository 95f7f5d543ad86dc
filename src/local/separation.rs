//! Whether checks can run as another user and do no harm to what is ours: the repository, the keys,
//! what this clone remembers (rules R-ISO of plan-auditor).
//!
//! Whatever group may write counts as open, whoever is in it: an access list that names a single user
//! shows as a right of the group.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What must not be open to the other user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Guarded {
    /// The top of the work tree.
    pub(crate) top: PathBuf,
    /// Git directories: nothing in them may be written.
    pub(crate) git_dirs: Vec<PathBuf>,
    /// Files that may not even be read.
    pub(crate) keys: Vec<PathBuf>,
    /// Directories of ours that may not be written, where they are there.
    pub(crate) own: Vec<PathBuf>,
}

/// Why checks cannot run as another user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SeparationError {
    /// The system does not let us.
    #[error("{0}")]
    System(&'static str),
    /// Something could be changed, or read, by the other user.
    #[error("{path} {why}")]
    Open {
        /// What.
        path: String,
        /// Why.
        why: &'static str,
    },
    /// Something could not be looked at.
    #[error("cannot look at {path}")]
    Unseen {
        /// What.
        path: String,
        /// Why.
        #[source]
        cause: io::Error,
    },
}

/// Demands that we can become another user with no right of ours left.
#[cfg(target_os = "linux")]
pub(crate) fn demand_able() -> Result<(), SeparationError> {
    if !nix::unistd::geteuid().is_root() {
        return Err(SeparationError::System("only root can become another user"));
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // The standard library forgets other groups before it changes the user, and goes on where it may not.
    let groups = fs::read_to_string("/proc/self/setgroups").unwrap_or_default();
    if !has_capabilities(&status) || groups.trim() != "allow" {
        return Err(SeparationError::System(
            "this root may not change its user and give up its groups (CAP_SETUID, CAP_SETGID, /proc/self/setgroups)",
        ));
    }
    Ok(())
}

/// Elsewhere nobody knows what is left of our rights.
#[cfg(not(target_os = "linux"))]
pub(crate) fn demand_able() -> Result<(), SeparationError> {
    Err(SeparationError::System("it is served on Linux alone"))
}

/// Says whether a status names the capabilities that are needed.
fn has_capabilities(status: &str) -> bool {
    const SETGID_AND_SETUID: u64 = 1 << 6 | 1 << 7;
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & SETGID_AND_SETUID == SETGID_AND_SETUID)
}

/// Demands that nothing that is guarded is open to anybody but root, and that the work tree can be
/// entered by everybody.
pub(crate) fn demand_closed(guarded: &Guarded) -> Result<(), SeparationError> {
    let top = real(&guarded.top)?;
    demand_way(&top)?;
    for at in top.ancestors() {
        if look(at)?.mode() & 0o001 == 0 {
            return Err(open(at, "cannot be entered by the user of the checks"));
        }
    }
    for git_dir in &guarded.git_dirs {
        let git_dir = real(git_dir)?;
        demand_way(&git_dir)?;
        demand_all(&git_dir)?;
    }
    for own in guarded.own.iter().filter(|own| own.exists()) {
        let own = real(own)?;
        demand_way(&own)?;
        demand_root(&own, &look(&own)?, 0o022)?;
    }
    for key in guarded.keys.iter().filter(|key| key.exists()) {
        let key = real(key)?;
        demand_way(&key)?;
        demand_root(&key, &look(&key)?, 0o077)?;
    }
    Ok(())
}

/// Demands that nobody but root could exchange a path: each directory on the way is root's, and
/// others may write there only with the sticky bit.
fn demand_way(real: &Path) -> Result<(), SeparationError> {
    for at in real.ancestors() {
        let found = look(at)?;
        let open = if found.mode() & 0o1000 == 0 { 0o022 } else { 0 };
        demand_root(at, &found, open)?;
    }
    Ok(())
}

/// Demands the same of everything in a git directory, with or without the sticky bit. Of objects, which
/// are known by their bytes, only the directories are looked at.
fn demand_all(git_dir: &Path) -> Result<(), SeparationError> {
    let mut todo = vec![git_dir.to_owned()];
    while let Some(at) = todo.pop() {
        let found = look(&at)?;
        // The mode of a link says nothing, and what it leads to is its own business.
        let open = if found.is_symlink() { 0 } else { 0o022 };
        demand_root(&at, &found, open)?;
        let is_fan = at.parent().is_some_and(|above| above.ends_with("objects"));
        if found.is_dir() && !is_fan {
            for entry in fs::read_dir(&at).map_err(|cause| unseen(&at, cause))? {
                todo.push(entry.map_err(|cause| unseen(&at, cause))?.path());
            }
        }
    }
    Ok(())
}

/// Demands that something is root's, and that others have none of these rights.
fn demand_root(at: &Path, found: &Metadata, rights: u32) -> Result<(), SeparationError> {
    if found.uid() != 0 {
        return Err(open(at, "does not belong to root"));
    }
    if found.mode() & rights == 0 {
        return Ok(());
    }
    let why = if rights == 0o077 {
        "is open to others than root"
    } else {
        "may be written to by others than root"
    };
    Err(open(at, why))
}

/// Looks at something without following a link.
fn look(at: &Path) -> Result<Metadata, SeparationError> {
    at.symlink_metadata().map_err(|cause| unseen(at, cause))
}

/// Follows all links.
fn real(path: &Path) -> Result<PathBuf, SeparationError> {
    path.canonicalize().map_err(|cause| unseen(path, cause))
}

/// Says that something is open.
fn open(at: &Path, why: &'static str) -> SeparationError {
    let path = at.display().to_string();
    SeparationError::Open { path, why }
}

/// Says that something could not be looked at.
fn unseen(at: &Path, cause: io::Error) -> SeparationError {
    let path = at.display().to_string();
    SeparationError::Unseen { path, cause }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

    use super::*;

    /// A home below a directory with the sticky bit; none where we are not root.
    fn home() -> Option<(tempfile::TempDir, Guarded)> {
        if !nix::unistd::geteuid().is_root() {
            eprintln!("skipped: needs root");
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        mode(home.path(), 0o755);
        for folder in ["top/.git/refs/notes", "top/.git/objects/ab", "state"] {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        fs::write(home.path().join("key"), "x").unwrap();
        mode(&home.path().join("key"), 0o600);
        let at = |name: &str| home.path().join(name);
        let guarded = Guarded {
            top: at("top"),
            git_dirs: vec![at("top/.git")],
            keys: vec![at("key"), at("gone")],
            own: vec![at("state"), at("gone")],
        };
        Some((home, guarded))
    }

    fn mode(at: &Path, mode: u32) {
        fs::set_permissions(at, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_roots_alone_is_closed() {
        let Some((home, guarded)) = home() else {
            return;
        };
        symlink("nowhere", home.path().join("top/.git/link")).unwrap();

        demand_closed(&guarded).unwrap();
    }

    #[test]
    fn whatever_the_other_user_could_write_or_the_key_is_open() {
        for (name, open) in [
            ("top", 0o775),
            ("top/.git", 0o777),
            ("top/.git", 0o1777),
            ("top/.git/refs/notes", 0o757),
            ("top/.git/objects/ab", 0o775),
            ("state", 0o770),
            ("key", 0o640),
            ("key", 0o604),
        ] {
            let Some((home, guarded)) = home() else {
                return;
            };
            let at = home.path().join(name);
            mode(&at, open);

            let error = demand_closed(&guarded).unwrap_err().to_string();

            assert!(error.starts_with(at.to_str().unwrap()), "{name}: {error}");
        }
    }

    #[test]
    fn whatever_belongs_to_somebody_else_is_open_whatever_its_mode() {
        for name in ["top", "top/.git/refs", "key", "state"] {
            let Some((home, guarded)) = home() else {
                return;
            };
            chown(home.path().join(name), Some(1234), Some(1234)).unwrap();

            let error = demand_closed(&guarded).unwrap_err().to_string();

            assert!(
                error.ends_with("does not belong to root"),
                "{name}: {error}"
            );
        }
    }

    #[test]
    fn a_work_tree_that_nobody_else_can_enter_is_of_no_use() {
        let Some((home, guarded)) = home() else {
            return;
        };
        mode(home.path(), 0o700);

        let error = demand_closed(&guarded).unwrap_err().to_string();

        assert!(error.contains("cannot be entered"), "{error}");
    }

    #[test]
    fn both_capabilities_are_needed() {
        assert!(has_capabilities("Name:\tx\nCapEff:\t000001ffffffffff\n"));
        assert!(has_capabilities("CapEff:\t00000000000000c0"));
        for mask in ["0000000000000040", "0000000000000080", "0", "x"] {
            assert!(!has_capabilities(&format!("CapEff:\t{mask}")), "{mask}");
        }
        assert!(!has_capabilities(""));
    }
}
