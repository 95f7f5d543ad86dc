//! The ledger's storage in git: notes under one ref, appended to durably and never rewritten.

mod fanout;
mod former;
mod former_tree;
mod join;
mod layout;
mod person;
mod publish;
mod received;
mod signed;
mod strays;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::time::{Duration, Instant};

use gix::ObjectId;
use gix::objs::{Commit, Kind, WriteTo as _};
use gix::refs::Target;

use self::fanout::Fanout;
use self::publish::{Move, Moved};
pub(crate) use self::signed::SignsCommits;
use super::durable::Durable;
use super::ids::from_gix;
use super::objects::ObjectsError;
use super::open::Repository;
use crate::ledger::notes::{Batch, Former, NoteEntry, Notes, NotesError};
use crate::model::ids::{Oid, Writer};
use crate::model::repository::LEDGER;
use crate::model::text;

/// The ref of the ledger.
pub(crate) const REF: &str = LEDGER;

/// The size at which a note rolls over (DESIGN 7.2).
const ROLL_OVER: usize = 64 * 1024;

/// How long an append tries in all.
const PATIENCE: Duration = Duration::from_secs(5);

/// The ledger's notes in a repository.
#[derive(Debug)]
pub(crate) struct RefNotes<'a> {
    /// The repository.
    repo: &'a Repository,
    /// Names the key in a commit where git knows no person (D23).
    key: String,
    /// Signs the commits, where that is asked for.
    signer: Option<&'a dyn SignsCommits>,
    /// How long an append tries in all.
    patience: Duration,
}

impl<'a> RefNotes<'a> {
    /// Opens the notes for reading; what is appended is by an unknown key.
    pub(crate) fn reader(repo: &'a Repository) -> Self {
        Self {
            repo,
            key: "unknown".to_owned(),
            signer: None,
            patience: PATIENCE,
        }
    }

    /// Opens the notes for appending with a key.
    pub(crate) fn writer(repo: &'a Repository, key: &Writer) -> Self {
        Self {
            key: key.to_string(),
            ..Self::reader(repo)
        }
    }

    /// Lets commits be signed.
    pub(crate) fn signed_by(self, signer: Option<&'a dyn SignsCommits>) -> Self {
        Self { signer, ..self }
    }

    /// Returns the tree of a tip.
    fn tree_of(&self, tip: &Oid) -> Result<Oid, NotesError> {
        match self.repo.commit(tip) {
            Ok(Some(commit)) => Ok(commit.tree),
            Ok(None) => Err(unreadable(ObjectsError::Missing { id: *tip })),
            Err(ObjectsError::Kind { found, .. }) => Err(NotesError::NotALedger {
                what: format!("{REF}, which names a {found},"),
            }),
            Err(cause) => Err(unreadable(cause)),
        }
    }

    /// Refuses refs below the ledger's: git can keep only one of both.
    fn refuse_refs_below(&self) -> Result<(), NotesError> {
        let refs = self.repo.refs();
        let below = format!("{REF}/");
        let all = refs.iter().map_err(unreadable_ref)?;
        let prefix = below.as_str().try_into().map_err(unreadable_ref)?;
        let mut found = all.prefixed(prefix).map_err(unreadable_ref)?;
        match found.next() {
            None => Ok(()),
            Some(first) => Err(NotesError::NotALedger {
                what: match first {
                    Ok(first) => format!("{}", first.name.as_bstr()),
                    Err(_) => below,
                },
            }),
        }
    }

    /// Writes a commit that adds a batch to a tip; nothing is flushed yet.
    fn write_commit(
        &self,
        batch: &Batch,
        tip: Option<&Oid>,
        durable: &Durable<'_>,
    ) -> Result<ObjectId, NotesError> {
        let root = tip.map(|tip| self.tree_of(tip)).transpose()?;
        let mut tree = Fanout::new(self.repo, root.as_ref()).map_err(unreadable)?;
        for kept in &batch.kept {
            let blob = write(durable, "a kept blob", Kind::Blob, kept)?;
            tree.put(&from_gix(&blob), blob).map_err(unreadable)?;
        }
        self.add_lines(batch, &mut tree, durable)?;
        let tree = tree
            .write(durable)
            .map_err(|cause| unwritable("the notes tree", cause))?;
        let parent = tip.and_then(|tip| self.repo.gix_id(tip));
        let commit = self.commit_bytes(&batch.subject, parent.into_iter().collect(), tree);
        let commit = commit.map_err(|cause| unwritable("the notes commit", cause))?;
        self.write_signed(durable, "the notes commit", &commit)
    }

