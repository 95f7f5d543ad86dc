//! Whether an audit record can prove a commit (DESIGN section 9). Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ids::Oid;
use crate::model::record::{AuditBody, AuditPlace};
use crate::model::state::{Flag, Glance, Noted, State};

/// What a judgement asks of the place and platform of an audit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Demands {
    /// Flags that do not disqualify.
    pub(crate) allowed: BTreeSet<Flag>,
    /// The places that are asked for; all must hold.
    pub(crate) places: Vec<String>,
    /// The platforms that are asked for; all must hold.
    pub(crate) platforms: Vec<String>,
}

/// Why an audit cannot prove a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unfit {
    /// Something changed while it ran.
    Changed,
    /// It speaks of another tree.
    OtherTree,
    /// There were untracked files.
    Untracked(Noted),
    /// The workspace had a disqualifying oddity.
    Flagged(Flag, Noted),
    /// It ran in another place than is asked for.
    OtherPlace,
    /// It ran on another platform than is asked for.
    OtherPlatform,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Changed => f.write_str("something changed while the checks ran"),
            Self::OtherTree => f.write_str("it is for another tree"),
            Self::Untracked(noted) => write!(f, "untracked: {}", listed(noted)),
            Self::Flagged(flag, noted) => write!(f, "{}: {}", flag.as_str(), listed(noted)),
            Self::OtherPlace => f.write_str("it ran in another place than planAudit.place asks"),
            Self::OtherPlatform => f.write_str("it ran on another platform than is asked for"),
        }
    }
}

/// Writes a count and the first paths.
pub(crate) fn listed(noted: &Noted) -> String {
    let shown = noted.paths.join(", ");
    let kept = u64::try_from(noted.paths.len()).unwrap_or(u64::MAX);
    match noted.count.saturating_sub(kept) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Collects from some states what a reader should know and what disqualifies nothing; of states that
/// differ in a flag, the first speaks.
pub(crate) fn informative<'a>(
    states: impl IntoIterator<Item = &'a State>,
) -> BTreeMap<Flag, &'a Noted> {
    let mut found = BTreeMap::new();
    for (flag, noted) in states.into_iter().flat_map(State::informative) {
        found.entry(flag).or_insert(noted);
    }
    found
}

/// Returns everything that keeps an audit from proving a commit with this tree.
pub(crate) fn unfit(body: &AuditBody, tree: &Oid, demands: &Demands) -> Vec<Unfit> {
    let mut reasons = unfit_state(&body.after, demands);
    if !body.place.is_steady(&body.before, &body.after) {
        reasons.push(Unfit::Changed);
    }
    if body.after.tree != *tree {
        reasons.push(Unfit::OtherTree);
    }
    reasons.extend(unfit_place(body.place, demands));
    let is_other = |platform: &String| *platform != body.platform;
    if demands.platforms.iter().any(is_other) {
        reasons.push(Unfit::OtherPlatform);
    }
    reasons
}

/// Returns what keeps a record of this place from proving any commit.
pub(crate) fn unfit_place(place: AuditPlace, demands: &Demands) -> Option<Unfit> {
    let is_other = |asked: &String| asked != place.as_str();
    let is_unfit = demands.places.iter().any(is_other);
    is_unfit.then_some(Unfit::OtherPlace)
}

/// Returns what keeps a record of this state from proving any commit.
pub(crate) fn unfit_state(state: &State, demands: &Demands) -> Vec<Unfit> {
    unfit_files(&state.untracked.noted, state.disqualifying(), demands)
}

/// Returns what would keep a record of what is seen on disk from proving any commit.
pub(crate) fn unfit_glance(now: &Glance, demands: &Demands) -> Vec<Unfit> {
    let flags = now.flags.iter().map(|(flag, noted)| (*flag, noted));
    unfit_files(&now.untracked, flags, demands)
}

