//! Where local files are: beside the repository, and in the user's own directories.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The environment as `app` read it.
pub(crate) type Environment = BTreeMap<OsString, OsString>;

/// The directory name below a git directory.
const BESIDE_GIT: &str = "plan-audit";
/// The directory name below the user's own directories.
const OF_THE_USER: &str = "git-plan-audit";

/// Where local files of one clone and its user are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// The common git directory itself.
    common_git_dir: PathBuf,
    /// The git directory of this worktree itself.
    git_dir: PathBuf,
    /// The user's directories, as far as the environment tells them.
    user: [Option<PathBuf>; 3],
}

/// Why there is no such place.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlacesError {
    /// The environment does not tell where the user's files are.
    #[error("HOME is not set, and neither is {variable}: there is no place for {what}")]
    NoHome {
        /// The variable that would tell it too.
        variable: &'static str,
        /// What belongs there.
        what: &'static str,
    },
}

/// The user's directories: variable, place below HOME, what belongs there.
const USER: [(&str, &str, &str); 3] = [
    ("XDG_CONFIG_HOME", ".config", "keys"),
    (
        "XDG_STATE_HOME",
        ".local/state",
        "the identity of this clone",
    ),
    ("XDG_CACHE_HOME", ".cache", "the cache"),
];

impl Places {
    /// Derives the places from the git directories and the environment.
    pub(crate) fn new(common_git_dir: &Path, git_dir: &Path, environment: &Environment) -> Self {
        Self {
            common_git_dir: common_git_dir.to_owned(),
            git_dir: git_dir.to_owned(),
            user: USER.map(|(variable, below, _)| user_directory(environment, variable, below)),
        }
    }

    /// Returns the directory that all worktrees of this clone share.
    pub(crate) fn common(&self) -> PathBuf {
        self.common_git_dir.join(BESIDE_GIT)
    }

    /// Returns the directory of this worktree.
    pub(crate) fn worktree(&self) -> PathBuf {
        self.git_dir.join(BESIDE_GIT)
    }

    /// Returns the common git directory itself.
    pub(crate) fn common_git_dir(&self) -> &Path {
        &self.common_git_dir
    }

    /// Returns the git directory of this worktree itself.
    pub(crate) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Returns the directory of keys.
    pub(crate) fn keys(&self) -> Result<PathBuf, PlacesError> {
        let [config, ..] = &self.user;
        place(config.as_ref(), 0).map(|config| config.join("keys"))
    }

    /// Returns the directory of state.
    pub(crate) fn state(&self) -> Result<PathBuf, PlacesError> {
        let [_, state, _] = &self.user;
        place(state.as_ref(), 1)
    }

    /// Returns the directory of the cache.
    pub(crate) fn cache(&self) -> Result<PathBuf, PlacesError> {
        let [.., cache] = &self.user;
        place(cache.as_ref(), 2)
    }
}

/// Returns a place, or says what is missing.
fn place(found: Option<&PathBuf>, row: usize) -> Result<PathBuf, PlacesError> {
    let (variable, _, what) = USER.get(row).copied().unwrap_or_default();
    found.cloned().ok_or(PlacesError::NoHome { variable, what })
}

/// Returns a directory of the user; relative values are ignored, as the XDG specification says.
fn user_directory(environment: &Environment, variable: &str, below: &str) -> Option<PathBuf> {
    let value = |name: &str| environment.get(&OsString::from(name)).map(PathBuf::from);
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let home = || value("HOME").and_then(absolute);
    value(variable)
        .and_then(absolute)
        .or_else(|| home().map(|home| home.join(below)))
        .map(|directory| directory.join(OF_THE_USER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(variables: &[(&str, &str)]) -> Places {
        let pair = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
        let environment = variables.iter().map(pair).collect();
        Places::new(
            Path::new("/r/.git"),
            Path::new("/r/.git/worktrees/w"),
            &environment,
        )
    }

    #[test]
    fn worktrees_share_the_common_directory() {
        let places = places(&[]);

        assert_eq!(places.common(), Path::new("/r/.git/plan-audit"));
        assert_eq!(
            places.worktree(),
            Path::new("/r/.git/worktrees/w/plan-audit")
        );
    }

    #[test]
    fn the_users_directories_follow_xdg_and_home() {
        let places = places(&[
            ("HOME", "/h"),
            ("XDG_STATE_HOME", "/s"),
            ("XDG_CACHE_HOME", "c"),
        ]);

        assert_eq!(
            places.keys().unwrap(),
            Path::new("/h/.config/git-plan-audit/keys")
        );
        assert_eq!(places.state().unwrap(), Path::new("/s/git-plan-audit"));
        assert_eq!(
            places.cache().unwrap(),
            Path::new("/h/.cache/git-plan-audit")
        );
    }

    #[test]
    fn without_a_home_the_error_says_so() {
        for variables in [&[][..], &[("HOME", "")][..], &[("HOME", "h")][..]] {
            let error = places(variables).keys().unwrap_err().to_string();

            assert!(error.starts_with("HOME is not set"), "{error}");
        }
    }
}
