//! Opening a repository: found as git finds it, refused when it is not ours to judge.

use std::path::{Path, PathBuf};

use gix::bstr::BString;

use super::controls::{self, Obstacle};
use super::gate::{self, Refusal};
use super::quarantine::Quarantine;
use super::refusal::quoted;
pub(crate) use super::refusal::{Cause, OpenError};
use crate::model::sharing::Sharing;

/// The most memory for one object, so that a header that lies takes no more: 2 GiB.
const ALLOC_LIMIT: &str = "gitoxide.objects.allocLimit=2147483648";
/// The same in bytes, for what is opened beside the repository.
pub(super) const ALLOC_LIMIT_BYTES: usize = 1 << 31;

/// What came with the process that says which repository is meant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Given {
    /// `key=value` lines of the command scope (`git -c`), which gix does not read by itself.
    pub(crate) command: Vec<BString>,
    /// `GIT_DIR`.
    pub(crate) git_dir: Option<PathBuf>,
    /// `GIT_COMMON_DIR`.
    pub(crate) common_dir: Option<PathBuf>,
    /// Whether `GIT_WORK_TREE` names the work tree of what `GIT_DIR` names: who names both may stand
    /// anywhere, as with git.
    pub(crate) names_work_tree: bool,
    /// Directories of objects that came with a push, for a hook of the server.
    pub(crate) incoming: Vec<PathBuf>,
}

/// An open repository; replace objects are off, and gix knows no grafts.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The handle of gix.
    pub(super) gix: gix::Repository,
    /// What came with a push and is not in it yet.
    pub(super) quarantine: Quarantine,
    /// The directory it was opened from, resolved.
    pub(super) dir: PathBuf,
    /// How it was opened.
    how: How,
    /// What came with the command line, to open it the same way again.
    pub(super) command: Vec<BString>,
    /// The work tree; none when bare.
    pub(super) work_dir: Option<PathBuf>,
    /// The index in force, which `GIT_INDEX_FILE` may name.
    pub(super) index_path: PathBuf,
}

/// How a repository was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
enum How {
    /// Found as git finds it.
    Found(Given),
    /// As the submodule at its directory.
    Submodule,
}

impl Repository {
    /// Opens the repository that git would use in `dir`, honouring `GIT_DIR` and its kind.
    #[cfg(test)]
    pub(crate) fn open(dir: &Path) -> Result<Self, OpenError> {
        Self::open_with(dir, &Given::default())
    }

    /// Opens the repository that git would use in `dir`, honouring `GIT_DIR` and its kind.
    ///
    /// What gix would open is looked at first: it waits on a FIFO and reads a device for ever.
    pub(crate) fn open_with(dir: &Path, given: &Given) -> Result<Self, OpenError> {
        let dir = resolved(dir)?;
        let expected = expected(&dir, given)?;
        let found = discover(&dir, &given.command)?;
        demand_same(&found, expected.as_ref())?;
        stands_clear(controls::demand(&found.index_path(), controls::LIST))?;
        let work_dir = found.workdir().map(canonical);
        let incoming = Quarantine::open(&given.incoming, &dir, found.object_hash());
        let quarantine = incoming.map_err(|cause| OpenError::Incoming { cause })?;
        let repository = Self {
            quarantine,
            index_path: index_path(&found, work_dir.as_deref().unwrap_or(&dir)),
            work_dir,
            gix: found,
            dir,
            how: How::Found(given.clone()),
            command: given.command.clone(),
        };
        repository.demand_ownership()?;
        if !given.names_work_tree {
            repository.demand_presence()?;
        }
        Ok(repository)
    }

    /// Opens the repository whose work tree is exactly `dir`, whatever the environment says.
    ///
    /// For submodules: what is judged is the bytes below `dir`, so a `core.worktree` that leads
    /// elsewhere is of no effect.
    pub(super) fn open_submodule(dir: &Path, command: &[BString]) -> Result<Self, OpenError> {
        let dir = resolved(dir)?;
        let missing = |cause| not_found(&dir, cause);
        let dot_git = dir.join(".git");
        let git_dir = super::nested::git_dir_of(&dot_git).ok_or_else(|| missing(no_git_dir()))?;
        pass_gate(&git_dir, &super::nested::common_dir_of(&git_dir))?;
        let gix = options(command)
            .open_path_as_is(true)
            .open(&git_dir)
            .map_err(|cause| missing(Box::new(cause)))?;
        let gix = tamed(gix.to_thread_local());
        demand_same(&gix, Some(&directories(&git_dir)))?;
        let repository = Self {
            index_path: git_dir.join("index"),
            gix,
            quarantine: Quarantine::none(),
            work_dir: Some(dir.clone()),
            dir,
            how: How::Submodule,
            command: command.to_vec(),
        };
        repository.demand_ownership()?;
        Ok(repository)
    }

