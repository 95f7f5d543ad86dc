//! Blobs that earlier trees of the ledger held and its present tree does not.

use std::collections::BTreeSet;

use super::super::ids::from_gix;
use super::super::objects::ObjectsError;
use super::super::open::Repository;
use super::{fanout, former_tree};
use crate::model::ids::Oid;

/// What walking trees has met.
#[derive(Debug, Default)]
struct Met {
    /// Trees, each read once.
    trees: BTreeSet<Oid>,
    /// Blobs.
    blobs: BTreeSet<Oid>,
}

/// Lists the blobs that some of these trees held and `present` does not.
pub(super) fn blobs(
    repo: &Repository,
    present: &Oid,
    earlier: &[Oid],
) -> Result<Vec<Oid>, ObjectsError> {
    let mut now = Met::default();
    now.meet(repo, *present)?;
    let mut before = Met {
        trees: now.trees,
        blobs: BTreeSet::new(),
    };
    for tree in earlier {
        before.meet(repo, *tree)?;
    }
    Ok(before.blobs.difference(&now.blobs).copied().collect())
}

impl Met {
    /// Meets everything below a tree; a tree that was met before is not read again, so that work
    /// grows with what changed.
    fn meet(&mut self, repo: &Repository, top: Oid) -> Result<(), ObjectsError> {
        let mut todo = vec![top];
        while let Some(tree) = todo.pop() {
            if !self.trees.insert(tree) {
                continue;
            }
            if self.trees.len() + self.blobs.len() + todo.len() > fanout::MOST {
                let most = fanout::MOST;
                return Err(ObjectsError::TooMany { id: top, most });
            }
            former_tree::each(repo, &tree, |entry| {
                let id = from_gix(entry.oid);
                if entry.mode.is_tree() {
                    todo.push(id);
                } else if entry.mode.is_blob() {
                    self.blobs.insert(id);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
