//! Joining the ledger with that of another clone: one commit with both tips as parents.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::objs::Kind;

use super::super::durable::Durable;
use super::super::ids::from_gix;
use super::layout::Layout;
use super::publish::{Move, Moved};
use super::{REF, RefNotes, person, unreadable, unwritable, write};
use crate::git::objects::ObjectsError;
use crate::ledger::notes::{Join, Joins, NotesError, Text};
use crate::model::ids::Oid;

impl RefNotes<'_> {
    /// Writes the texts that have no blob yet, and names the blob of each object.
    fn blobs(
        &self,
        notes: &BTreeMap<Oid, Text>,
        durable: &Durable<'_>,
    ) -> Result<BTreeMap<String, ObjectId>, NotesError> {
        let mut blobs = BTreeMap::new();
        for (target, text) in notes {
            let blob = match text {
                Text::Stored(id) => self.known(id)?,
                Text::Made(bytes) => write(durable, "a joined note", Kind::Blob, bytes)?,
            };
            blobs.insert(target.to_string(), blob);
        }
        Ok(blobs)
    }

    /// Returns an id as gix has it.
    fn known(&self, id: &Oid) -> Result<ObjectId, NotesError> {
        let missing = || unreadable(ObjectsError::Missing { id: *id });
        self.repo.gix_id(id).ok_or_else(missing)
    }
}