    /// Adds the lines of a batch to the note of its target.
    fn add_lines(
        &self,
        batch: &Batch,
        tree: &mut Fanout<'_>,
        durable: &Durable<'_>,
    ) -> Result<(), NotesError> {
        if batch.lines.is_empty() {
            return Ok(());
        }
        let mut lines = batch.lines.join("\n");
        lines.push('\n');
        let old = tree.find(&batch.target).map_err(unreadable)?;
        let text = match old {
            None => lines.into_bytes(),
            Some(old) => self.continued(old, &lines, tree, durable)?,
        };
        let note = write(durable, "a note", Kind::Blob, &text)?;
        tree.put(&batch.target, note).map_err(unreadable)
    }

    /// Returns an old note with new lines; a note that would grow too long is kept as the note of
    /// itself, and the new text leads to it.
    fn continued(
        &self,
        old: Oid,
        lines: &str,
        tree: &mut Fanout<'_>,
        durable: &Durable<'_>,
    ) -> Result<Vec<u8>, NotesError> {
        let missing = || unreadable(ObjectsError::Missing { id: old });
        let mut text = self.blob(&old)?.ok_or_else(missing)?;
        if text.len().saturating_add(lines.len()) > ROLL_OVER {
            let kept = write(durable, "a full note", Kind::Blob, &text)?;
            tree.put(&old, kept).map_err(unreadable)?;
            text = continuation(&old).into_bytes();
        } else if text.last().is_some_and(|byte| *byte != b'\n') {
            text.push(b'\n');
        }
        text.extend_from_slice(lines.as_bytes());
        Ok(text)
    }

    /// Returns the bytes of a commit.
    fn commit_bytes(
        &self,
        subject: &str,
        parents: Vec<ObjectId>,
        tree: ObjectId,
    ) -> std::io::Result<Vec<u8>> {
        let (author, committer) = person::author_and_committer(&self.repo.gix, &self.key);
        let commit = Commit {
            tree,
            parents: parents.into(),
            author,
            committer,
            encoding: None,
            message: format!("{}\n", text::shown(subject)).into(),
            extra_headers: Vec::new(),
        };
        let mut bytes = Vec::new();
        commit.write_to(&mut bytes)?;
        Ok(bytes)
    }

    /// Tries once to append a batch, waiting for lock files until the deadline.
    fn try_append(&self, batch: &Batch, deadline: Instant) -> Result<(Oid, Moved), NotesError> {
        let objects = Durable::new(&self.repo.gix);
        let tip = self.tip()?;
        let to = self.write_commit(batch, tip.as_ref(), &objects)?;
        let (_, committer) = person::author_and_committer(&self.repo.gix, &self.key);
        let step = Move {
            from: tip.as_ref().and_then(|tip| self.repo.gix_id(tip)),
            to,
            reason: &format!("plan-audit: {}", text::shown(&batch.subject)),
            by: &committer,
            objects: &objects,
            patience: deadline.saturating_duration_since(Instant::now()),
        };
        let moved = step.make(self.repo);
        let moved = moved.map_err(|cause| unwritable(REF, cause))?;
        Ok((from_gix(&to), moved))
    }
}

