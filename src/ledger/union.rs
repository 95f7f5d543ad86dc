//! The union of two ledgers: what either holds, each line once.
//!
//! A note is a set of lines, so nothing needs a common ancestor and nothing can conflict. Where the
//! lines of one side hold those of the other, its note stays as it is written; else the lines are
//! sorted, so that whoever joins the same notes makes the same bytes. A note that rolled over holds
//! what the kept blobs hold that it leads to.

use std::collections::{BTreeMap, BTreeSet};

use super::notes::{NoteEntry, Notes, NotesError, Text};
use crate::model::ids::Oid;
use crate::wire::record::{Line, parse};

/// What two ledgers hold together, and what each of them lacks of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Union {
    /// The note of each object.
    pub(crate) notes: BTreeMap<Oid, Text>,
    /// What the first lacks.
    pub(crate) first_lacks: Lacks,
    /// What the second lacks.
    pub(crate) second_lacks: Lacks,
}

/// What one of two ledgers lacks of both.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lacks {
    /// Lines, each with its newline.
    pub(crate) lines: Vec<Vec<u8>>,
    /// How many blobs that lines name.
    pub(crate) kept: usize,
}

impl Lacks {
    /// Says whether nothing is lacking.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.lines.is_empty() && self.kept == 0
    }
}

/// A ledger, by the notes that its tip lists.
type Side<'a> = &'a [NoteEntry];

/// Joins two ledgers.
pub(crate) fn union(
    (first, second): (Side<'_>, Side<'_>),
    notes: &dyn Notes,
) -> Result<Union, NotesError> {
    let (first, second) = (Held::of(first), Held::of(second));
    let mut union = Union::default();
    let targets = first.texts.keys().chain(second.texts.keys());
    let targets = targets.chain(&first.kept).chain(&second.kept);
    for target in targets.collect::<BTreeSet<_>>() {
        let text = if is_kept(target, (&first, &second), notes)? {
            union.first_lacks.kept += usize::from(!first.kept.contains(target));
            union.second_lacks.kept += usize::from(!second.kept.contains(target));
            Some(Text::Stored(*target))
        } else {
            union.joined(target, (&first, &second), notes)?
        };
        union
            .notes
            .extend(text.into_iter().map(|text| (*target, text)));
    }
    Ok(union)
}

/// Says whether an object is a blob that is kept for a line.
///
/// What only claims to be, and is no blob, is nothing: whoever may write notes could else take the
/// note of a commit away for good. Where nothing else is at stake the claim is not looked into.
fn is_kept(
    target: &Oid,
    (first, second): (&Held, &Held),
    notes: &dyn Notes,
) -> Result<bool, NotesError> {
    let (here, there) = (first.kept.contains(target), second.kept.contains(target));
    let has_text = first.texts.contains_key(target) || second.texts.contains_key(target);
    if here == there && !(here && has_text) {
        return Ok(here);
    }
    let bytes = read(notes, target)?;
    Ok(notes.blob_id(&bytes) == *target)
}

/// The notes of one ledger.
#[derive(Debug, Default)]
struct Held {
    /// The blobs of each object; a tree may name an object at several depths.
    texts: BTreeMap<Oid, BTreeSet<Oid>>,
    /// Blobs that are the note of themselves: they are kept for a line that names them.
    kept: BTreeSet<Oid>,
}

/// The lines of one note of a ledger.
#[derive(Debug, Default)]
struct Lines {
    /// Those that are written in the note itself.
    own: BTreeSet<Vec<u8>>,
    /// Those that are written in kept blobs in which it goes on.
    further: BTreeSet<Vec<u8>>,
}

impl Held {
    /// Sorts what a tip lists.
    fn of(entries: Side<'_>) -> Self {
        let mut held = Self::default();
        for entry in entries {
            if entry.blob == entry.target {
                held.kept.insert(entry.blob);
            } else {
                let known = held.texts.entry(entry.target).or_default();
                known.insert(entry.blob);
            }
        }
        held
    }

    /// Returns the blobs of an object.
    fn texts(&self, target: &Oid) -> impl Iterator<Item = &Oid> {
        self.texts.get(target).into_iter().flatten()
    }

    /// Reads the lines of the note of an object, also those in which it goes on.
    fn lines(&self, target: &Oid, notes: &dyn Notes) -> Result<Lines, NotesError> {
        let mut found = Lines::default();
        for blob in self.texts(target) {
            found.own.extend(lines(&read(notes, blob)?));
        }
        let mut seen = BTreeSet::new();
        let mut todo: Vec<Oid> = found.own.iter().filter_map(|line| led_to(line)).collect();
        while let Some(blob) = todo.pop() {
            if self.kept.contains(&blob) && seen.insert(blob) {
                let more = lines(&read(notes, &blob)?);
                todo.extend(more.iter().filter_map(|line| led_to(line)));
                found.further.extend(more);
            }
        }
        Ok(found)
    }

