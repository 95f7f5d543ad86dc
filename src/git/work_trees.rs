//! The work trees of one repository.

use std::path::PathBuf;

use super::open::{Repository, canonical};

impl Repository {
    /// Says whether this is a repository to which others push, and in which nobody works: it is bare, on
    /// purpose, and has no work trees.
    pub(crate) fn is_served(&self) -> bool {
        self.is_bare() && self.bare_hint().is_none() && self.work_trees().is_empty()
    }

    /// Lists the tops of all work trees of this repository, this one first; links are resolved.
    pub(crate) fn work_trees(&self) -> Vec<PathBuf> {
        let own = self.work_dir().map(canonical);
        let main = self.gix.main_repo().ok();
        let main = main.and_then(|main| main.workdir().map(canonical));
        let linked = self.gix.worktrees().unwrap_or_default();
        let linked = linked.iter().filter_map(|tree| tree.base().ok());
        let mut all: Vec<PathBuf> = Vec::new();
        for top in own
            .into_iter()
            .chain(main)
            .chain(linked.map(|base| canonical(&base)))
        {
            if !all.contains(&top) {
                all.push(top);
            }
        }
        all
    }
}
