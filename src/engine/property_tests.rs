//! What holds of every verdict, whoever added lines to the ledger or took lines away.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;

use super::testing::Fake;
use crate::ledger::notes::Batch;
use crate::ledger::property_tests::{config, flat, noise, noisy, turns, without};
use crate::ledger::reading;
use crate::ledger::testing::{Lines, object, writer};
use crate::model::ids::RecordId;
use crate::model::outcome::Word;
use crate::model::record::Record;
use crate::model::state::{Flag, Noted};
use crate::wire::record::{Line, parse};

/// One thing that a clone does.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// Audits, with a check that ends so.
    Audit(i32),
    /// Audits so where something is odd, so that the record is not usable.
    AuditOdd(i32),
    /// Changes the work.
    Work(u8),
    /// Writes after an earlier record of its own, as if it had been copied there.
    GoBack(Index),
}

/// What the clones 1 to 3 do; the key of the third is not trusted.
fn deeds() -> impl Strategy<Value = Vec<(u8, Deed)>> {
    let exit = prop::sample::select(vec![0, 0, 1, Fake::GONE]);
    let deed = prop_oneof![
        6 => exit.clone().prop_map(Deed::Audit),
        1 => exit.prop_map(Deed::AuditOdd),
        2 => (0..2_u8).prop_map(Deed::Work),
        1 => any::<Index>().prop_map(Deed::GoBack),
    ];
    proptest::collection::vec((1..4_u8, deed), 1..8)
}

/// Makes the world in which all of it was done and the work is committed.
fn done(deeds: &[(u8, Deed)]) -> Fake {
    let fake = Fake::sealed("flaky");
    for (who, deed) in deeds {
        fake.be(*who);
        match deed {
            Deed::Audit(exit) => {
                fake.exits.borrow_mut().push_back(*exit);
                fake.audit().unwrap();
            }
            Deed::AuditOdd(exit) => {
                let odd = BTreeMap::from([(Flag::Grafts, Noted::of(["x"]))]);
                fake.flags.replace(odd);
                fake.exits.borrow_mut().push_back(*exit);
                fake.audit().unwrap();
                fake.flags.take();
            }
            Deed::Work(number) => fake.write("work", &number.to_string()),
            Deed::GoBack(which) => {
                let own = own_records(&fake, *who);
                if !own.is_empty() {
                    fake.go_back_to(*which.get(&own));
                }
            }
        }
    }
    fake.be(1);
    fake.commit();
    fake
}

fn own_records(fake: &Fake, who: u8) -> Vec<RecordId> {
    let reading = reading::read(&fake.notes).unwrap();
    let own = reading.copies.into_iter();
    own.filter(|(_, copies)| copies.record.header.writer == writer(who))
        .map(|(id, _)| id)
        .collect()
}

fn word(fake: &Fake) -> Word {
    fake.verify("HEAD").unwrap().word
}

fn records(lines: &Lines) -> Vec<Record> {
    let all = lines.values().flatten();
    all.filter_map(|line| match parse(line.as_bytes()) {
        Ok(Line::Record(record)) => Some(*record),
        _ => None,
    })
    .collect()
}

/// Says whether the last records of all chains are among these, with their own proofs.
fn has_every_end(before: &Lines, after: &Lines) -> bool {
    let (all, left) = (records(before), records(after));
    let is_end = |record: &&Record| {
        !all.iter()
            .any(|other| other.header.prev.first() == Some(&record.id))
    };
    all.iter().filter(is_end).all(|end| left.contains(end))
}

#[test]
fn an_old_line_never_says_where_a_chain_ends_that_the_memory_is_behind() {
    let behind = |which: usize| {
        let fake = done(&[]);
        let own = own_records(&fake, 1);
        fake.go_back_to(*own.get(which)?);
        Some(fake)
    };
    let next = |fake: &Fake| {
        fake.exits.borrow_mut().push_back(0);
        fake.audit().unwrap();
        word(fake)
    };
    for which in 0.. {
        let Some(fake) = behind(which) else { break };
        let lines = flat(&fake.lines());
        let undisturbed = next(&fake);
        for (target, line) in lines {
            let fake = behind(which).unwrap();
            fake.waiting.borrow_mut().push(Batch {
                target,
                lines: vec![line],
                kept: Vec::new(),
                subject: "x".to_owned(),
            });

            assert_eq!(next(&fake), undisturbed, "{which}");
        }
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn noise_never_changes_a_verdict(deeds in deeds(), noise in noise()) {
        let fake = done(&deeds);
        let before = word(&fake);
        let lines = fake.lines();

        let (all, mut noisier) = (flat(&lines), lines.clone());
        for (one, at, place) in &noise {
            let (target, line) = noisy(one, object(*at), &all);
            let texts = noisier.entry(target).or_default();
            texts.insert(place.index(texts.len() + 1), line);
        }
        fake.notes.rewrite(&noisier);

        prop_assert_eq!(word(&fake), before);
    }

    #[test]
    fn taking_lines_away_never_makes_a_pass(deeds in deeds(), turns in turns()) {
        let fake = done(&deeds);
        let before = word(&fake);

        fake.notes.rewrite(&without(&fake.lines(), &turns));

        prop_assert!(before == Word::Pass || word(&fake) != Word::Pass);
    }

    // The ends of chains are not missed when a ref was forced: the anchor of DESIGN 7.3, which
    // remembers the tip that was seen last, is what will close that.
    #[test]
    fn a_forced_ref_makes_no_pass_while_the_ends_of_chains_are_there(
        deeds in deeds(), turns in turns()
    ) {
        let fake = done(&deeds);
        let before = word(&fake);
        let lines = fake.lines();

        let left = without(&lines, &turns);
        fake.notes.rewrite(&left);
        fake.notes.forget_history();

        prop_assert!(
            before == Word::Pass || word(&fake) != Word::Pass || !has_every_end(&lines, &left)
        );
    }

    // Whoever can write to `.git` can put any line that this clone once wrote where batches wait.
    #[test]
    fn old_lines_that_wait_change_nothing(deeds in deeds(), which in any::<Index>(), exit in 0..2) {
        let next = |fake: &Fake| {
            fake.exits.borrow_mut().push_back(exit);
            fake.audit().unwrap();
            word(fake)
        };
        let undisturbed = next(&done(&deeds));

        let fake = done(&deeds);
        let (target, line) = which.get(&flat(&fake.lines())).clone();
        fake.waiting.borrow_mut().push(Batch {
            target,
            lines: vec![line],
            kept: Vec::new(),
            subject: "x".to_owned(),
        });

        prop_assert_eq!(next(&fake), undisturbed);
    }

    // A chain that is written twice loses records. What they said against the work is not lost.
    #[test]
    fn writing_a_chain_twice_never_makes_a_pass(
        deeds in deeds(), who in 1..3_u8, which in any::<Index>()
    ) {
        let fake = done(&deeds);
        let before = word(&fake);

        fake.be(who);
        let own = own_records(&fake, who);
        prop_assume!(!own.is_empty());
        fake.go_back_to(*which.get(&own));
        fake.write("work", "elsewhere");
        fake.audit().unwrap();
        fake.be(1);

        prop_assert!(before == Word::Pass || word(&fake) != Word::Pass);
    }

    #[test]
    fn taking_lines_away_and_back_again_changes_nothing(deeds in deeds(), turns in turns()) {
        let fake = done(&deeds);
        let before = word(&fake);
        let lines = fake.lines();
        fake.notes.rewrite(&without(&lines, &turns));

        fake.notes.rewrite(&lines);

        prop_assert_eq!(word(&fake), before);
    }
}
