//! Plan files in the work tree, read without following links.

use std::fs;
use std::io;
use std::path::Path;

use gix::index::entry::Flags;
use gix::worktree::stack::state::ignore::Source;

use super::controls::{Obstacle, demand};
use super::open::Repository;
use super::plain;
use crate::model::ids::PlanName;
use crate::model::repository::PlanFile;
use crate::model::text;
use crate::wire::plan::plan_name_of;

/// The directory of plans.
const DIRECTORY: &str = ".plan-auditor";

impl Repository {
    /// Lists the plan files on disk, `default` first, then by name.
    ///
    /// A link, a directory, or a file whose name no plan may have is listed with what is wrong.
    ///
    /// So is one that a sparse checkout leaves out: it is not removed, and it cannot be read.
    pub(crate) fn plan_files(&self) -> io::Result<Vec<PlanFile>> {
        let Some(top) = self.work_dir() else {
            return Ok(Vec::new());
        };
        let mut files = on_disk(top)?;
        files.extend(self.left_out(top)?);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    /// Lists the plan files that a sparse checkout leaves out of the work tree.
    fn left_out(&self, top: &Path) -> io::Result<Vec<PlanFile>> {
        if self.gix.config_snapshot().boolean("core.sparseCheckout") != Some(true) {
            return Ok(Vec::new());
        }
        let index = self.gix.index_or_empty().map_err(io::Error::other)?;
        let prefix = format!("{DIRECTORY}/");
        let entries = index.entries().iter();
        let left_out = entries
            .filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))
            .map(|entry| entry.path(&index).to_string())
            .filter(|path| path.starts_with(&prefix))
            .filter(|path| fs::symlink_metadata(top.join(path)).is_err());
        let absent = |path: String| {
            // A whole directory that is left out holds the default plan for all that is known.
            let name = if path.ends_with('/') {
                PlanName::default_plan()
            } else {
                plan_name_of(&path).ok()??
            };
            let content = Err("a sparse checkout leaves it out; \
                 `git sparse-checkout add .plan-auditor` brings it here"
                .to_owned());
            Some(PlanFile {
                name,
                path,
                content,
            })
        };
        Ok(left_out.filter_map(absent).collect())
    }

    /// Says whether a file is in the plan directory of the work tree.
    pub(crate) fn has_plan_directory_file(&self, name: &str) -> bool {
        let path = self.work_dir().map(|top| top.join(DIRECTORY).join(name));
        path.is_some_and(|path| fs::symlink_metadata(path).is_ok())
    }

    /// Says whether the index holds a path, or a submodule that the path lies in.
    pub(crate) fn tracks(
        &self,
        path: &str,
    ) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
        let index = self.gix.index_or_empty()?;
        let is_submodule = |path: &Path| {
            let path = path.as_os_str().as_encoded_bytes().into();
            let entry = index.entry_by_path(path);
            entry.is_some_and(|entry| entry.mode == gix::index::entry::Mode::COMMIT)
        };
        let mut above = Path::new(path).ancestors().skip(1);
        Ok(index.entry_by_path(path.into()).is_some() || above.any(is_submodule))
    }

    /// Says whether git ignores a path that is not in the index.
    pub(crate) fn ignores(
        &self,
        path: &str,
    ) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
        let index = self.gix.index_or_empty()?;
        if index.entry_by_path(path.into()).is_some() {
            return Ok(false);
        }
        self.check_ignore_files(path)?;
        let mut excludes = self.gix.excludes(&index, None, Source::default())?;
        let mode = Some(gix::index::entry::Mode::FILE);
        Ok(excludes.at_entry(path, mode)?.is_excluded())
    }
}

impl Repository {
    /// Looks at the files of rules that gix opens to tell whether a path is ignored.
    fn check_ignore_files(&self, path: &str) -> Result<(), Obstacle> {
        let configured = self.gix.config_snapshot().trusted_path("core.excludesFile");
        if let Ok(Some(file)) = configured {
            demand(&file, plain::LIMIT)?;
        }
        let Some(top) = self.work_dir() else {
            return Ok(());
        };
        for directory in Path::new(path).ancestors().skip(1) {
            demand(&top.join(directory).join(".gitignore"), plain::LIMIT)?;
        }
        Ok(())
    }
}

/// Lists the plan files on disk, below the top of a work tree.
fn on_disk(top: &Path) -> io::Result<Vec<PlanFile>> {
    if !is_directory(top, DIRECTORY)? {
        return Ok(hidden(top, DIRECTORY).into_iter().collect());
    }
    let mut files = Vec::new();
    files.extend(read(top, &format!("{DIRECTORY}/plan.json")));
    let plans = format!("{DIRECTORY}/plans");
    if !is_directory(top, &plans)? {
        files.extend(hidden(top, &plans));
        return Ok(files);
    }
    let mut names = names(&top.join(&plans))?;
    names.sort();
    for name in names {
        files.extend(read(top, &format!("{plans}/{name}")));
    }
    Ok(files)
}

/// Says whether a path is a directory and no link; what is not there is none.
fn is_directory(top: &Path, path: &str) -> io::Result<bool> {
    match fs::symlink_metadata(top.join(path)) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes the plan file that stands for a directory which is something else: behind a link plans
/// would bind nothing. None where there is nothing.
fn hidden(top: &Path, path: &str) -> Option<PlanFile> {
    fs::symlink_metadata(top.join(path)).ok()?;
    Some(PlanFile {
        name: PlanName::default_plan(),
        path: path.to_owned(),
        content: Err("it is no directory".to_owned()),
    })
}

/// Lists the names of a directory; bytes that are no UTF-8 are shown as escapes.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(directory)?
        .map(|entry| Ok(text::path(entry?.file_name().as_encoded_bytes())))
        .collect()
}

/// Reads one file of the plan directory; none when it is no plan.
fn read(top: &Path, path: &str) -> Option<PlanFile> {
    let name = match plan_name_of(path) {
        Ok(name) => name?,
        Err(why) => {
            let name = PlanName::default_plan();
            return Some(PlanFile {
                name,
                path: path.to_owned(),
                content: Err(why),
            });
        }
    };
    let file = top.join(path);
    let content = match fs::symlink_metadata(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => Err(error.to_string()),
        Ok(metadata) if !metadata.is_file() => Err("it is no regular file".to_owned()),
        Ok(_) => match plain::read(&file) {
            Ok(bytes) => bytes.ok_or_else(|| "it vanished while it was read".to_owned()),
            Err(error) => Err(error.to_string()),
        },
    };
    Some(PlanFile {
        name,
        path: path.to_owned(),
        content,
    })
}
