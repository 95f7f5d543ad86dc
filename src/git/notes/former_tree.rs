//! A tree that the ledger had once, read as far as it can be.
//!
//! Whoever may push can leave a tree behind that no reader takes: of absurd size, or with names that
//! are none. It holds nothing that this tool ever wrote or read, and no later commit can take it
//! away again. So it is passed over, while the tree at the tip must be whole.

use gix::objs::{Kind, TreeRefIter, tree::EntryRef};

use super::super::objects::ObjectsError;
use super::super::open::Repository;
use crate::model::ids::Oid;

/// Shows each entry of a former tree, up to the first that is none; what is no tree has none.
///
/// A tree that is not here, or whose bytes are not those of its id, is an error: it may have held
/// something.
pub(super) fn each(
    repo: &Repository,
    id: &Oid,
    mut seen: impl FnMut(EntryRef<'_>) -> Result<(), ObjectsError>,
) -> Result<(), ObjectsError> {
    let (kind, bytes) = match repo.object(id) {
        Ok(Some(found)) => found,
        Ok(None) => return Err(ObjectsError::Missing { id: *id }),
        Err(ObjectsError::TooLarge { .. }) => return Ok(()),
        Err(error) => return Err(error),
    };
    if kind != Kind::Tree {
        return Ok(());
    }
    let mut entries = TreeRefIter::from_bytes(&bytes, repo.gix.object_hash());
    entries
        .by_ref()
        .map_while(Result::ok)
        .try_for_each(&mut seen)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::RefNotes;
    use crate::git::testing::World;
    use crate::ledger::notes::{Batch, Notes as _};
    use crate::model::ids::Oid;

    /// Puts a commit with a tree, written as it is, between the tip of the ledger and a further one
    /// that has the tip's tree again.
    fn bury(world: &World, tree: &[u8]) {
        fs::write(world.path("odd"), tree).unwrap();
        let hash = ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"];
        let odd = world.git_from("odd", &hash);
        let tip = world.git(&["rev-parse", "refs/notes/plan-audit"]);
        let whole = world.git(&["rev-parse", "refs/notes/plan-audit^{tree}"]);
        let mut parent = tip;
        for tree in [odd, whole] {
            let commit = ["commit-tree", "-m", "x", "-p", parent.trim(), tree.trim()];
            parent = world.git(&commit);
        }
        world.git(&["update-ref", "refs/notes/plan-audit", parent.trim()]);
    }

    #[test]
    fn what_no_reader_takes_is_passed_over_in_the_past() {
        let world = World::new();
        let head = Oid::parse(world.git(&["rev-parse", "HEAD"]).trim()).unwrap();
        let append = |line: &str| {
            let repo = world.repository();
            let batch = Batch {
                target: head,
                lines: vec![line.to_owned()],
                kept: Vec::new(),
                subject: line.to_owned(),
            };
            RefNotes::reader(&repo).append(&batch).unwrap();
        };
        append("a");
        append("b");
        let blob = Oid::parse(world.git(&["rev-parse", "HEAD:file"]).trim()).unwrap();
        let entry = |name: &str| [format!("100644 {name}\0").as_bytes(), blob.as_bytes()].concat();
        let many: Vec<u8> = (0..400_001)
            .flat_map(|n| entry(&format!("{n:07}")))
            .collect();
        bury(&world, &many);
        bury(&world, &[&entry("a")[..], b"9 b\0short"].concat());

        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let tip = notes.tip().unwrap().unwrap();
        let former = notes.former(&tip).unwrap();

        let text = |id: &Oid| notes.blob(id).unwrap().unwrap();
        let texts: Vec<_> = former.blobs.iter().map(text).collect();
        assert!(texts.contains(&b"a\n".to_vec()), "{texts:?}");
        assert_eq!(notes.list(&tip).unwrap().len(), 1);
        append("c");
    }
}
