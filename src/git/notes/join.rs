//! Joining the ledger with that of another clone: one commit with both tips as parents.
//!
//! What was written is read back before anybody is shown it.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::objs::Kind;

use super::super::durable::Durable;
use super::super::ids::from_gix;
use super::layout::Layout;
use super::publish::{Move, Moved};
use super::{REF, RefNotes, continuation, fanout, person, unreadable, unwritable, write};
use crate::git::objects::ObjectsError;
use crate::ledger::notes::{Join, Joins, NotesError, Text};
use crate::model::ids::Oid;

/// How many bytes a joined note has at most: a longer one goes on in kept blobs, so that whatever two
/// clones can read each, they can read together (D25).
const LONGEST: usize = 16 << 20;

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
                Text::Made(bytes) => {
                    let mut led = Vec::new();
                    for part in parts(bytes) {
                        let kept = write(durable, "a part of a joined note", Kind::Blob, part)?;
                        blobs.insert(kept.to_string(), kept);
                        led.extend_from_slice(continuation(&from_gix(&kept)).as_bytes());
                    }
                    let bytes = if led.is_empty() { bytes } else { &led };
                    write(durable, "a joined note", Kind::Blob, bytes)?
                }
            };
            blobs.insert(target.to_string(), blob);
        }
        Ok(blobs)
    }

    /// Demands that a written tree holds exactly these notes: what went wrong is found out before
    /// anybody is shown it.
    fn demand_written(
        &self,
        tree: &Oid,
        notes: &BTreeMap<String, ObjectId>,
    ) -> Result<(), NotesError> {
        let list = fanout::list(self.repo, tree).map_err(unreadable)?;
        let found = list
            .into_iter()
            .map(|note| (note.target.to_string(), note.blob.to_string()));
        let wanted = notes
            .iter()
            .map(|(target, id)| (target.clone(), id.to_string()));
        if found.eq(wanted) {
            return Ok(());
        }
        let cause = "the tree that was written does not hold the notes of both";
        Err(unwritable("the joined notes tree", cause))
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
        let notes = self.blobs(&join.notes, &durable)?;
        let mut layout = Layout::of(&notes);
        for tip in [&join.tips.0, &join.tips.1] {
            let root = self.tree_of(tip)?;
            layout.carry(self.repo, &root).map_err(unreadable)?;
        }
        let tree = layout.write(self.repo, &durable);
        let tree = tree.map_err(|cause| unwritable("the joined notes tree", cause))?;
        self.demand_written(&from_gix(&tree), &notes)?;
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
        // A remote is farther away than another process: the steps grow to a second.
        super::pause(tries.saturating_mul(20));
    }
}

/// Splits a text that is too long for one note at the ends of lines; none where it is not. A line
/// that is too long itself is a part.
fn parts(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while text.len() > LONGEST && !rest.is_empty() {
        let end = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n');
        let within = rest.get(..LONGEST).map_or(Some(rest.len() - 1), end);
        let first = || rest.iter().position(|byte| *byte == b'\n');
        let at = within.or_else(first).unwrap_or(rest.len() - 1);
        let (part, after) = rest.split_at(at + 1);
        parts.push(part);
        rest = after;
    }
    parts
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
        let union = union((&ours, &theirs), &notes).unwrap();
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

    #[test]
    fn a_directory_of_the_name_of_a_note_does_not_take_its_place() {
        let world = World::new();
        let ours = ledger(&world, &[(1, "a"), (2, "b")]);
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        world.git(&["read-tree", "--empty"]);
        for number in ["01", "02"] {
            let entry = format!("100644,{},{}/x", blob.trim(), number.repeat(20));
            world.git(&["update-index", "--add", "--cacheinfo", &entry]);
        }
        let tree = world.git(&["write-tree"]);
        let commit = [
            "commit-tree",
            "-m",
            "x",
            "-p",
            &ours.to_string(),
            tree.trim(),
        ];
        let theirs = Oid::parse(world.git(&commit).trim()).unwrap();

        for tips in [(ours, theirs), (theirs, ours)] {
            let one = joined(&world, tips);

            let notes = world.git(&["ls-tree", "-r", "--name-only", &one.to_string()]);
            assert_eq!(notes, format!("{}\n{}\n", "01".repeat(20), "02".repeat(20)));
        }
    }

    #[test]
    fn an_entry_that_is_no_blob_takes_no_note_away() {
        let empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let world = World::new();
        let ours = ledger(&world, &[(1, "a")]);
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let batch = Batch {
            target: Oid::parse(empty).unwrap(),
            lines: vec!["b".to_owned()],
            kept: Vec::new(),
            subject: "two".to_owned(),
        };
        let ours_too = notes.append(&batch).unwrap();
        let raw = |names: &[&str]| {
            let entry = |name: &&str| {
                let id = ObjectId::from_hex(name.as_bytes()).unwrap();
                [format!("100644 {name}\0").as_bytes(), id.as_slice()].concat()
            };
            let bytes: Vec<u8> = names.iter().flat_map(entry).collect();
            let tree = gix::objs::Write::write_buf(&repo.gix, Kind::Tree, &bytes)
                .unwrap()
                .to_string();
            let commit = ["commit-tree", "-m", "x", "-p", &ours_too.to_string(), &tree];
            Oid::parse(world.git(&commit).trim()).unwrap()
        };
        let theirs = raw(&[empty, &ours.to_string()]);

        let one = joined(&world, (ours_too, theirs));

        let listed = notes.list(&one).unwrap();
        let texts = listed
            .iter()
            .map(|note| notes.blob(&note.blob).unwrap().unwrap());
        assert_eq!(
            texts.collect::<Vec<_>>(),
            [b"a\n".to_vec(), b"b\n".to_vec()]
        );
    }

    #[test]
    fn a_text_that_is_too_long_for_one_note_goes_on_in_parts() {
        let world = World::new();
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let line = |number: u8| [vec![b'a' + number; 6 << 20], b"\n".to_vec()].concat();
        let text: Vec<u8> = (0..5).flat_map(line).collect();
        let target = Oid::parse(&"01".repeat(20)).unwrap();
        let tip = ledger(&world, &[(1, "a")]);
        let join = Join {
            tips: (tip, tip),
            notes: BTreeMap::from([(target, Text::Made(text.clone()))]),
            subject: "join".to_owned(),
        };

        let one = notes.join(&join).unwrap();

        let listed = notes.list(&one).unwrap();
        let kept = listed.iter().filter(|note| note.blob == note.target);
        let kept: Vec<_> = kept
            .map(|note| notes.blob(&note.blob).unwrap().unwrap())
            .collect();
        let long = kept.iter().map(Vec::len).sum::<usize>();
        assert_eq!((long, kept.len()), (text.len(), 3));
        assert!(kept.iter().all(|part| part.len() <= LONGEST));
        let note = listed.iter().find(|note| note.target == target).unwrap();
        let leads = notes.blob(&note.blob).unwrap().unwrap();
        let leads = String::from_utf8(leads).unwrap();
        assert_eq!(leads.lines().count(), 3);
    }

    #[test]
    fn texts_are_split_where_lines_end() {
        assert!(parts(&vec![b'x'; LONGEST]).is_empty());
        let long = vec![b'x'; LONGEST + 1];
        assert_eq!(parts(&long), [long.as_slice()]);
        let text = [&b"a\n"[..], &long, b"\nb\n"].concat();
        let lengths: Vec<usize> = parts(&text).into_iter().map(<[u8]>::len).collect();
        assert_eq!(lengths, [2, LONGEST + 2, 2]);
    }
}
