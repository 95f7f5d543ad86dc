//! What results add up to (PREFLIGHT section 5): a table, total and monotone, and the order of claims
//! means nothing.

use super::Criticality;
use super::evidence::Tested;

/// What a plan may do after its claims were tested; the later, the worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Gate {
    /// Begin.
    Pass,
    /// Begin, once somebody has looked at it.
    Review,
    /// Wait for an answer.
    Waiting,
    /// Not begin.
    Blocked,
}

impl Gate {
    /// Returns the word of reports and records.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Review => "review",
            Self::Waiting => "waiting",
            Self::Blocked => "blocked",
        }
    }

    /// Reads the word of records.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Pass, Self::Review, Self::Waiting, Self::Blocked]
            .into_iter()
            .find(|gate| gate.as_str() == text)
    }

    /// Says what one result means.
    pub(crate) const fn of(tested: Tested, criticality: Criticality) -> Self {
        use Criticality::{Critical, High, Low, Medium};
        match (tested, criticality) {
            (Tested::Verified, _)
            | (Tested::Disproved | Tested::Inconclusive(_) | Tested::HumanRequired, Low)
            | (Tested::Inconclusive(_), Medium) => Self::Pass,
            (Tested::Disproved | Tested::HumanRequired, Medium)
            | (Tested::Inconclusive(_), High) => Self::Review,
            (Tested::HumanRequired, High | Critical) => Self::Waiting,
            (Tested::Disproved, High | Critical) | (Tested::Inconclusive(_), Critical) => {
                Self::Blocked
            }
        }
    }

    /// Joins several: the worst of all; none where there is none.
    pub(crate) fn worst(gates: impl IntoIterator<Item = Self>) -> Option<Self> {
        gates.into_iter().max()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::evidence::Reason;
    use super::*;

    fn any_tested() -> impl Strategy<Value = Tested> {
        prop_oneof![
            Just(Tested::Verified),
            Just(Tested::Disproved),
            Just(Tested::HumanRequired),
            (0..Reason::TABLE.len()).prop_map(|at| Tested::Inconclusive(Reason::TABLE[at].0)),
        ]
    }

    fn any_criticality() -> impl Strategy<Value = Criticality> {
        (0..4_usize).prop_map(|at| Criticality::TABLE[at].0)
    }

    fn any_results() -> impl Strategy<Value = Vec<(Tested, Criticality)>> {
        prop::collection::vec((any_tested(), any_criticality()), 0..20)
    }

    fn gate(results: &[(Tested, Criticality)]) -> Option<Gate> {
        Gate::worst(results.iter().map(|(tested, how)| Gate::of(*tested, *how)))
    }

    #[test]
    fn the_table_is_that_of_the_design() {
        let unknown = Tested::Inconclusive(Reason::Limit);
        let rows = [
            (Tested::Verified, ["pass", "pass", "pass", "pass"]),
            (Tested::Disproved, ["pass", "review", "blocked", "blocked"]),
            (unknown, ["pass", "pass", "review", "blocked"]),
            (
                Tested::HumanRequired,
                ["pass", "review", "waiting", "waiting"],
            ),
        ];
        for (tested, words) in rows {
            let found = Criticality::TABLE.map(|(how, _)| Gate::of(tested, how).as_str());
            assert_eq!(found, words, "{tested:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_of_claims_means_nothing(
            (results, other) in any_results()
                .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle()))
        ) {
            prop_assert_eq!(gate(&results), gate(&other));
        }

        #[test]
        fn a_claim_that_gets_worse_never_makes_the_whole_better(
            results in any_results(), at in any::<prop::sample::Index>(), worse in any_tested()
        ) {
            prop_assume!(!results.is_empty());
            let mut worsened = results.clone();
            let one = &mut worsened[at.index(results.len())];
            let is_worse = one.0 == Tested::Verified || worse == Tested::Disproved;
            prop_assume!(is_worse);
            one.0 = worse;

            prop_assert!(gate(&worsened) >= gate(&results));
        }

        #[test]
        fn more_criticality_and_more_claims_never_make_it_better(
            results in any_results(), more in (any_tested(), any_criticality()),
            at in any::<prop::sample::Index>(), how in any_criticality()
        ) {
            let mut longer = results.clone();
            longer.push(more);
            prop_assert!(gate(&longer) >= gate(&results));

            let mut louder = longer.clone();
            let one = &mut louder[at.index(longer.len())];
            one.1 = one.1.max(how);
            prop_assert!(gate(&louder) >= gate(&longer));
        }
    }
}