    /// Opens a git directory for its objects alone, as the store of a submodule.
    ///
    /// Its work tree may be gone and is of no matter. So the owner of the directory itself is asked
    /// for; gix asks for that of the work tree too.
    pub(super) fn open_objects(
        git_dir: &Path,
        command: &[BString],
    ) -> Result<gix::Repository, OpenError> {
        pass_gate(git_dir, &super::nested::common_dir_of(git_dir))?;
        let owner = gix::sec::Trust::from_path_ownership(git_dir);
        let is_ours = owner.is_ok_and(|trust| trust == gix::sec::Trust::Full);
        let mut options = options(command).open_path_as_is(true);
        if is_ours {
            options = options.with(gix::sec::Trust::Full);
        }
        let opened = options.open(git_dir);
        let gix = opened.map_err(|cause| not_found(git_dir, Box::new(cause)))?;
        let gix = tamed(gix.to_thread_local());
        demand_same(&gix, Some(&directories(git_dir)))?;
        if !is_ours && gix.git_dir_trust() != gix::sec::Trust::Full {
            return Err(OpenError::Ownership {
                path: shown(git_dir),
            });
        }
        Ok(gix)
    }

    /// Takes a repository that a test opened, without settings of the machine.
    #[cfg(test)]
    pub(super) fn of_test(gix: gix::Repository) -> Self {
        let mut gix = gix;
        gix.objects.ignore_replacements = true;
        Self {
            dir: gix.path().to_owned(),
            work_dir: gix.workdir().map(canonical),
            index_path: gix.index_path(),
            how: How::Found(Given::default()),
            command: Vec::new(),
            quarantine: Quarantine::none(),
            gix,
        }
    }

    /// Opens the same repository anew, so that nothing is remembered of its configuration.
    pub(super) fn reopened(&self) -> Result<Self, OpenError> {
        match &self.how {
            How::Found(given) => Self::open_with(&self.dir, given),
            How::Submodule => Self::open_submodule(&self.dir, &self.command),
        }
    }

    /// Returns the repository's own directory, private to this work tree.
    pub(crate) fn git_dir(&self) -> &Path {
        self.gix.git_dir()
    }

    /// Returns the directory that all work trees share.
    pub(crate) fn common_dir(&self) -> &Path {
        self.gix.common_dir()
    }

    /// Returns the top of the work tree, resolved; none when bare.
    pub(crate) fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// Returns who else may use what is made below the git directory.
    pub(crate) fn sharing(&self) -> Sharing {
        super::sharing::of(&self.gix)
    }

    /// Says whether there is no work tree.
    pub(crate) fn is_bare(&self) -> bool {
        self.work_dir.is_none()
    }

    /// Returns the command that mends a `core.bare=true` which leaked into a normal repository.
    pub(crate) fn bare_hint(&self) -> Option<String> {
        let is_dot_git = self.common_dir().file_name().is_some_and(|n| n == ".git");
        (self.is_bare() && is_dot_git).then(|| {
            format!(
                "git config --file {} core.bare false",
                quoted(&shown(&self.common_dir().join("config")))
            )
        })
    }

    /// Returns the hash of this repository.
    pub(crate) fn hash_kind(&self) -> gix::hash::Kind {
        self.gix.object_hash()
    }

    /// Returns the name of that hash.
    pub(crate) fn hash_kind_name(&self) -> &'static str {
        if self.hash_kind() == gix::hash::Kind::Sha1 {
            "sha1"
        } else {
            "sha256"
        }
    }

    /// Refuses a repository of another owner, as git does.
    ///
    /// gix would open it and drop its settings. It reads `safe.directory` in system and global
    /// scope only, never from the repository.
    fn demand_ownership(&self) -> Result<(), OpenError> {
        if self.gix.git_dir_trust() == gix::sec::Trust::Full {
            return Ok(());
        }
        let path = shown(self.work_dir().unwrap_or_else(|| self.git_dir()));
        Err(OpenError::Ownership { path })
    }

    /// Refuses to judge a work tree from a directory that has nothing to do with it.
    fn demand_presence(&self) -> Result<(), OpenError> {
        let Some(work_dir) = self.work_dir() else {
            return Ok(());
        };
        let homes = [
            Some(work_dir.to_owned()),
            Some(canonical(self.git_dir())),
            Some(canonical(self.common_dir())),
        ];
        if homes
            .iter()
            .flatten()
            .any(|home| self.dir.starts_with(home))
        {
            return Ok(());
        }
        Err(OpenError::Elsewhere {
            dir: shown(&self.dir),
            work_dir: shown(work_dir),
        })
    }
}