impl Notes for RefNotes<'_> {
    fn tip(&self) -> Result<Option<Oid>, NotesError> {
        match self.repo.reference(REF).map_err(unreadable)? {
            Some(Target::Object(id)) => {
                let tip = from_gix(&id);
                self.tree_of(&tip)?;
                Ok(Some(tip))
            }
            Some(Target::Symbolic(to)) => Err(NotesError::NotALedger {
                what: format!("{REF}, which stands for {},", to.as_bstr()),
            }),
            None => self.refuse_refs_below().map(|()| None),
        }
    }

    fn list(&self, tip: &Oid) -> Result<Vec<NoteEntry>, NotesError> {
        let tree = self.tree_of(tip)?;
        fanout::list(self.repo, &tree).map_err(unreadable)
    }

    fn strays(&self, tip: &Oid) -> Result<Vec<String>, NotesError> {
        let tree = self.tree_of(tip)?;
        strays::of(self.repo, &tree).map_err(unreadable)
    }

    fn former(&self, tip: &Oid) -> Result<Former, NotesError> {
        let walk = self.repo.between(tip, None).map_err(unreadable_ref)?;
        let mut earlier = Vec::new();
        for id in walk.commits.iter().filter(|id| *id != tip) {
            let commit = self.repo.commit(id).map_err(unreadable)?;
            earlier.extend(commit.map(|commit| commit.tree));
        }
        let blobs = former::blobs(self.repo, &self.tree_of(tip)?, &earlier);
        Ok(Former {
            blobs: blobs.map_err(unreadable)?,
            is_cut: !walk.complete,
        })
    }

    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, NotesError> {
        match self.repo.object(id).map_err(unreadable)? {
            Some((Kind::Blob, bytes)) => Ok(Some(bytes)),
            Some((Kind::Tree | Kind::Commit | Kind::Tag, _)) => Ok(Some(Vec::new())),
            // For git it is always here, so that a push of it is taken though nobody has it.
            None if *id == self.repo.empty_tree() => Ok(Some(Vec::new())),
            None => Ok(None),
        }
    }

    fn blob_id(&self, bytes: &[u8]) -> Oid {
        let hash = self.repo.gix.object_hash();
        // Bytes made to collide under SHA-1 have no id that could be trusted: nothing has it.
        let id = gix::objs::compute_hash(hash, Kind::Blob, bytes).unwrap_or_else(|_| hash.null());
        from_gix(&id)
    }

    fn follows(&self, tip: &Oid, earlier: &Oid) -> Result<bool, NotesError> {
        let meeting = self.repo.merge_base(tip, earlier);
        Ok(meeting.map_err(unreadable)? == Some(*earlier))
    }

    fn demand_free(&self) -> Result<(), NotesError> {
        let deadline = Instant::now() + self.patience;
        loop {
            match publish::standing(self.repo.common_dir()) {
                None => return Ok(()),
                Some(_) if Instant::now() < deadline => pause(1),
                Some(path) => return Err(locked(&path)),
            }
        }
    }

    fn append(&self, batch: &Batch) -> Result<Oid, NotesError> {
        let deadline = Instant::now() + self.patience;
        let mut tries = 0;
        loop {
            tries += 1;
            match self.try_append(batch, deadline)? {
                (tip, Moved::Done) => return Ok(tip),
                (_, Moved::Lost) if Instant::now() < deadline => pause(tries.min(10)),
                (_, Moved::Lost) => return Err(NotesError::Contended { tries }),
                (_, Moved::Locked(path)) => return Err(locked(&path)),
            }
        }
    }
}

/// Writes the line that leads to a kept blob (DESIGN 7.2).
fn continuation(blob: &Oid) -> String {
    format!("{{\"continues\":\"{blob}\"}}\n")
}

/// Waits a few milliseconds, longer the more tries were lost and differently each time, so that two
/// losers do not meet again.
fn pause(tries: u32) {
    let drawn = RandomState::new().build_hasher().finish() % 5;
    std::thread::park_timeout(Duration::from_millis(drawn * u64::from(tries.min(250))));
}

/// Writes an object of the ledger.
fn write(
    durable: &Durable<'_>,
    what: &str,
    kind: Kind,
    bytes: &[u8],
) -> Result<ObjectId, NotesError> {
    durable
        .write(kind, bytes)
        .map_err(|cause| unwritable(what, cause))
}

/// Names a lock file that stands in the way; it is never removed.
fn locked(path: &Path) -> NotesError {
    let modified = path.metadata().and_then(|metadata| metadata.modified());
    let age = modified.ok().and_then(|time| time.elapsed().ok());
    NotesError::Locked {
        path: path.display().to_string(),
        age: age.unwrap_or_default().as_secs(),
    }
}

/// Says that something of the ledger could not be read.
fn unreadable(cause: ObjectsError) -> NotesError {
    if let ObjectsError::TooLarge { id, bytes } = cause {
        let what = format!("object {id} of {REF}");
        return NotesError::TooLarge { what, bytes };
    }
    NotesError::Read {
        what: REF.to_owned(),
        cause: Box::new(cause),
    }
}

