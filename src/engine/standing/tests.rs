//! Tests of where plans stand.

use super::*;
use crate::engine::bound::Sealable;
use crate::ledger::testing::object;
use crate::model::contract::Contract;
use crate::model::record::{Ending, Kept, SealBody};

fn digest(n: u8) -> Digest {
    Digest::new([n; 32])
}

fn name() -> PlanName {
    PlanName::default_plan()
}

fn plan(contract: Option<u8>) -> BoundPlan {
    let empty = Contract {
        task: String::new(),
        created: String::new(),
        requirements: Vec::new(),
        required_tools: Vec::new(),
        pins: Vec::new(),
        scope: Vec::new(),
        claims: Vec::new(),
        steps: Vec::new(),
    };
    let sealable = |n| Sealable {
        contract: empty,
        bytes: Vec::new(),
        digest: digest(n),
    };
    BoundPlan {
        name: name(),
        path: name().path(),
        bytes: Vec::new(),
        contract: contract.map(sealable),
        findings: Vec::new(),
    }
}

fn record(n: u8) -> RecordId {
    RecordId::new(digest(n))
}

/// The seal of contract `n` of the default plan, which continues those of other contracts.
fn body(n: u8, continues: &[u8]) -> SealBody {
    SealBody {
        plan: name(),
        contract: digest(n),
        kept: Kept {
            blob: object(0),
            bytes: 0,
            sha256: digest(n),
        },
        continues: continues.iter().copied().map(record).collect(),
        generation: 1,
        branch: None,
        profile: "standard".to_owned(),
        pins: None,
        reason: None,
    }
}

/// Contracts that are sealed, each with what its seal continues; contracts that were here earlier.
fn facts(sealed: &[(u8, &[u8])], earlier: &[u8], at_base: Option<u8>) -> Facts {
    let mut facts = Facts::default();
    for (n, continues) in sealed {
        facts.seals.add(record(*n), body(*n, continues));
    }
    facts
        .earlier
        .insert(name(), earlier.iter().copied().map(digest).collect());
    facts.at_base.extend(at_base.map(|n| (name(), digest(n))));
    facts
}

fn standing(facts: &Facts, contract: Option<u8>) -> Standing {
    let plan = plan(contract);
    facts.standing(&plan, &facts.covered(std::slice::from_ref(&plan)))
}

fn removed(facts: &Facts, plans: &[BoundPlan]) -> Vec<(PlanName, Standing)> {
    facts.removed(plans, &facts.covered(plans))
}

#[test]
fn every_case_has_its_standing() {
    let seal = Standing::Sealed(record(1));
    let one: &[(u8, &[u8])] = &[(1, &[])];
    for (sealed, earlier, at_base, expected) in [
        (one, &[1][..], None, seal.clone()),
        (one, &[], None, seal.clone()),
        (one, &[2, 1], None, seal.clone()),
        (&[], &[1], None, Standing::Draft),
        (&[], &[1, 2], None, Standing::Draft),
        (&[], &[], Some(1), Standing::DraftAtBase),
        (&[], &[], Some(2), Standing::Draft),
        (&[(3, &[])], &[], Some(1), Standing::Draft),
        (&[(2, &[])], &[2], Some(1), Standing::Edited(digest(2))),
        (
            &[(1, &[]), (2, &[])],
            &[2],
            None,
            Standing::Broken(digest(2)),
        ),
        (&[(2, &[]), (1, &[2])], &[2], None, seal.clone()),
        (
            &[(2, &[]), (3, &[2]), (1, &[3])],
            &[2, 3],
            None,
            seal.clone(),
        ),
        (&[(2, &[]), (3, &[]), (1, &[2, 3])], &[2, 3], None, seal),
        (
            &[(1, &[]), (2, &[1])],
            &[1, 2],
            None,
            Standing::RolledBack(digest(2)),
        ),
        (
            &[(2, &[]), (3, &[]), (1, &[2])],
            &[2, 3],
            None,
            Standing::Broken(digest(3)),
        ),
    ] {
        let facts = facts(sealed, earlier, at_base);
        assert_eq!(
            standing(&facts, Some(1)),
            expected,
            "{sealed:?} {earlier:?}"
        );
    }
    assert_eq!(standing(&facts(one, &[1], None), None), Standing::Invalid);
}

#[test]
fn a_seal_that_breaks_the_rules_stands_for_nothing() {
    let mut facts = facts(&[(2, &[]), (1, &[2])], &[2], None);
    facts.seals.break_link(record(1));

    assert_eq!(standing(&facts, Some(1)), Standing::Unfounded(record(1)));
}

#[test]
fn a_lineage_that_has_ended_binds_nothing() {
    let mut facts = facts(&[(2, &[])], &[2], None);
    let reason = "too much".to_owned();
    facts
        .seals
        .end(record(9), &[record(2)], &Ending::Abandoned { reason });

    assert_eq!(standing(&facts, Some(1)), Standing::Draft);
    assert_eq!(removed(&facts, &[]), []);
}

#[test]
fn a_sealed_plan_whose_file_is_gone_is_removed() {
    let one: &[(u8, &[u8])] = &[(1, &[])];
    let found = removed(&facts(one, &[1], None), &[]);

    assert_eq!(found, [(name(), Standing::Removed(digest(1)))]);
    assert_eq!(removed(&facts(one, &[1], None), &[plan(Some(3))]), []);
    assert_eq!(removed(&facts(&[], &[1], None), &[]), []);
}

#[test]
fn a_contract_that_moved_to_another_plan_is_answered_for_there() {
    let mut facts = facts(&[(1, &[]), (2, &[])], &[1, 2], None);
    let other = PlanName::parse("other").unwrap();
    let moved = SealBody {
        plan: other.clone(),
        ..body(2, &[2])
    };
    facts.seals.add(record(3), moved);
    let stays = plan(Some(1));
    let moves = BoundPlan {
        name: other,
        ..plan(Some(2))
    };

    let alone = facts.covered(std::slice::from_ref(&stays));
    let both = facts.covered(&[stays.clone(), moves]);

    assert_eq!(facts.standing(&stays, &alone), Standing::Broken(digest(2)));
    assert_eq!(facts.standing(&stays, &both), Standing::Sealed(record(1)));
    assert_eq!(facts.heads(&name(), &both).len(), 0);
}

#[test]
fn a_plan_that_went_on_under_another_name_is_missed_once() {
    let mut facts = facts(&[(1, &[])], &[1], None);
    let other = PlanName::parse("other").unwrap();
    let moved = SealBody {
        plan: other.clone(),
        ..body(2, &[1])
    };
    facts.seals.add(record(2), moved);
    facts
        .earlier
        .insert(other.clone(), BTreeSet::from([digest(2)]));

    let both = removed(&facts, &[]);
    let first = removed(
        &facts,
        &[BoundPlan {
            name: other.clone(),
            ..plan(Some(2))
        }],
    );

    assert_eq!(both, [(other, Standing::Removed(digest(2)))]);
    assert_eq!(first, []);
}
