//! What holds of every ledger, whoever added lines, took lines away or shuffled them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::Index;

use super::chains::{self, Sound};
use super::judged::{Ledger, Trust};
use super::memory::Memory;
use super::reading;
use super::testing::{Lines, Pen, audit_body, keyring, object, seal_body, trust, writer};
use crate::model::finding::{Effect, ledger as rows};
use crate::model::ids::{Digest, Oid, RecordId};
use crate::model::record::{Kind, Proof, Record};
use crate::trust::soundness::sound;
use crate::wire::digest::{Label, labelled};
use crate::wire::record::{Line, parse};

/// The keys that count.
const TRUSTED: [u8; 2] = [0, 1];

/// The keys and clones that write: the third clone's key is nobody's.
const PENS: [(u8, u8); 5] = [(0, 1), (0, 2), (1, 3), (8, 4), (1, 5)];

/// One append.
#[derive(Clone, Debug)]
struct Append {
    pen: usize,
    at: u8,
    records: Vec<(u8, u8, u8)>,
    /// Whether its writer had seen the others' heads.
    sees: bool,
    /// The earlier append of the same clone after which it is written, if that was copied.
    copied: Option<Index>,
}

fn appends(copied: impl Strategy<Value = Option<Index>>) -> impl Strategy<Value = Vec<Append>> {
    let records = proptest::collection::vec((0..4_u8, 0..2_u8, 0..2_u8), 1..4);
    let one = (0..PENS.len(), 0..3_u8, records, any::<bool>(), copied);
    let one = one.prop_map(|(pen, at, records, sees, copied)| Append {
        pen,
        at,
        records,
        sees,
        copied,
    });
    proptest::collection::vec(one, 1..9)
}

/// Appends of clones that were never copied.
fn honest() -> impl Strategy<Value = Vec<Append>> {
    appends(Just(None))
}

/// Appends of clones of which some were copied, so that chains fork.
fn any_appends() -> impl Strategy<Value = Vec<Append>> {
    appends(proptest::option::weighted(0.3, any::<Index>()))
}

/// Writes the lines of all appends.
fn written(appends: &[Append]) -> Lines {
    let mut pens = PENS.map(|(key, instance)| vec![Pen::new(key, instance)]);
    let mut lines = Lines::new();
    for append in appends {
        let seen: Vec<RecordId> = pens
            .iter()
            .filter_map(|past| past.last())
            .map(|pen| pen.head)
            .filter(|head| append.sees && *head != RecordId::NONE)
            .collect();
        let past = &mut pens[append.pen];
        let mut pen = match append.copied {
            Some(which) => which.get(past).clone(),
            None => past.last().unwrap().clone(),
        };
        let records: Vec<(Kind, String)> = append.records.iter().copied().map(deed).collect();
        let target = object(append.at);
        let written = pen.write(target, &records, &seen);
        lines.entry(target).or_default().extend(written);
        past.push(pen);
    }
    lines
}

fn deed((kind, contract, tree): (u8, u8, u8)) -> (Kind, String) {
    let digest = Digest::new([contract; 32]);
    match kind {
        0 => (Kind::Seal, seal_body(digest)),
        1 => (Kind::Question, "{}".to_owned()),
        other => {
            let body = audit_body(digest, object(tree), i32::from(other) - 2);
            (Kind::Audit, body)
        }
    }
}

fn stored(lines: &Lines) -> Memory {
    let notes = Memory::default();
    notes.rewrite(lines);
    notes
}

fn judged(notes: &Memory, trust: &Trust) -> Ledger {
    Ledger::judge(&reading::read(notes).unwrap(), trust)
}

