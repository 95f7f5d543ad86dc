//! The union of two ledgers: what either holds, each line once.
//!
//! A note is a set of lines, so nothing needs a common ancestor and nothing can conflict. Where the
//! lines of one side hold those of the other, its note stays as it is written; else the lines are
//! sorted, so that whoever joins the same notes makes the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::notes::{NoteEntry, Text};
use crate::model::ids::Oid;

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

/// Joins two ledgers, given what reads a blob.
pub(crate) fn union<E>(
    (first, second): (Side<'_>, Side<'_>),
    mut read: impl FnMut(&Oid) -> Result<Vec<u8>, E>,
) -> Result<Union, E> {
    let (first, second) = (by_target(first), by_target(second));
    let mut union = Union::default();
    let targets: BTreeSet<&Oid> = first.keys().chain(second.keys()).collect();
    for target in targets {
        let none = BTreeSet::new();
        let (ours, theirs) = (
            first.get(target).unwrap_or(&none),
            second.get(target).unwrap_or(&none),
        );
        let text = if ours.contains(target) || theirs.contains(target) {
            // A blob that is the note of itself is kept for a line that names it.
            union.first_lacks.kept += usize::from(!ours.contains(target));
            union.second_lacks.kept += usize::from(!theirs.contains(target));
            Text::Stored(*target)
        } else {
            union.joined((ours, theirs), &mut read)?
        };
        union.notes.insert(*target, text);
    }
    Ok(union)
}

/// Returns the blobs of each object; a tree may name an object at several depths.
fn by_target(entries: Side<'_>) -> BTreeMap<Oid, BTreeSet<Oid>> {
    let mut found: BTreeMap<Oid, BTreeSet<Oid>> = BTreeMap::new();
    for entry in entries {
        found.entry(entry.target).or_default().insert(entry.blob);
    }
    found
}

impl Union {
    /// Joins the notes of one object, and notes which side lacks what.
    fn joined<E>(
        &mut self,
        (ours, theirs): (&BTreeSet<Oid>, &BTreeSet<Oid>),
        read: &mut impl FnMut(&Oid) -> Result<Vec<u8>, E>,
    ) -> Result<Text, E> {
        if let Some(only) = as_one(ours).filter(|_| ours == theirs) {
            return Ok(Text::Stored(only));
        }
        let mut lines_of = |blobs: &BTreeSet<Oid>| {
            let mut all = BTreeSet::new();
            for blob in blobs {
                all.extend(lines(&read(blob)?));
            }
            Ok(all)
        };
        let (first, second) = (lines_of(ours)?, lines_of(theirs)?);
        let is_whole = (second.is_subset(&first), first.is_subset(&second));
        let text = match (is_whole, as_one(ours), as_one(theirs)) {
            ((true, false), Some(whole), _) | ((false, true), _, Some(whole)) => {
                Text::Stored(whole)
            }
            (_, _, _) => Text::Made(first.union(&second).flatten().copied().collect()),
        };
        let missing = second.difference(&first).cloned();
        self.first_lacks.lines.extend(missing);
        self.second_lacks
            .lines
            .extend(first.difference(&second).cloned());
        Ok(text)
    }
}

/// Returns the one blob of a side; none where it has no note or several.
fn as_one(blobs: &BTreeSet<Oid>) -> Option<Oid> {
    blobs.first().copied().filter(|_| blobs.len() == 1)
}

/// Splits a note into its lines, each with its newline.
fn lines(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let whole = |line: &[u8]| [line, b"\n"].concat();
    lines.filter(|line| !line.is_empty()).map(whole).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

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

    fn of(first: &Ledger, second: &Ledger) -> (Ledger, Union) {
        let texts = first.values().chain(second.values());
        let blobs: BTreeMap<Oid, &Vec<u8>> = texts.map(|text| (id(text), text)).collect();
        let read = |blob: &Oid| Ok::<_, Infallible>(blobs[blob].clone());
        let Ok(union) = union((&entries(first), &entries(second)), read);
        let text = |(target, text): (&Oid, &Text)| match text {
            Text::Stored(blob) => (*target, blobs[blob].clone()),
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
    fn a_blob_that_is_kept_stays_the_note_of_itself() {
        let (text, other) = (b"contract".to_vec(), b"noise\n".to_vec());
        let kept = Ledger::from([(id(&text), text.clone())]);
        let spoiled = Ledger::from([(id(&text), other)]);

        assert_eq!(of(&spoiled, &kept).0, kept);
        assert_eq!(of(&spoiled, &kept).1.first_lacks.kept, 1);
    }
}