/// Returns which untracked files and which disqualifying flags keep a record from proving any commit.
fn unfit_files<'a>(
    untracked: &Noted,
    flags: impl Iterator<Item = (Flag, &'a Noted)>,
    demands: &Demands,
) -> Vec<Unfit> {
    let untracked = (untracked.count > 0).then(|| Unfit::Untracked(untracked.clone()));
    let flagged = flags
        .filter(|(flag, _)| !demands.allowed.contains(flag))
        .map(|(flag, noted)| Unfit::Flagged(flag, noted.clone()));
    untracked.into_iter().chain(flagged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::{Digest, PlanName};
    use crate::model::state::{Aside, Control, Untracked};

    fn tree(n: u8) -> Oid {
        Oid::Sha1([n; 20])
    }

    fn state() -> State {
        let zero = Digest::ZERO;
        State {
            head: None,
            branch: None,
            tree: tree(1),
            content: zero,
            index: zero,
            staged_tree: None,
            untracked: Untracked {
                noted: Noted::default(),
                digest: zero,
            },
            hidden: Noted::of(["x"]),
            flags: BTreeMap::from([(Flag::AssumeUnchanged, Noted::of(["a"]))]),
            control: Control {
                config: zero,
                hooks: zero,
                info: zero,
                replace: zero,
            },
            aside: Aside::default(),
        }
    }

    fn audit(before: State, after: State) -> AuditBody {
        AuditBody {
            plan: PlanName::default_plan(),
            contract: Digest::ZERO,
            place: AuditPlace::Worktree,
            platform: "linux-x86_64".to_owned(),
            tool: String::new(),
            before,
            after,
            steps: Vec::new(),
            kept: None,
        }
    }

    #[test]
    fn a_clean_state_of_the_same_tree_is_fit() {
        assert_eq!(
            unfit(&audit(state(), state()), &tree(1), &Demands::default()),
            []
        );
    }

    #[test]
    fn every_other_state_is_not() {
        let changed = State {
            content: Digest::new([1; 32]),
            ..state()
        };
        let moved = State {
            branch: Some("refs/heads/x".to_owned()),
            ..state()
        };
        let noted = || Noted::of(["a"]);
        let untracked = State {
            untracked: Untracked {
                noted: noted(),
                digest: Digest::ZERO,
            },
            ..state()
        };
        let mut flagged = state();
        flagged.flags.insert(Flag::Absent, noted());
        for (body, expected) in [
            (audit(changed, state()), Unfit::Changed),
            (audit(moved, state()), Unfit::Changed),
            (
                audit(untracked.clone(), untracked),
                Unfit::Untracked(noted()),
            ),
            (
                audit(flagged.clone(), flagged),
                Unfit::Flagged(Flag::Absent, noted()),
            ),
        ] {
            assert_eq!(unfit(&body, &tree(1), &Demands::default()), [expected]);
        }
        let body = audit(state(), state());
        assert_eq!(
            unfit(&body, &tree(2), &Demands::default()),
            [Unfit::OtherTree]
        );
    }

    #[test]
    fn files_may_be_touched_in_a_work_tree_and_not_in_a_checkout() {
        let mut touched = state();
        touched.flags.insert(Flag::Touched, Noted::of(["a"]));
        let here = audit(state(), touched);
        let there = AuditBody {
            place: AuditPlace::Checkout,
            ..here.clone()
        };

        assert_eq!(unfit(&here, &tree(1), &Demands::default()), []);
        assert_eq!(
            unfit(&there, &tree(1), &Demands::default()),
            [Unfit::Changed]
        );
    }

    #[test]
    fn a_flag_may_be_allowed_by_name() {
        let mut flagged = state();
        flagged.flags.insert(Flag::Nested, Noted::of(["a"]));
        let allowed = BTreeSet::from([Flag::Nested]);
        let demands = Demands {
            allowed,
            ..Demands::default()
        };

        assert_eq!(
            unfit(&audit(flagged.clone(), flagged), &tree(1), &demands),
            []
        );
    }

    #[test]
    fn place_and_platform_may_be_asked_for() {
        let body = audit(state(), state());
        let place = Demands {
            places: vec!["worktree".to_owned(), "checkout".to_owned()],
            ..Demands::default()
        };
        let platform = Demands {
            platforms: vec!["linux-x86_64".to_owned(), "moon".to_owned()],
            ..Demands::default()
        };

        assert_eq!(unfit(&body, &tree(1), &place), [Unfit::OtherPlace]);
        assert_eq!(unfit(&body, &tree(1), &platform), [Unfit::OtherPlatform]);
    }
}