/// What a judgement can see of a ledger: the records that count, and findings that do something.
fn seen_of(ledger: &Ledger) -> (Vec<RecordId>, BTreeSet<(&'static str, String)>) {
    let ids = ledger.in_order().iter().map(|record| record.id).collect();
    let findings = ledger.findings.iter();
    let findings = findings.filter(|finding| finding.row.effect != Effect::None);
    let findings = findings.map(|finding| (finding.row.code, finding.message.clone()));
    (ids, findings.collect())
}

fn ids(ledger: &Ledger) -> BTreeSet<RecordId> {
    seen_of(ledger).0.into_iter().collect()
}

fn records(lines: &Lines) -> BTreeMap<RecordId, Record> {
    let all = lines.values().flatten();
    all.filter_map(|line| match parse(line.as_bytes()) {
        Ok(Line::Record(record)) => Some((record.id, *record)),
        _ => None,
    })
    .collect()
}

/// One line that somebody without a trusted key adds.
#[derive(Clone, Debug)]
pub(crate) enum Noise {
    Garbage(String),
    /// A true line under a proof that does not fit.
    Reproved(Index, u8),
    /// A true line with one byte changed.
    Flipped(Index, Index),
    /// A true line in the note of another object.
    Moved(Index, u8),
    /// A true line once more.
    Repeated(Index),
    /// A record in the name of a trusted key, after any record, without a proof.
    Claimed(usize, Index, u8),
    /// A true record of a key that is not trusted.
    Untrusted(u8),
    /// A note that is said to go on in a blob that nobody has.
    Continues(u8),
    /// A record of a later version in the name of a trusted key.
    Newer(Index),
}

pub(crate) fn noise() -> impl Strategy<Value = Vec<(Noise, u8, Index)>> {
    let any_line = any::<Index>;
    let one = prop_oneof![
        "[ -~]{0,40}".prop_map(Noise::Garbage),
        (any_line(), 0..4_u8).prop_map(|(line, how)| Noise::Reproved(line, how)),
        (any_line(), any_line()).prop_map(|(line, at)| Noise::Flipped(line, at)),
        (any_line(), 0..4_u8).prop_map(|(line, at)| Noise::Moved(line, at)),
        any_line().prop_map(Noise::Repeated),
        (0..PENS.len(), any_line(), 0..4_u8).prop_map(|(p, line, k)| Noise::Claimed(p, line, k)),
        (0..4_u8).prop_map(Noise::Untrusted),
        (0..4_u8).prop_map(Noise::Continues),
        any_line().prop_map(Noise::Newer),
    ];
    proptest::collection::vec((one, 0..4_u8, any::<Index>()), 1..12)
}

/// Puts a proof in the place of another.
fn reproved(line: &str, how: u8) -> String {
    let (before, _) = line.rsplit_once(",\"proof\":").unwrap();
    let zeros = "0".repeat(64);
    let own = before
        .rsplit_once('"')
        .unwrap()
        .0
        .rsplit_once('"')
        .unwrap()
        .1;
    let proof = match how {
        0 => format!("{{\"by\":\"{zeros}\"}}"),
        1 => format!("{{\"by\":\"{own}\"}}"),
        2 => "{}".to_owned(),
        _ => format!("{{\"hmac\":{{\"key\":\"0123456789abcdef\",\"mac\":\"{zeros}\"}}}}"),
    };
    format!("{before},\"proof\":{proof}}}")
}

/// Gives a line another version, with a true id and a proof of nobody.
fn newer(line: &str) -> String {
    let (before, _) = line.rsplit_once(",\"id\":\"").unwrap();
    let before = before.replacen("{\"v\":1,", "{\"v\":2,", 1);
    let id = labelled(Label::Record, format!("{before}}}").as_bytes());
    format!("{before},\"id\":\"{id}\",\"proof\":{{\"by\":\"{id}\"}}}}")
}

/// Makes the line of a piece of noise, and the object under which it goes.
pub(crate) fn noisy(noise: &Noise, at: Oid, all: &[(Oid, String)]) -> (Oid, String) {
    match noise {
        Noise::Garbage(text) => (at, text.clone()),
        Noise::Reproved(line, how) => (line.get(all).0, reproved(&line.get(all).1, *how)),
        Noise::Flipped(line, place) => {
            let (target, text) = line.get(all);
            let mut bytes = text.clone().into_bytes();
            let place = place.index(bytes.len());
            bytes[place] ^= 1;
            (*target, String::from_utf8_lossy(&bytes).into_owned())
        }
        Noise::Moved(line, other) => {
            let (target, text) = line.get(all);
            let elsewhere = object(*other);
            let elsewhere = if elsewhere == *target {
                object(99)
            } else {
                elsewhere
            };
            (elsewhere, text.clone())
        }
        Noise::Repeated(line) => line.get(all).clone(),
        Noise::Claimed(pen, after, kind) => {
            let (key, instance) = PENS[*pen];
            let mut pen = Pen::new(key, instance);
            pen.head = id_of(&after.get(all).1).unwrap_or(RecordId::NONE);
            let draft = pen.draft(at, &deed((*kind, 0, 0)), &[], 3);
            (at, draft.line(&Proof::By(draft.id())))
        }
        Noise::Untrusted(kind) => {
            let lines = Pen::new(9, 9).write(at, &[deed((*kind, 0, 0))], &[]);
            (at, lines.concat())
        }
        Noise::Continues(blob) => (at, format!("{{\"continues\":\"{}\"}}", object(*blob))),
        Noise::Newer(line) => (line.get(all).0, newer(&line.get(all).1)),
    }
}

fn id_of(line: &str) -> Option<RecordId> {
    match parse(line.as_bytes()) {
        Ok(Line::Record(record)) => Some(record.id),
        _ => None,
    }
}

pub(crate) fn flat(lines: &Lines) -> Vec<(Oid, String)> {
    let pairs = lines
        .iter()
        .flat_map(|(target, texts)| texts.iter().map(|text| (*target, text.clone())));
    pairs.collect()
}

/// What becomes of a line in the hands of somebody who wants it gone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    Kept,
    Removed,
    /// It stays, under a proof that does not fit.
    Spoilt,
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let one = prop_oneof![
        Just(Turn::Kept),
        Just(Turn::Kept),
        Just(Turn::Removed),
        Just(Turn::Spoilt)
    ];
    proptest::collection::vec(one, 1..20)
}