impl Joins for RefNotes<'_> {
    fn join(&self, join: &Join) -> Result<Oid, NotesError> {
        let durable = Durable::new(&self.repo.gix);
        let mut layout = Layout::of(&self.blobs(&join.notes, &durable)?);
        for tip in [&join.tips.0, &join.tips.1] {
            let root = self.tree_of(tip)?;
            layout.carry(self.repo, &root).map_err(unreadable)?;
        }
        let tree = layout.write(self.repo, &durable);
        let tree = tree.map_err(|cause| unwritable("the joined notes tree", cause))?;
        let parents = vec![self.known(&join.tips.0)?, self.known(&join.tips.1)?];
        let commit = self.commit_bytes(&join.subject, parents, tree);
        let commit = commit.map_err(|cause| unwritable("the joining commit", cause))?;
        let id = self.write_signed(&durable, "the joining commit", &commit)?;
        let flushed = durable.flush();
        flushed.map_err(|cause| unwritable("the joined notes", cause))?;
        Ok(from_gix(&id))
    }

    fn advance(&self, from: Option<&Oid>, to: &Oid, reason: &str) -> Result<bool, NotesError> {
        let (_, by) = person::author_and_committer(&self.repo.gix, &self.key);
        let step = Move {
            from: from.map(|from| self.known(from)).transpose()?,
            to: self.known(to)?,
            reason: &format!("plan-audit: {reason}"),
            by: &by,
            objects: &Durable::new(&self.repo.gix),
            patience: self.patience,
        };
        match step.make(self.repo) {
            Ok(Moved::Done) => Ok(true),
            Ok(Moved::Lost) => Ok(false),
            Ok(Moved::Locked(path)) => Err(super::locked(&path)),
            Err(cause) => Err(unwritable(REF, cause)),
        }
    }

    fn give_way(&self, tries: u32) {
        super::pause(tries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;
    use crate::ledger::notes::{Batch, Notes as _};
    use crate::ledger::union::union;

    /// Makes a ledger of these lines, each the note of an object of its number, and returns its tip.
    fn ledger(world: &World, lines: &[(u8, &str)]) -> Oid {
        world.try_git("repo", &["update-ref", "-d", REF]);
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        for (number, line) in lines {
            let batch = Batch {
                target: Oid::parse(&format!("{number:02x}").repeat(20)).unwrap(),
                lines: vec![(*line).to_owned()],
                kept: Vec::new(),
                subject: "one".to_owned(),
            };
            notes.append(&batch).unwrap();
        }
        notes.tip().unwrap().unwrap()
    }

    fn joined(world: &World, tips: (Oid, Oid)) -> Oid {
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let (ours, theirs) = (notes.list(&tips.0).unwrap(), notes.list(&tips.1).unwrap());
        let read = |id: &Oid| notes.blob(id).map(Option::unwrap_or_default);
        let union = union((&ours, &theirs), read).unwrap();
        let join = Join {
            tips,
            notes: union.notes,
            subject: "join".to_owned(),
        };
        notes.join(&join).unwrap()
    }

    fn tree(world: &World, commit: &Oid) -> String {
        world.git(&["rev-parse", &format!("{commit}^{{tree}}")])
    }

    #[test]
    fn a_join_has_both_parents_and_one_tree_from_either_side() {
        let world = World::new();
        let many: Vec<(u8, &str)> = (0..=255).map(|number| (number, "a")).collect();
        let few = ledger(&world, &[(1, "b"), (2, "a")]);
        let full = ledger(&world, &many);

        let (one, other) = (joined(&world, (few, full)), joined(&world, (full, few)));

        assert_eq!(tree(&world, &one), tree(&world, &other));
        let parents = world.git(&["log", "-1", "--format=%P", &one.to_string()]);
        assert_eq!(parents, format!("{few} {full}\n"));
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        assert!(notes.advance(Some(&full), &one, "joined").unwrap());
        assert!(!notes.advance(Some(&full), &other, "joined").unwrap());
        assert_eq!(notes.tip().unwrap(), Some(one));
        let shown = world.git(&["notes", "--ref=plan-audit", "show", &"01".repeat(20)]);
        assert_eq!(shown, "a\nb\n");
        world.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]);
    }

    #[test]
    fn a_tree_of_many_notes_is_split_and_the_same_however_it_came_about() {
        let world = World::new();
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let id = ObjectId::from_hex(blob.trim().as_bytes()).unwrap();
        let notes: BTreeMap<String, ObjectId> = (0..600_u32)
            .map(|number| (format!("{number:040x}"), id))
            .collect();
        let repo = world.repository();

        let tree = Layout::of(&notes)
            .write(&repo, &Durable::new(&repo.gix))
            .unwrap();

        let names = world.git(&["ls-tree", "-r", "--name-only", &tree.to_string()]);
        assert_eq!(names.lines().count(), 600);
        let joined: Vec<String> = names.lines().map(|name| name.replace('/', "")).collect();
        assert!(joined.iter().all(|name| notes.contains_key(name)));
        assert!(names.lines().all(|name| name.contains('/')));
    }

    #[test]
    fn what_is_no_note_is_carried_along_unless_a_note_needs_its_place() {
        let world = World::new();
        let plain = ledger(&world, &[(1, "a")]);
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let strange = |names: &[&str]| {
            world.git(&["read-tree", &plain.to_string()]);
            for name in names {
                let entry = format!("100644,{},{name}", blob.trim());
                world.git(&["update-index", "--add", "--cacheinfo", &entry]);
            }
            let tree = world.git(&["write-tree"]);
            let commit = world.git(&[
                "commit-tree",
                "-m",
                "x",
                "-p",
                &plain.to_string(),
                tree.trim(),
            ]);
            Oid::parse(commit.trim()).unwrap()
        };
        let below = "01/".to_owned() + &"01".repeat(19) + "/x";
        let first = strange(&["README", "zz/notes/x"]);
        let second = strange(&["README", "01/odd", &below]);

        let one = joined(&world, (first, second));

        let names = world.git(&["ls-tree", "-r", "--name-only", &one.to_string()]);
        let note = "01".repeat(20);
        let mut expected = vec![note.as_str(), "01/odd", &below, "README", "zz/notes/x"];
        expected.sort_unstable();
        let mut names: Vec<&str> = names.lines().collect();
        names.sort_unstable();
        assert_eq!(names, expected);
        assert_eq!(
            tree(&world, &one),
            tree(&world, &joined(&world, (second, first)))
        );
    }
}
