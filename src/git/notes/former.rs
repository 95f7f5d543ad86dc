//! Blobs that held lines of the ledger, now or earlier, and are not read as they were.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ids::from_gix;
use super::super::objects::ObjectsError;
use super::super::open::Repository;
use super::fanout::{self, Named};
use super::former_tree;
use crate::ledger::notes::NoteEntry;
use crate::model::ids::Oid;

/// Where a tree or a blob was met: the digits that lead to a directory, or the object that a note
/// hangs on; none where no note can be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct At<T>(Option<T>);

/// What walking trees has met.
#[derive(Debug, Default)]
struct Met {
    /// How each tree was met: at one place, and once more if it hangs elsewhere too, where it is
    /// nobody's. So no tree is read more than twice, whoever hangs it up how often.
    trees: BTreeMap<Oid, (At<String>, bool)>,
    /// Blobs, with what each is the note of.
    blobs: BTreeSet<(At<Oid>, Oid)>,
}

/// Lists the blobs that some of these trees hold, and `present` does not hold as the note of the
/// same object: also those that it keeps under another name, where nobody reads them.
pub(super) fn blobs(
    repo: &Repository,
    present: &Oid,
    earlier: &[Oid],
) -> Result<Vec<Oid>, ObjectsError> {
    let mut met = Met::default();
    for tree in [present].into_iter().chain(earlier) {
        met.meet(repo, *tree)?;
    }
    let read = fanout::list(repo, present)?;
    Ok(met.blobs_but(read))
}

impl Met {
    /// Lists the blobs that hang as none of these notes.
    fn blobs_but(mut self, read: Vec<NoteEntry>) -> Vec<Oid> {
        for note in read {
            self.blobs.remove(&(At(Some(note.target)), note.blob));
        }
        let rest: BTreeSet<Oid> = self.blobs.into_iter().map(|(_, blob)| blob).collect();
        rest.into_iter().collect()
    }

    /// Meets everything below a tree; a tree that was met at the same place before is not read
    /// again, so that work grows with what changed.
    fn meet(&mut self, repo: &Repository, top: Oid) -> Result<(), ObjectsError> {
        let digits = repo.gix.object_hash().len_in_hex();
        let mut todo = vec![(At(Some(String::new())), top)];
        while let Some((at, tree)) = todo.pop() {
            let Some(at) = self.first_time(at, tree) else {
                continue;
            };
            if self.trees.len() + self.blobs.len() + todo.len() > fanout::MOST {
                let most = fanout::MOST;
                return Err(ObjectsError::TooMany { id: top, most });
            }
            former_tree::each(repo, &tree, |entry| {
                let id = from_gix(entry.oid);
                let named = match &at.0 {
                    Some(prefix) => Named::of(prefix, &entry.into(), digits),
                    None => Named::Nothing,
                };
                match named {
                    Named::Directory(below) => todo.push((At(Some(below)), id)),
                    Named::Note(target) => drop(self.blobs.insert((At(Some(target)), id))),
                    Named::Nothing if entry.mode.is_tree() => todo.push((At(None), id)),
                    Named::Nothing if entry.mode.is_blob() => {
                        self.blobs.insert((At(None), id));
                    }
                    Named::Nothing => {}
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Notes that a tree is met, and returns as what it is to be read; none where it was.
    fn first_time(&mut self, at: At<String>, tree: Oid) -> Option<At<String>> {
        let Some((known, is_elsewhere)) = self.trees.get_mut(&tree) else {
            let is_elsewhere = at.0.is_none();
            self.trees.insert(tree, (at.clone(), is_elsewhere));
            return Some(at);
        };
        if *known == at || *is_elsewhere {
            return None;
        }
        *is_elsewhere = true;
        Some(At(None))
    }
}
