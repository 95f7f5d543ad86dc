//! Steps whose run was killed: the next append records them as interrupted.
//!
//! What tells of them lies where anybody who can write to the git directory can write, so that it
//! becomes a failed attempt and never anything better.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::ports::{Noticed, Run};
use crate::engine::world::Recorder;
use crate::model::ids::{AttemptId, Digest, PlanName};
use crate::model::record::{Intent, Kind, Role, RunBody, RunEnd};
use crate::wire::body;

/// How many steps one append records; the rest goes with the next ones.
const MOST: usize = 64;

/// Steps whose run was killed.
pub(super) struct Killed(Vec<Noticed>);

impl Killed {
    /// Looks for them. The caller holds the append lock, so that nobody else records them.
    ///
    /// What is signed in the approve role is what a person approves, and nothing goes along with it.
    pub(super) fn find(recorder: &Recorder<'_>, role: Role) -> Self {
        if role == Role::Approve {
            return Self(Vec::new());
        }
        // Where nothing can be read, nothing is known of a killed run, as where it was deleted.
        let found = recorder.local.intents().unwrap_or_default().into_iter();
        let killed = found.filter(|each| each.run == Run::Killed);
        Self(killed.take(MOST).collect())
    }

    /// Writes the records that tell of them, one for each run.
    pub(super) fn records(&self, recorder: &Recorder<'_>) -> Vec<(Kind, String)> {
        let mut runs: BTreeMap<(PlanName, Digest, AttemptId), BTreeSet<u64>> = BTreeMap::new();
        for Noticed { intent, .. } in &self.0 {
            let Intent {
                plan,
                contract,
                attempt,
                step,
            } = intent.clone();
            let steps = runs.entry((plan, contract, attempt)).or_default();
            steps.insert(step);
        }
        let record = |((plan, contract, attempt), steps): (_, BTreeSet<u64>)| {
            let body = RunBody {
                plan,
                contract,
                attempt,
                platform: recorder.platform.to_owned(),
                tool: recorder.tool.to_owned(),
                end: RunEnd::Killed(steps.into_iter().collect()),
            };
            // A number that no plan can have was written by nobody of ours.
            Some((Kind::Run, body::write_run(&body).ok()?))
        };
        runs.into_iter().filter_map(record).collect()
    }

    /// Forgets them: their records are written. One that stays is recorded again, and is the same attempt.
    pub(super) fn forget(self, recorder: &Recorder<'_>) {
        for each in self.0 {
            drop(recorder.local.forget_intent(&each.name));
        }
    }
}
