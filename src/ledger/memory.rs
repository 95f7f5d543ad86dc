//! Notes in memory, for tests: a ref with its history, and what a foreign writer may do to it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::notes::{Batch, Former, NoteEntry, Notes, NotesError};
use crate::model::ids::Oid;
use crate::wire::digest::sha256;

/// One tree of notes: the blob of each object that has one.
pub(crate) type Tree = BTreeMap<Oid, Oid>;

/// A ledger's storage. Ids are SHA-256 over the bytes alone, so they are nobody's git ids.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Every blob.
    blobs: RefCell<BTreeMap<Oid, Vec<u8>>>,
    /// The trees of the ref's commits, the present one last.
    history: RefCell<Vec<Tree>>,
    /// Whether appends are refused.
    is_stuck: Cell<bool>,
    /// Whether earlier commits are said not to be here.
    is_cut: Cell<bool>,
}

impl Memory {
    /// Returns the present tree.
    pub(crate) fn tree(&self) -> Tree {
        self.history.borrow().last().cloned().unwrap_or_default()
    }

    /// Returns the text of each note.
    pub(crate) fn texts(&self) -> BTreeMap<Oid, String> {
        let blobs = self.blobs.borrow();
        let text = |blob: &Oid| blobs.get(blob).map(|bytes| String::from_utf8_lossy(bytes));
        let notes = self.tree().into_iter();
        notes
            .filter_map(|(target, blob)| Some((target, text(&blob)?.into_owned())))
            .collect()
    }

    /// Keeps a blob.
    pub(crate) fn put(&self, bytes: &[u8]) -> Oid {
        let id = self.blob_id(bytes);
        self.blobs.borrow_mut().insert(id, bytes.to_vec());
        id
    }

    /// Adds a commit whose notes hold exactly these lines, as plain git could.
    pub(crate) fn rewrite(&self, notes: &BTreeMap<Oid, Vec<String>>) {
        let mut tree: Tree = self.tree();
        tree.retain(|target, blob| target == blob);
        for (target, lines) in notes.iter().filter(|(_, lines)| !lines.is_empty()) {
            let text = lines.iter().map(|line| format!("{line}\n"));
            tree.insert(*target, self.put(text.collect::<String>().as_bytes()));
        }
        self.history.borrow_mut().push(tree);
    }

    /// Forgets every earlier commit, as a ref that was forced does.
    pub(crate) fn forget_history(&self) {
        let tree = self.tree();
        *self.history.borrow_mut() = vec![tree];
    }

    /// Keeps bytes as the note of themselves under an id that they do not have.
    pub(crate) fn claim(&self, id: &Oid, bytes: &[u8]) {
        self.blobs.borrow_mut().insert(*id, bytes.to_vec());
        let mut tree = self.tree();
        tree.insert(*id, *id);
        self.history.borrow_mut().push(tree);
    }

    /// Loses a blob, as a partial clone does.
    pub(crate) fn lose(&self, blob: &Oid) {
        self.blobs.borrow_mut().remove(blob);
    }

    /// Cuts off earlier commits, as a shallow clone does.
    pub(crate) fn cut(&self) {
        self.is_cut.set(true);
    }

    /// Lets appends fail, or no longer.
    pub(crate) fn stick(&self, is_stuck: bool) {
        self.is_stuck.set(is_stuck);
    }

    /// Returns how many commits the ref has.
    pub(crate) fn commits(&self) -> usize {
        self.history.borrow().len()
    }
}

impl Memory {
    /// Returns the tip when the ref had so many commits.
    fn tip_at(&self, count: usize) -> Option<Oid> {
        let history = self.history.borrow();
        let tree = history.get(count.checked_sub(1)?)?;
        let text = format!("{count} {tree:?}");
        Some(self.blob_id(text.as_bytes()))
    }
}

impl Notes for Memory {
    fn tip(&self) -> Result<Option<Oid>, NotesError> {
        let count = self.history.borrow().len();
        Ok(self.tip_at(count))
    }

    fn follows(&self, _tip: &Oid, earlier: &Oid) -> Result<bool, NotesError> {
        let count = self.history.borrow().len();
        Ok((1..=count).any(|count| self.tip_at(count).as_ref() == Some(earlier)))
    }

    fn demand_free(&self) -> Result<(), NotesError> {
        Ok(())
    }

    fn list(&self, _tip: &Oid) -> Result<Vec<NoteEntry>, NotesError> {
        let entry = |(target, blob)| NoteEntry { target, blob };
        Ok(self.tree().into_iter().map(entry).collect())
    }

    fn strays(&self, _tip: &Oid) -> Result<Vec<String>, NotesError> {
        Ok(Vec::new())
    }

    fn former(&self, _tip: &Oid) -> Result<Former, NotesError> {
        let now = self.tree();
        let history = self.history.borrow();
        let all = history.iter().flatten();
        let gone = all.filter(|(target, blob)| now.get(target) != Some(blob));
        let blobs: BTreeSet<Oid> = gone.map(|(_, blob)| *blob).collect();
        Ok(Former {
            blobs: blobs.into_iter().collect(),
            is_cut: self.is_cut.get(),
        })
    }

    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, NotesError> {
        Ok(self.blobs.borrow().get(id).cloned())
    }

    fn blob_id(&self, bytes: &[u8]) -> Oid {
        Oid::Sha256(*sha256(bytes).as_bytes())
    }

    fn append(&self, batch: &Batch) -> Result<Oid, NotesError> {
        if self.is_stuck.get() {
            return Err(NotesError::Contended { tries: 1 });
        }
        let mut tree = self.tree();
        for kept in &batch.kept {
            let blob = self.put(kept);
            tree.insert(blob, blob);
        }
        let mut text = self.texts().remove(&batch.target).unwrap_or_default();
        for line in &batch.lines {
            text.push_str(line);
            text.push('\n');
        }
        tree.insert(batch.target, self.put(text.as_bytes()));
        self.history.borrow_mut().push(tree);
        self.tip().map(|tip| tip.unwrap_or(batch.target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Oid {
        Oid::Sha256([7; 32])
    }

    fn append(notes: &Memory, line: &str) {
        let batch = Batch {
            target: target(),
            lines: vec![line.to_owned()],
            kept: vec![b"kept".to_vec()],
            subject: String::new(),
        };
        notes.append(&batch).unwrap();
    }

    #[test]
    fn a_note_grows_and_its_former_blobs_are_known() {
        let notes = Memory::default();
        append(&notes, "one");
        let first = notes.tree()[&target()];

        append(&notes, "two");

        let tip = notes.tip().unwrap().unwrap();
        assert_eq!(notes.texts()[&target()], "one\ntwo\n");
        assert_eq!(notes.former(&tip).unwrap().blobs, [first]);
        notes.forget_history();
        assert_eq!(notes.former(&tip).unwrap().blobs, []);
    }

    #[test]
    fn a_rewritten_note_holds_what_was_put_there_and_kept_blobs_stay() {
        let notes = Memory::default();
        append(&notes, "one");

        notes.rewrite(&BTreeMap::from([(target(), vec!["two".to_owned()])]));

        assert_eq!(notes.texts()[&target()], "two\n");
        assert_eq!((notes.texts().len(), notes.commits()), (2, 2));
    }
}
