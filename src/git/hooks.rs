//! Where git looks for hooks, and whose place that is.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use super::open::{Repository, canonical};
use super::settings::file_path;
use crate::model::settings::Scope;

/// What is below an error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Where git looks for hooks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HookPlace {
    /// The directory, as it is named; it need not be there.
    pub(crate) directory: PathBuf,
    /// Who says so: the scope of `core.hooksPath`; none where it is the usual one.
    pub(crate) scope: Option<Scope>,
    /// Whose place it is.
    pub(crate) whose: Whose,
}

/// Whose place a directory of hooks is, links resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whose {
    /// It lies in the git directory: it is this clone's alone.
    Clones,
    /// It lies in the work tree, and git ignores what is in it.
    Ignored,
    /// It lies in the work tree, and what is in it is tracked, or would be.
    Tracked,
    /// It lies elsewhere: other repositories may use it.
    Elsewhere,
}

impl Repository {
    /// Finds where git looks for hooks: `core.hooksPath` is relative to where hooks run, which is the
    /// top of the work tree, or the git directory of a bare repository.
    pub(crate) fn hook_place(&self) -> Result<HookPlace, Cause> {
        let settings = self.configuration();
        let named = settings
            .iter()
            .rev()
            .find(|one| one.key == "core.hookspath");
        let usual = || self.common_dir().join("hooks");
        let (directory, scope) = match named {
            None => (usual(), None),
            Some(one) => {
                let path = one.value.as_ref().and_then(file_path);
                let path = path.ok_or("core.hooksPath names no path")?;
                // Git puts the name of the hook behind it, with a slash.
                let path = if path.as_os_str().is_empty() {
                    PathBuf::from("/")
                } else {
                    path
                };
                let base = self.work_dir().unwrap_or(self.git_dir());
                (base.join(path), Some(one.scope))
            }
        };
        Ok(HookPlace {
            whose: self.whose(&directory)?,
            directory,
            scope,
        })
    }

    /// Lists the values of the keys that fit, each with its key: section and name in lower case.
    pub(crate) fn values_of(&self, fits: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let pairs = self.configuration().into_iter().filter_map(|one| {
            let value = one
                .value
                .map_or_else(|| "true".into(), |value| value.to_string());
            Some((String::from_utf8(one.key.into()).ok()?, value))
        });
        pairs.filter(|(key, _)| fits(key)).collect()
    }

    /// Returns the usual directory of hooks.
    pub(crate) fn usual_hooks(&self) -> PathBuf {
        self.common_dir().join("hooks")
    }

    /// Says whose place a directory is.
    fn whose(&self, directory: &Path) -> Result<Whose, Cause> {
        let Some(real) = resolved(directory) else {
            return Ok(Whose::Elsewhere);
        };
        if real.starts_with(canonical(self.common_dir())) {
            return Ok(Whose::Clones);
        }
        let Some(below) = self.work_dir().and_then(|top| real.strip_prefix(top).ok()) else {
            return Ok(Whose::Elsewhere);
        };
        // A file of an ignored directory that is tracked all the same is asked for by its name.
        let path = below.join("pre-push");
        let path = path.to_str().ok_or("its name is no UTF-8")?;
        Ok(if self.ignores(path)? && !self.tracks_below(below)? {
            Whose::Ignored
        } else {
            Whose::Tracked
        })
    }

    /// Says whether a file below a directory is tracked.
    fn tracks_below(&self, directory: &Path) -> Result<bool, Cause> {
        let index = self.gix.index_or_empty()?;
        let prefix = [directory.as_os_str().as_bytes(), b"/"].concat();
        let mut paths = index.entries().iter().map(|entry| entry.path(&index));
        Ok(paths.any(|path| path.starts_with(&prefix)))
    }
}

/// Resolves the links of as much of a path as is there; none where `..` follows what is not.
fn resolved(path: &Path) -> Option<PathBuf> {
    let mut above = path.ancestors();
    let (real, rest) = above.find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some((above.canonicalize().ok()?, rest))
    })?;
    let goes_up = rest.components().any(|part| part == Component::ParentDir);
    let whole = rest.components().fold(real, |path, part| path.join(part));
    (!goes_up).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    #[test]
    fn the_place_is_found_as_git_finds_it_and_is_somebodys() {
        let world = World::new();
        let top = world.path("repo");
        std::fs::create_dir_all(top.join(".husky/_")).unwrap();
        std::fs::write(top.join(".husky/_/.gitignore"), "*").unwrap();
        std::os::unix::fs::symlink(world.path("shared"), top.join(".git/away")).unwrap();
        std::fs::create_dir_all(world.path("shared")).unwrap();
        let usual = world.repository().hook_place().unwrap();
        assert_eq!((usual.whose, usual.scope), (Whose::Clones, None));
        for (named, expected) in [
            (".git/mine", Whose::Clones),
            (".githooks", Whose::Tracked),
            (".husky/_", Whose::Ignored),
            ("../shared", Whose::Elsewhere),
            (".git/away", Whose::Elsewhere),
            (".git/gone/../../../shared", Whose::Elsewhere),
            ("/nowhere/at/all", Whose::Elsewhere),
        ] {
            world.git(&["config", "core.hooksPath", named]);

            let place = world.repository().hook_place().unwrap();

            assert_eq!(place.whose, expected, "{named}");
            assert_eq!(place.scope, Some(Scope::Local), "{named}");
            let path = world.git(&["rev-parse", "--git-path", "hooks/pre-push"]);
            let path = top.join(path.trim());
            assert_eq!(
                resolved(&place.directory.join("pre-push")),
                resolved(&path),
                "{named}"
            );
        }
        std::fs::write(top.join(".husky/_/x"), "x").unwrap();
        world.git(&["add", "-f", ".husky/_/x"]);
        world.git(&["config", "core.hooksPath", ".husky/_"]);
        let tracked = world.repository().hook_place().unwrap();
        assert_eq!(tracked.whose, Whose::Tracked);
    }
}
