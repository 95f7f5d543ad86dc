//! Where local files live (DESIGN section 2; XDG Base Directory Specification).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::LocalError;

/// The folder of this tool in each place.
const FOLDER: &str = "git-plan-audit";

/// The places of one clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// `$GIT_COMMON_DIR/plan-audit`: local to the clone, shared by its work trees.
    pub(crate) common: PathBuf,
    /// The git directory of this work tree.
    pub(crate) git_dir: PathBuf,
    /// The common git directory, with links resolved.
    pub(crate) common_dir: PathBuf,
    /// Keys that we made.
    pub(crate) keys: PathBuf,
    /// What clones know of their own last appends, outside any workspace.
    pub(crate) anchors: PathBuf,
    /// What checks gave and no key could prove, outside any workspace.
    pub(crate) unproven: PathBuf,
    /// What is known of clones, outside any workspace.
    pub(crate) clones: PathBuf,
    /// Private checkouts, in the user's cache.
    pub(crate) checkouts: PathBuf,
}

impl Places {
    /// Finds the places.
    pub(crate) fn find(
        common_dir: &Path,
        git_dir: &Path,
        variables: &BTreeMap<OsString, OsString>,
    ) -> Result<Self, LocalError> {
        let config = base(variables, "XDG_CONFIG_HOME", ".config")?;
        let state = base(variables, "XDG_STATE_HOME", ".local/state")?;
        let cache = base(variables, "XDG_CACHE_HOME", ".cache")?;
        let common_dir = common_dir
            .canonicalize()
            .unwrap_or_else(|_| common_dir.to_owned());
        Ok(Self {
            common: common_dir.join("plan-audit"),
            git_dir: git_dir.to_owned(),
            common_dir,
            keys: config.join(FOLDER).join("keys"),
            anchors: state.join(FOLDER).join("anchors"),
            unproven: state.join(FOLDER).join("unproven"),
            clones: state.join(FOLDER).join("clones"),
            checkouts: cache.join(FOLDER).join("checkouts"),
        })
    }

    /// Demands that what lies in the git directory is ours: a link there would make us write
    /// elsewhere, and in a directory of somebody else our files could be exchanged.
    pub(crate) fn demand_own(&self) -> Result<(), LocalError> {
        let below = ["pending", "intents", "outputs"].map(|name| self.common.join(name));
        for path in below.into_iter().chain([self.common.clone()]) {
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            let why = if !metadata.is_dir() {
                "is no directory"
            } else if self.is_foreign(&metadata) {
                "belongs to another user"
            } else {
                continue;
            };
            let path = path.display().to_string();
            return Err(LocalError::Planted { path, why });
        }
        Ok(())
    }

    /// Says whether a directory is of a user who may not write to the git directory itself.
    fn is_foreign(&self, metadata: &Metadata) -> bool {
        let owner = metadata.uid();
        let mine = [0, nix::unistd::geteuid().as_raw()];
        let is_known = fs::metadata(&self.common_dir).is_ok_and(|common| {
            let is_shared = common.permissions().mode() & 0o022 != 0;
            common.uid() == owner || is_shared
        });
        !mine.contains(&owner) && !is_known
    }
}

/// Returns a base directory; a relative value is ignored, as the specification demands.
pub(super) fn base(
    variables: &BTreeMap<OsString, OsString>,
    variable: &'static str,
    below_home: &str,
) -> Result<PathBuf, LocalError> {
    let absolute = |name: &str| {
        let path = variables.get(OsStr::new(name)).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    absolute(variable)
        .or_else(|| absolute("HOME").map(|home| home.join(below_home)))
        .ok_or(LocalError::NoHome { variable })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Result<Places, LocalError> {
        let pair = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
        let variables = variables.iter().map(pair).collect();
        Places::find(Path::new("/r/.git"), Path::new("/r/.git"), &variables)
    }

    #[test]
    fn a_relative_base_directory_is_ignored() {
        let places = found(&[("HOME", "/h"), ("XDG_STATE_HOME", "x")]).unwrap();

        assert_eq!(
            places.clones,
            Path::new("/h/.local/state/git-plan-audit/clones")
        );
    }

    #[test]
    fn without_a_home_there_is_no_place() {
        assert!(matches!(
            found(&[("HOME", "h")]),
            Err(LocalError::NoHome { .. })
        ));
    }

    /// Makes a git directory with places in it.
    fn made() -> (tempfile::TempDir, Places) {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(scratch.path(), scratch.path(), &home).unwrap();
        (scratch, places)
    }

    #[test]
    fn a_link_in_the_place_of_a_directory_of_ours_is_refused() {
        let (scratch, places) = made();
        places.demand_own().unwrap();
        let moved = scratch.path().join("moved");
        for name in ["pending", "intents", "outputs", ""] {
            let path = places.common.join(name);
            fs::create_dir_all(&path).unwrap();
            places.demand_own().unwrap();
            let path = path.components().collect::<PathBuf>();
            fs::rename(&path, &moved).unwrap();
            std::os::unix::fs::symlink(&moved, &path).unwrap();

            let refused = places.demand_own().unwrap_err().to_string();

            assert!(refused.starts_with(path.to_str().unwrap()), "{refused}");
            fs::remove_file(&path).unwrap();
            fs::rename(&moved, &path).unwrap();
        }
    }

    #[test]
    fn a_directory_of_somebody_else_is_refused_unless_all_is_shared() {
        let (scratch, places) = made();
        fs::create_dir_all(&places.common).unwrap();
        if !nix::unistd::geteuid().is_root() {
            return;
        }
        std::os::unix::fs::chown(&places.common, Some(12345), None).unwrap();
        assert!(places.demand_own().is_err());

        let shared = fs::Permissions::from_mode(0o2775);
        fs::set_permissions(scratch.path(), shared).unwrap();

        places.demand_own().unwrap();
    }
}