    /// Returns the one blob of an object; none where it has no note or several.
    fn as_one(&self, target: &Oid) -> Option<Oid> {
        let mut texts = self.texts(target);
        texts.next().copied().filter(|_| texts.next().is_none())
    }
}

impl Lines {
    /// Says whether a line is among them, wherever it is written.
    fn hold(&self, line: &Vec<u8>) -> bool {
        self.own.contains(line) || self.further.contains(line)
    }

    /// Returns all of them that others do not hold.
    fn but(&self, others: &Self) -> BTreeSet<Vec<u8>> {
        let all = self.own.iter().chain(&self.further);
        all.filter(|line| !others.hold(line)).cloned().collect()
    }
}

impl Union {
    /// Joins the notes of one object, and notes which side lacks what; none where there is no line.
    fn joined(
        &mut self,
        target: &Oid,
        (ours, theirs): (&Held, &Held),
        notes: &dyn Notes,
    ) -> Result<Option<Text>, NotesError> {
        let (our_one, their_one) = (ours.as_one(target), theirs.as_one(target));
        if let Some(only) = our_one.filter(|_| our_one == their_one) {
            return Ok(Some(Text::Stored(only)));
        }
        let (first, second) = (ours.lines(target, notes)?, theirs.lines(target, notes)?);
        let (missing, lacking) = (second.but(&first), first.but(&second));
        let text = match (missing.is_empty(), lacking.is_empty(), our_one, their_one) {
            (true, false, Some(whole), _) | (false, true, _, Some(whole)) => Text::Stored(whole),
            (_, _, _, _) => {
                // What a kept blob holds is led to already.
                let is_further = |line: &&Vec<u8>| {
                    first.further.contains(*line) || second.further.contains(*line)
                };
                let all = first.own.union(&second.own);
                let all: Vec<u8> = all
                    .filter(|line| !is_further(line))
                    .flatten()
                    .copied()
                    .collect();
                Text::Made(all)
            }
        };
        self.first_lacks.lines.extend(missing);
        self.second_lacks.lines.extend(lacking);
        Ok(Some(text).filter(|text| *text != Text::Made(Vec::new())))
    }
}