/// Takes lines out or spoils them, each by its turn; turns that are too few start anew.
pub(crate) fn without(lines: &Lines, turns: &[Turn]) -> Lines {
    let mut turns = turns.iter().cycle();
    let mut turn = |text: &String| match turns.next().unwrap() {
        Turn::Kept => Some(text.clone()),
        Turn::Removed => None,
        Turn::Spoilt => Some(reproved(text, 3)),
    };
    let kept = lines
        .iter()
        .map(|(target, texts)| (*target, texts.iter().filter_map(&mut turn).collect()));
    kept.collect()
}

/// Returns the sound records of trusted keys among lines.
fn trusted(lines: &Lines) -> Sound {
    let notes = stored(lines);
    let reading = reading::read(&notes).unwrap();
    let mut all = sound(&reading.copies, &keyring());
    all.retain(|_, record| is_of_trusted(record));
    all
}

/// Says whether a record names a key that counts.
fn is_of_trusted(record: &Record) -> bool {
    let mut keys = TRUSTED.iter();
    keys.any(|key| writer(*key) == record.header.writer)
}

/// Says whether `later` comes after `earlier` in the same chain, by the lines that there were.
fn is_after(all: &BTreeMap<RecordId, Record>, later: &Record, earlier: RecordId) -> bool {
    let before = |record: &Record| record.header.prev.first().copied();
    let mut at = before(later);
    while let Some(id) = at {
        if id == earlier {
            return true;
        }
        at = all.get(&id).and_then(before);
    }
    false
}

