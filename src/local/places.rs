//! Where local files live (DESIGN section 2; XDG Base Directory Specification).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
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
            clones: state.join(FOLDER).join("clones"),
            checkouts: cache.join(FOLDER).join("checkouts"),
        })
    }
}

/// Returns a base directory; a relative value is ignored, as the specification demands.
fn base(
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
}