/// Finds the repository that gix is going to open, and passes it through the gate: its own
/// directory and the one that work trees share. None where there is none.
fn expected(dir: &Path, given: &Given) -> Result<Option<(PathBuf, PathBuf)>, OpenError> {
    let found = if let Some(named) = &given.git_dir {
        let named = dir.join(named);
        stands_clear(controls::check_entrance(&named))?;
        super::nested::git_dir_of(&named).or(Some(named))
    } else {
        stands_clear(controls::find(dir))?
    };
    let Some(git_dir) = found else {
        return Ok(None);
    };
    let common_dir = given.common_dir.as_ref().map_or_else(
        || super::nested::common_dir_of(&git_dir),
        |common_dir| dir.join(common_dir),
    );
    pass_gate(&git_dir, &common_dir)?;
    Ok(Some((canonical(&git_dir), canonical(&common_dir))))
}

/// Returns the directory of a repository and the one that work trees share, resolved.
fn directories(git_dir: &Path) -> (PathBuf, PathBuf) {
    let common_dir = super::nested::common_dir_of(git_dir);
    (canonical(git_dir), canonical(&common_dir))
}

/// Refuses to judge a repository that git would not use here. Where the files that lead to it can
/// be read in two ways, gix may take another one.
fn demand_same(
    found: &gix::Repository,
    expected: Option<&(PathBuf, PathBuf)>,
) -> Result<(), OpenError> {
    let opened = (canonical(found.git_dir()), canonical(found.common_dir()));
    if expected == Some(&opened) {
        return Ok(());
    }
    Err(OpenError::Disputed {
        found: shown(found.git_dir()),
    })
}

/// Refuses what stands in the place of a control file.
fn stands_clear<T>(looked: Result<T, Obstacle>) -> Result<T, OpenError> {
    looked.map_err(|Obstacle { path, why }| OpenError::Obstacle {
        path: shown(&path),
        why,
    })
}

/// Finds and opens with gix.
fn discover(dir: &Path, command: &[BString]) -> Result<gix::Repository, OpenError> {
    let mapping = gix::sec::trust::Mapping {
        full: options(command).with(gix::sec::Trust::Full),
        reduced: options(command).with(gix::sec::Trust::Reduced),
    };
    let upwards = gix::discover::upwards::Options {
        match_ceiling_dir_or_error: false,
        ..Default::default()
    };
    let opened =
        gix::ThreadSafeRepository::discover_with_environment_overrides_opts(dir, upwards, mapping);
    match opened {
        Ok(repository) => Ok(tamed(repository.to_thread_local())),
        Err(cause) => Err(not_found(dir, Box::new(cause))),
    }
}

/// Returns the options that every opening shares.
fn options(command: &[BString]) -> gix::open::Options {
    gix::open::Options::default()
        .cli_overrides(command.iter().cloned())
        .config_overrides(["core.useReplaceRefs=false", ALLOC_LIMIT])
}

/// Makes a handle safe to judge with.
fn tamed(mut gix: gix::Repository) -> gix::Repository {
    gix.objects.ignore_replacements = true;
    // Git has one set of refs for `rev-parse`; a namespace that the environment or a setting names
    // would show us others.
    gix.refs.namespace = None;
    gix
}

/// Passes the gate: control files, format and extensions.
fn pass_gate(git_dir: &Path, common_dir: &Path) -> Result<(), OpenError> {
    stands_clear(controls::check(git_dir, common_dir))?;
    let at = shown(git_dir);
    gate::check(git_dir, common_dir).map_err(|refusal| match refusal {
        Refusal::Version { version } => OpenError::Format {
            git_dir: at,
            version,
        },
        Refusal::Extension { extension } => OpenError::Extension {
            git_dir: at,
            extension,
        },
        Refusal::Unreadable { path, why } => OpenError::Configuration {
            path: shown(&path),
            why,
        },
    })
}

/// Returns the index in force: that of `GIT_INDEX_FILE`, which git reads from `base`, the top of the
/// work tree.
///
/// gix would read it from where we were started, and would believe a setting that git has not.
fn index_path(found: &gix::Repository, base: &Path) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    let settings = found.config_snapshot();
    let named = settings
        .plumbing()
        .raw_value_filter("gitoxide.core.indexFile", |meta| {
            meta.source == gix::config::Source::EnvOverride
        });
    named.map_or_else(
        |_| found.git_dir().join("index"),
        |path| base.join(std::ffi::OsStr::from_bytes(&path)),
    )
}

/// Resolves the directory that we were started in.
fn resolved(dir: &Path) -> Result<PathBuf, OpenError> {
    dir.canonicalize()
        .map_err(|cause| not_found(dir, Box::new(cause)))
}

/// Resolves a path where that is possible.
pub(super) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Makes the error for a directory without a repository.
fn not_found(dir: &Path, cause: Cause) -> OpenError {
    OpenError::NotFound {
        dir: shown(dir),
        cause,
    }
}

/// The cause when `.git` leads nowhere.
fn no_git_dir() -> Cause {
    "`.git` names no repository".into()
}

/// Shows a path of the file system.
fn shown(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    crate::model::text::path(path.as_os_str().as_bytes())
}