/// Runs a part of the usual number of cases: ledgers are slow to write and to read, and this stays
/// within seconds.
pub(crate) fn config(part: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: usual.cases / part,
        failure_persistence: None,
        ..usual
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn noise_changes_neither_what_counts_nor_a_finding_that_does_something(
        appends in any_appends(), noise in noise()
    ) {
        let lines = written(&appends);
        let notes = stored(&lines);
        let before = judged(&notes, &trust(&TRUSTED));

        let all = flat(&lines);
        let mut noisier = lines.clone();
        for (one, at, place) in &noise {
            let (target, line) = noisy(one, object(*at), &all);
            let texts = noisier.entry(target).or_default();
            texts.insert(place.index(texts.len() + 1), line);
        }
        notes.rewrite(&noisier);

        prop_assert_eq!(seen_of(&judged(&notes, &trust(&TRUSTED))), seen_of(&before));
    }

    #[test]
    fn what_is_taken_away_never_lets_more_count_and_is_known_as_removed(
        appends in any_appends(), turns in turns()
    ) {
        let lines = written(&appends);
        let notes = stored(&lines);
        let before = judged(&notes, &trust(&TRUSTED));

        notes.rewrite(&without(&lines, &turns));

        let after = judged(&notes, &trust(&TRUSTED));
        let removed: BTreeSet<RecordId> = after.removed.iter().map(|record| record.id).collect();
        prop_assert!(ids(&after).is_subset(&ids(&before)));
        for vanished in ids(&before).difference(&ids(&after)) {
            prop_assert!(removed.contains(vanished), "{vanished} vanished without a word");
        }
        // What was UNKNOWN stays so, or a removed record says why not.
        let unknown = |ledger: &Ledger| {
            let mut effects = ledger.findings.iter().map(|finding| finding.row.effect);
            effects.any(|effect| effect == Effect::Unknown)
        };
        prop_assert!(!unknown(&before) || unknown(&after));
    }

    // A ref that was forced leaves no trace of what its tip lacks. Then a record that is gone is
    // known by the gap before the next one of its chain, or by any record that has seen it, and the end of a chain is not missed at
    // all: that needs a remembered tip, the anchor of DESIGN 7.3 ("an id known to the anchor").
    #[test]
    fn a_forced_ref_hides_only_the_ends_of_chains(
        appends in honest(), turns in turns()
    ) {
        let lines = written(&appends);
        let left = without(&lines, &turns);
        let notes = stored(&left);
        notes.forget_history();

        let after = judged(&notes, &trust(&TRUSTED));

        let (all, present) = (records(&lines), trusted(&left));
        let gaps = after.findings.iter().filter(|finding| finding.row == &rows::GAP).count();
        let is_gone = |(id, record): &(&RecordId, &Record)| {
            is_of_trusted(record) && !present.contains_key(id)
        };
        for (gone, _) in all.iter().filter(is_gone) {
            let was_inside = present.values().any(|record| {
                is_after(&all, record, *gone) || record.header.prev.contains(gone)
            });
            prop_assert!(!was_inside || gaps > 0, "{gone} is missed by nobody");
        }
        prop_assert!(ids(&after).is_subset(&present.keys().copied().collect()));
    }

    #[test]
    fn the_order_of_lines_does_not_matter(appends in any_appends(), shifts in any::<[Index; 4]>()) {
        let lines = written(&appends);
        let before = judged(&stored(&lines), &trust(&TRUSTED));

        let mut shuffled = lines;
        for (texts, shift) in shuffled.values_mut().zip(&shifts) {
            let middle = shift.index(texts.len());
            texts.rotate_left(middle);
            texts[..middle].reverse();
        }

        prop_assert_eq!(seen_of(&judged(&stored(&shuffled), &trust(&TRUSTED))), seen_of(&before));
    }

    #[test]
    fn copies_of_a_line_are_one_record(appends in honest()) {
        let lines = written(&appends);
        let before = judged(&stored(&lines), &trust(&TRUSTED));

        let twice = lines.iter().map(|(target, texts)| {
            (*target, texts.iter().chain(texts).cloned().collect())
        });
        let twice: Lines = twice.collect();

        prop_assert_eq!(seen_of(&judged(&stored(&twice), &trust(&TRUSTED))), seen_of(&before));
    }

    #[test]
    fn having_seen_is_a_strict_partial_order(appends in any_appends()) {
        let all = trusted(&written(&appends));
        for id in all.keys() {
            let seen = chains::ancestors(&all, *id);
            prop_assert!(!seen.contains(id));
            for earlier in seen.iter().filter(|earlier| all.contains_key(earlier)) {
                let before = chains::ancestors(&all, *earlier);
                prop_assert!(before.is_subset(&seen));
                prop_assert!(!before.contains(id));
            }
        }
        let order = chains::in_order(&all);
        prop_assert_eq!(order.len(), all.len());
        for (place, id) in order.iter().enumerate() {
            let later: BTreeSet<_> = order[place..].iter().copied().collect();
            prop_assert!(chains::ancestors(&all, *id).is_disjoint(&later));
        }
    }

    #[test]
    fn a_fork_takes_out_exactly_what_comes_after_it(appends in any_appends()) {
        let lines = written(&appends);
        let (all, present) = (records(&lines), trusted(&lines));
        let mut next: BTreeMap<_, BTreeSet<RecordId>> = BTreeMap::new();
        for (id, record) in &present {
            let chain = (&record.header.writer, record.header.instance, record.header.prev[0]);
            next.entry(chain).or_default().insert(*id);
        }
        let branches: BTreeSet<RecordId> = next
            .values()
            .filter(|branches| branches.len() > 1)
            .flatten()
            .copied()
            .collect();

        let counting = ids(&judged(&stored(&lines), &trust(&TRUSTED)));

        for (id, record) in &present {
            let is_late = branches.contains(id)
                || branches.iter().any(|branch| is_after(&all, record, *branch));
            prop_assert_eq!(counting.contains(id), !is_late);
        }
    }
}