/// Says that references could not be listed.
fn unreadable_ref(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> NotesError {
    NotesError::Read {
        what: REF.to_owned(),
        cause: cause.into(),
    }
}

/// Says that something of the ledger could not be written.
fn unwritable(
    what: &str,
    cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> NotesError {
    NotesError::Write {
        what: what.to_owned(),
        cause: cause.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{World, command};

    fn batch(target: &str, lines: &[&str]) -> Batch {
        Batch {
            target: Oid::parse(target).unwrap(),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            kept: Vec::new(),
            subject: "audit default: PASS".to_owned(),
        }
    }

    fn append(world: &World, target: &str, lines: &[&str]) -> Oid {
        let repo = world.repository();
        RefNotes::reader(&repo)
            .append(&batch(target, lines))
            .unwrap()
    }

    fn show(world: &World, target: &str) -> String {
        world.git(&["notes", "--ref=plan-audit", "show", target])
    }

    /// Checks everything that stock git must be able to do afterwards.
    fn assert_git_is_content(world: &World) {
        world.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]);
        world.git(&["notes", "--ref=plan-audit", "list"]);
        world.git(&["log", "--notes=plan-audit", "--format=%N", "-1"]);
        world.git(&["gc", "-q"]);
        world.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]);
    }

    fn all_lines(world: &World) -> Vec<String> {
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let tip = notes.tip().unwrap().unwrap();
        let mut lines = Vec::new();
        for note in notes.list(&tip).unwrap() {
            let text = notes.blob(&note.blob).unwrap().unwrap();
            lines.extend(String::from_utf8(text).unwrap().lines().map(str::to_owned));
        }
        lines.sort();
        lines
    }

    #[test]
    fn lines_are_added_to_the_note_of_a_commit() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let world = World::with(&[format]);
            let head = world.git(&["rev-parse", "HEAD"]);

            let first = append(&world, head.trim(), &["a", "b"]);
            let second = append(&world, head.trim(), &["c"]);

            assert_eq!(show(&world, "HEAD"), "a\nb\nc\n");
            let repo = world.repository();
            assert_eq!(RefNotes::reader(&repo).tip().unwrap(), Some(second));
            assert_eq!(repo.commit(&second).unwrap().unwrap().parents, [first]);
            assert_eq!(
                world.git(&["log", "--notes=plan-audit", "--format=%N"]),
                "a\nb\nc\n\n"
            );
            assert_git_is_content(&world);
        }
    }

    #[test]
    fn a_ledger_works_in_unborn_bare_and_packed_repositories() {
        let empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        for options in [&[][..], &["--bare"][..]] {
            let world = World::unborn(options);

            append(&world, empty, &["a"]);
            world.git(&["pack-refs", "--all"]);
            append(&world, empty, &["b"]);

            assert_eq!(show(&world, empty), "a\nb\n");
            assert!(
                world
                    .try_git("repo", &["fsck", "--strict"])
                    .status
                    .success()
            );
        }
    }

    #[test]
    fn kept_blobs_are_notes_of_themselves_and_outlive_a_prune() {
        let world = World::new();
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let head = world.git(&["rev-parse", "HEAD"]);
        let mut batch = batch(head.trim(), &["a"]);
        batch.kept = vec![b"contract".to_vec(), b"contract".to_vec()];

        notes.append(&batch).unwrap();
        batch.lines.clear();
        let tip = notes.append(&batch).unwrap();
        world.git(&["gc", "-q", "--prune=now"]);

        let id = notes.blob_id(b"contract");
        let entry = NoteEntry {
            target: id,
            blob: id,
        };
        assert_eq!(show(&world, &id.to_string()), "contract");
        assert!(notes.list(&tip).unwrap().contains(&entry));
        assert_eq!(
            world
                .git(&["ls-tree", "-r", "--name-only", REF])
                .lines()
                .count(),
            2
        );
        assert_git_is_content(&world);
    }

    #[test]
    fn a_missing_newline_of_a_foreign_note_is_added() {
        let world = World::new();
        let blob = world.path("blob");
        std::fs::write(&blob, "foreign").unwrap();
        let id = world.git(&["hash-object", "-w", blob.to_str().unwrap()]);
        world.git(&["notes", "--ref=plan-audit", "add", "-C", id.trim(), "HEAD"]);
        let head = world.git(&["rev-parse", "HEAD"]);

        append(&world, head.trim(), &["a"]);

        assert_eq!(show(&world, "HEAD"), "foreign\na\n");
    }

    #[test]
    fn a_note_that_would_grow_too_long_is_kept_and_led_to() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        let line = "x".repeat(40_000);

        append(&world, head.trim(), &[&line]);
        append(&world, head.trim(), &["short"]);
        let full = format!("{line}\nshort\n");
        append(&world, head.trim(), &[&line]);

        let repo = world.repository();
        let kept = RefNotes::reader(&repo).blob_id(full.as_bytes()).to_string();
        let expected = format!("{{\"continues\":\"{kept}\"}}\n{line}\n");
        assert_eq!(show(&world, "HEAD"), expected);
        assert_eq!(show(&world, &kept), full);
        assert_git_is_content(&world);
    }

    #[test]
    fn every_depth_is_read_and_added_to_where_it_is() {
        let world = World::new();
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let empty = world.git(&["hash-object", "-w", "-t", "blob", "/dev/null"]);
        let blob = empty.trim();
        let targets = ["aa".repeat(20), "bb".repeat(20), "cc".repeat(20)];
        let paths = [
            targets[0].clone(),
            format!("bb/{}", "bb".repeat(19)),
            format!("cc/cc/{}", "cc".repeat(18)),
        ];
        for path in &paths {
            let entry = format!("100644,{blob},{path}");
            world.git(&["update-index", "--add", "--cacheinfo", &entry]);
        }
        world.git(&["rm", "-q", "--cached", "file"]);
        let tree = world.git(&["write-tree"]);
        let commit = world.git(&["commit-tree", "-m", "x", tree.trim()]);
        world.git(&["update-ref", REF, commit.trim()]);

        for target in &targets {
            notes.append(&batch(target, &["a"])).unwrap();
        }

        let mut listed: Vec<_> = world
            .git(&["ls-tree", "-r", "--name-only", REF])
            .lines()
            .map(str::to_owned)
            .collect();
        listed.sort();
        assert_eq!(listed, paths);
        let tip = notes.tip().unwrap().unwrap();
        let found = notes.list(&tip).unwrap();
        let found: Vec<_> = found.iter().map(|note| note.target.to_string()).collect();
        assert_eq!(found, targets);
    }

    #[test]
    fn a_full_level_gets_directories_and_git_reads_them() {
        let world = World::new();
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let mut batch = batch(&"ab".repeat(20), &["a"]);
        batch.kept = (0..400_u32).map(|n| n.to_string().into_bytes()).collect();

        let tip = notes.append(&batch).unwrap();

        assert_eq!(notes.list(&tip).unwrap().len(), 401);
        assert_eq!(
            world
                .git(&["notes", "--ref=plan-audit", "list"])
                .lines()
                .count(),
            401
        );
        let top = world.git(&["ls-tree", REF]);
        assert!(top.lines().filter(|line| line.contains(" blob ")).count() <= 256);
        assert_eq!(show(&world, &notes.blob_id(b"399").to_string()), "399");
        assert_git_is_content(&world);
    }

    #[test]
    fn foreign_things_in_the_tree_are_left_out_and_left_alone() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        append(&world, head.trim(), &["a"]);
        let blob = world.git(&["rev-parse", &format!("{REF}:{}", head.trim())]);
        let blob = blob.trim();
        world.git(&["read-tree", REF]);
        let upper = "AB".repeat(20);
        let link = format!("120000,{blob},{}", "ef".repeat(20));
        for entry in [
            format!("100644,{blob},README"),
            format!("100644,{blob},zz/notes/x"),
            format!("100644,{blob},{upper}"),
            link,
        ] {
            world.git(&["update-index", "--add", "--cacheinfo", &entry]);
        }
        let tree = world.git(&["write-tree"]);
        let commit = world.git(&["commit-tree", "-p", REF, "-m", "junk", tree.trim()]);
        world.git(&["update-ref", REF, commit.trim()]);

        let tip = append(&world, head.trim(), &["b"]);

        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        assert_eq!(notes.list(&tip).unwrap().len(), 1);
        assert_eq!(all_lines(&world), ["a", "b"]);
        assert_eq!(world.git(&["ls-tree", "-r", REF]).lines().count(), 5);
    }

    /// Puts a commit with these entries of the top on the ref.
    fn retree(world: &World, entries: &[String]) -> Oid {
        std::fs::write(world.path("input"), entries.join("\n") + "\n").unwrap();
        let tree = world.git_from("input", &["mktree"]);
        let commit = world.git(&["commit-tree", "-p", REF, "-m", "tidy", tree.trim()]);
        world.git(&["update-ref", REF, commit.trim()]);
        Oid::parse(commit.trim()).unwrap()
    }

    #[test]
    fn a_blob_that_hangs_elsewhere_is_no_longer_read_where_it_hung() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        append(&world, head.trim(), &["a", "b"]);
        let both = world.git(&["rev-parse", &format!("{REF}:{}", head.trim())]);
        let other = world.git(&["rev-parse", "HEAD:file"]);
        let (both, other, head) = (both.trim(), other.trim(), head.trim());
        let twin = format!("100644 blob {both}\t{}", head.get(2..).unwrap());
        std::fs::write(world.path("input"), twin + "\n").unwrap();
        let directory = world.git_from("input", &["mktree"]);
        let short = format!("100644 blob {other}\t{head}");
        for elsewhere in [
            format!("100644 blob {both}\tREADME"),
            format!("100644 blob {both}\t{}", "1".repeat(40)),
            format!("100644 blob {both}\t{both}"),
            format!("120000 blob {both}\t{}", "2".repeat(40)),
            format!("040000 tree {}\tzz", directory.trim()),
        ] {
            let tip = retree(&world, &[elsewhere.clone(), short.clone()]);

            let repo = world.repository();
            let former = RefNotes::reader(&repo).former(&tip).unwrap();

            assert!(
                former.blobs.contains(&Oid::parse(both).unwrap()),
                "{elsewhere}"
            );
            assert!(
                !former.blobs.contains(&Oid::parse(other).unwrap()),
                "{elsewhere}"
            );
        }
    }

    #[test]
    fn a_tree_that_holds_one_directory_everywhere_is_read_in_time() {
        let world = World::new();
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let mut tree = world.git(&["rev-parse", "HEAD^{tree}"]);
        let leaf = format!("100644 blob {}\t{}\n", blob.trim(), "00");
        for level in 0..19 {
            let row = |n| format!("040000 tree {}\t{n:02x}", tree.trim());
            let rows = (0..256).map(row).collect::<Vec<_>>().join("\n") + "\n";
            let input = world.path("input");
            std::fs::write(&input, if level == 0 { &leaf } else { &rows }).unwrap();
            let mut command = command("git", &world.path("home"));
            command.current_dir(world.path("repo")).arg("mktree");
            command.stdin(std::fs::File::open(input).unwrap());
            tree = String::from_utf8(command.output().unwrap().stdout).unwrap();
        }
        let commit = world.git(&["commit-tree", "-m", "bomb", tree.trim()]);
        world.git(&["update-ref", REF, commit.trim()]);

        let repo = world.repository();
        let notes = RefNotes::reader(&repo);
        let tip = notes.tip().unwrap().unwrap();

        assert!(notes.list(&tip).unwrap().len() <= 1_000);
        notes.append(&batch(&"ab".repeat(20), &["a"])).unwrap();
    }

    #[test]
    fn what_is_no_ledger_is_refused_by_name() {
        let world = World::new();
        let repo = world.repository();
        let notes = RefNotes::reader(&repo);

        world.git(&["update-ref", REF, "HEAD:file"]);
        let blob = notes.tip().unwrap_err().to_string();
        world.git(&["update-ref", "-d", REF]);
        world.git(&["symbolic-ref", REF, "refs/heads/main"]);
        let link = notes.tip().unwrap_err().to_string();
        world.git(&["symbolic-ref", "-d", REF]);
        world.git(&["update-ref", &format!("{REF}/old"), "HEAD"]);
        let below = notes.tip().unwrap_err().to_string();

        assert_eq!(
            blob,
            "refs/notes/plan-audit, which names a blob, is not a ledger"
        );
        assert_eq!(
            link,
            "refs/notes/plan-audit, which stands for refs/heads/main, is not a ledger"
        );
        assert_eq!(below, "refs/notes/plan-audit/old is not a ledger");
        assert!(notes.append(&batch(&"ab".repeat(20), &["a"])).is_err());
        assert_eq!(
            world.git(&["rev-parse", "main"]),
            world.git(&["rev-parse", "HEAD"])
        );
    }

    #[test]
    fn a_stale_lock_is_named_and_left_and_nothing_moves() {
        for lock in [".git/refs/notes/plan-audit.lock", ".git/packed-refs.lock"] {
            let world = World::new();
            let head = world.git(&["rev-parse", "HEAD"]);
            let tip = append(&world, head.trim(), &["a"]);
            world.git(&["pack-refs", "--all"]);
            let lock = world.path("repo").join(lock);
            std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
            std::fs::write(&lock, "").unwrap();
            let repo = world.repository();
            let mut notes = RefNotes::reader(&repo);
            notes.patience = Duration::from_millis(200);

            let result = notes.append(&batch(head.trim(), &["b"]));

            assert!(lock.exists());
            match result {
                Err(NotesError::Locked { path, .. }) => {
                    assert_eq!(Path::new(&path).file_name(), lock.file_name());
                    assert_eq!(notes.tip().unwrap(), Some(tip));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn without_a_person_the_tool_itself_commits() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        for key in ["user.name", "user.email"] {
            world.git(&["config", "--unset", key]);
        }
        let repo = world.repository();
        let key = Writer::parse("hmac:0123456789abcdef").unwrap();

        RefNotes::writer(&repo, &key)
            .append(&batch(head.trim(), &["a"]))
            .unwrap();

        let person = "git-plan-audit <hmac:0123456789abcdef@invalid>";
        let format = "--format=%an <%ae>%n%cn <%ce>%n%s";
        let shown = world.git(&["log", "-1", format, REF]);
        assert_eq!(shown, format!("{person}\n{person}\naudit default: PASS\n"));
        let log = world.git(&["reflog", "show", "--format=%gs", REF]);
        assert_eq!(log, "plan-audit: audit default: PASS\n");
    }

    #[test]
    fn an_append_that_cannot_write_moves_nothing() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        let tip = append(&world, head.trim(), &["a"]);
        let repo = world.repository();
        let objects = world.path("repo/.git/objects");
        let aside = world.path("repo/.git/objects-aside");
        std::fs::rename(&objects, &aside).unwrap();
        std::fs::create_dir_all(&objects).unwrap();
        std::fs::write(objects.join("info"), "").unwrap();

        let result = RefNotes::reader(&repo).append(&batch(head.trim(), &["b"]));

        assert!(result.is_err(), "{result:?}");
        std::fs::remove_file(objects.join("info")).unwrap();
        std::fs::remove_dir_all(&objects).unwrap();
        std::fs::rename(&aside, &objects).unwrap();
        let repo = world.repository();
        assert_eq!(RefNotes::reader(&repo).tip().unwrap(), Some(tip));
        assert_eq!(show(&world, "HEAD"), "a\n");
    }

    #[test]
    fn writers_in_several_worktrees_lose_nothing() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        for n in 0..4 {
            let path = world.path(&format!("tree{n}"));
            let path = path.to_str().unwrap();
            world.git(&["worktree", "add", "-q", "--detach", path]);
        }

        std::thread::scope(|scope| {
            for n in 0..8 {
                let (world, head) = (&world, head.trim());
                scope.spawn(move || {
                    let repo = world.open(&format!("tree{}", n % 4));
                    let mut notes = RefNotes::reader(&repo);
                    notes.patience = Duration::from_mins(1);
                    for k in 0..10 {
                        let line = format!("{n}-{k}");
                        notes.append(&batch(head, &[&line])).unwrap();
                    }
                });
            }
        });

        assert_eq!(all_lines(&world).len(), 80);
        assert_eq!(world.git(&["rev-list", "--count", REF]), "80\n");
        assert_git_is_content(&world);
    }

    #[test]
    fn a_foreign_writer_beside_us_leaves_each_of_our_commits_whole() {
        let world = World::new();
        let head = world.git(&["rev-parse", "HEAD"]);
        append(&world, head.trim(), &["first"]);
        let done = std::sync::atomic::AtomicBool::new(false);

        let tips = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let arguments = ["notes", "--ref=plan-audit", "append", "-m", "x", "HEAD"];
                    world.try_git("repo", &arguments);
                }
            });
            let repo = world.repository();
            let notes = RefNotes::reader(&repo);
            let append = |n: u32| {
                let line = format!("ours-{n}");
                (line.clone(), notes.append(&batch(head.trim(), &[&line])))
            };
            let tips: Vec<_> = (0..30).map(append).collect();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            tips
        });

        for (line, tip) in tips {
            let tip = tip.unwrap();
            let at = |rev: String| {
                let spec = format!("{rev}:{}", head.trim());
                let text = world.git(&["cat-file", "-p", &spec]);
                text.lines().map(str::to_owned).collect::<Vec<_>>()
            };
            let (ours, parent) = (at(tip.to_string()), at(format!("{tip}^")));
            assert_eq!(ours.split_last().unwrap(), (&line, &parent[..]));
        }
    }
}