/// Reads a blob that must be here; what is too large to be read is empty: no record is in it, and who
/// can write notes could else keep all evidence from travelling.
fn read(notes: &dyn Notes, blob: &Oid) -> Result<Vec<u8>, NotesError> {
    match notes.blob(blob) {
        Ok(found) => found.ok_or_else(|| lacking(blob)),
        Err(NotesError::TooLarge { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Says that a note is not in this clone, so that no union can be made.
fn lacking(blob: &Oid) -> NotesError {
    NotesError::Read {
        what: format!("note {blob} of the ledger"),
        cause: "it is not in this clone: git fetch --refetch --no-filter brings it".into(),
    }
}

/// Returns the blob in which a note goes on by a line.
fn led_to(line: &[u8]) -> Option<Oid> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    // Most lines are records, and long.
    let may_lead = line.starts_with(b"{\"continues\"");
    match parse(may_lead.then_some(line)?) {
        Ok(Line::Continues(blob)) => Some(blob),
        Ok(Line::Record(_) | Line::Newer(_)) | Err(_) => None,
    }
}

/// Splits a note into its lines, each with its newline.
fn lines(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let whole = |line: &[u8]| [line, b"\n"].concat();
    lines.filter(|line| !line.is_empty()).map(whole).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::memory::Memory;
    use super::super::testing::object;
    use super::*;
    use crate::wire::digest::sha256;

    /// Blobs by their ids, and a ledger of them.
    type Ledger = BTreeMap<Oid, Vec<u8>>;

    fn id(bytes: &[u8]) -> Oid {
        Oid::Sha256(*sha256(bytes).as_bytes())
    }

    fn entries(ledger: &Ledger) -> Vec<NoteEntry> {
        let entry = |(target, text): (&Oid, &Vec<u8>)| NoteEntry {
            target: *target,
            blob: id(text),
        };
        ledger.iter().map(entry).collect()
    }

    /// Keeps the blobs of ledgers.
    fn stored(ledgers: &[&Ledger]) -> Memory {
        let notes = Memory::default();
        for text in ledgers.iter().flat_map(|ledger| ledger.values()) {
            notes.put(text);
        }
        notes
    }

    fn of(first: &Ledger, second: &Ledger) -> (Ledger, Union) {
        let notes = stored(&[first, second]);
        let union = union((&entries(first), &entries(second)), &notes).unwrap();
        let text = |(target, text): (&Oid, &Text)| match text {
            Text::Stored(blob) => (*target, notes.blob(blob).unwrap().unwrap()),
            Text::Made(bytes) => (*target, bytes.clone()),
        };
        (union.notes.iter().map(text).collect(), union)
    }

    fn sets(ledger: &Ledger) -> BTreeMap<Oid, BTreeSet<Vec<u8>>> {
        let set = |(target, text): (&Oid, &Vec<u8>)| (*target, lines(text));
        ledger.iter().map(set).collect()
    }

    fn ledgers() -> impl Strategy<Value = Ledger> {
        proptest::collection::btree_map(1..5_u8, "([a-d]\n){1,4}", 0..4).prop_map(|notes| {
            let note = |(number, text): (u8, String)| (object(number), text.into_bytes());
            notes.into_iter().map(note).collect()
        })
    }

    proptest! {
        #[test]
        fn a_union_is_the_same_from_either_side(a in ledgers(), b in ledgers()) {
            let (one, told) = of(&a, &b);
            let (other, reverse) = of(&b, &a);

            prop_assert_eq!(one, other);
            prop_assert_eq!(told.first_lacks, reverse.second_lacks);
            prop_assert_eq!(told.second_lacks, reverse.first_lacks);
        }

        #[test]
        fn a_union_holds_the_lines_of_both_and_no_other(a in ledgers(), b in ledgers()) {
            let (joined, told) = of(&a, &b);

            let mut expected = sets(&a);
            for (target, lines) in sets(&b) {
                expected.entry(target).or_default().extend(lines);
            }
            prop_assert_eq!(sets(&joined), expected.clone());
            prop_assert_eq!(told.first_lacks.is_nothing(), sets(&a) == expected);
            prop_assert_eq!(told.second_lacks.is_nothing(), sets(&b) == expected);
        }

        #[test]
        fn the_order_of_unions_is_of_no_matter(a in ledgers(), b in ledgers(), c in ledgers()) {
            let left = of(&of(&a, &b).0, &c).0;
            let right = of(&a, &of(&b, &c).0).0;

            prop_assert_eq!(sets(&left), sets(&right));
        }

        #[test]
        fn a_union_with_what_it_holds_changes_nothing(a in ledgers(), b in ledgers()) {
            let (joined, _) = of(&a, &b);

            let (again, told) = of(&joined, &a);

            prop_assert_eq!(again, joined);
            prop_assert!(told.first_lacks.is_nothing());
        }
    }

    #[test]
    fn a_note_that_holds_the_other_stays_as_it_is_written() {
        let ledger = |text: &str| Ledger::from([(object(1), text.as_bytes().to_vec())]);

        assert_eq!(of(&ledger("b\n"), &ledger("b\na\n")).0, ledger("b\na\n"));
        assert_eq!(of(&ledger("b\n"), &ledger("a\n")).0, ledger("a\nb\n"));
        assert_eq!(of(&ledger("b\na\n"), &ledger("a\nb")).0, ledger("a\nb\n"));
    }

    #[test]
    fn what_claims_to_be_kept_and_is_no_blob_takes_no_note_away() {
        let lines = Ledger::from([(object(1), b"a\n".to_vec())]);
        let claim = [NoteEntry {
            target: object(1),
            blob: object(1),
        }];
        let notes = stored(&[&lines]);
        // What is no blob is empty.
        notes.claim(&object(1), b"");

        for is_first in [true, false] {
            let sides = (entries(&lines), claim.to_vec());
            let sides = if is_first { sides } else { (sides.1, sides.0) };
            let union = union((&sides.0, &sides.1), &notes).unwrap();

            let kept = BTreeMap::from([(object(1), Text::Stored(id(b"a\n")))]);
            assert_eq!(union.notes, kept);
            assert_eq!(union.second_lacks.is_nothing(), !is_first);
            assert_eq!(union.first_lacks.is_nothing(), is_first);
        }
    }

    #[test]
    fn a_note_that_rolled_over_holds_what_it_leads_to() {
        let old = b"a\nb\n".to_vec();
        let before = Ledger::from([(object(1), old.clone())]);
        let continues = format!("{{\"continues\":\"{}\"}}\n", id(&old));
        let after = |line: &str| {
            let text = [continues.as_bytes(), line.as_bytes()].concat();
            Ledger::from([(object(1), text), (id(&old), old.clone())])
        };

        let (joined, told) = of(&before, &after("c\n"));
        assert_eq!(joined, after("c\n"));
        assert!(told.second_lacks.is_nothing());

        let more = Ledger::from([(object(1), b"a\nb\nd\n".to_vec())]);
        let (joined, told) = of(&more, &after("c\n"));
        let lines = String::from_utf8(joined[&object(1)].clone()).unwrap();
        assert_eq!(lines, format!("c\nd\n{continues}"));
        assert_eq!(told.second_lacks.lines, [b"d\n".to_vec()]);
        assert!(!told.first_lacks.lines.contains(&b"a\n".to_vec()));
    }

    #[test]
    fn a_blob_that_is_kept_stays_the_note_of_itself() {
        let (text, other) = (b"contract".to_vec(), b"noise\n".to_vec());
        let kept = Ledger::from([(id(&text), text.clone())]);
        let spoiled = Ledger::from([(id(&text), other)]);

        assert_eq!(of(&spoiled, &kept).0, kept);
        assert_eq!(of(&spoiled, &kept).1.first_lacks.kept, 1);
    }
}
