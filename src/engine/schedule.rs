//! Which step of a contract starts when, with so many at a time. Pure.
//!
//! Of the steps that may start, the first in order does. One that must not run beside another waits
//! until nothing runs; others may pass it by meanwhile, so that nobody is idle who could work.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use crate::model::contract::{Contract, Step};
use crate::model::graph;

/// What is to be done now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next<'a> {
    /// This step starts. All that it depends on has passed, or it is blocked.
    Start(&'a Step, Readiness),
    /// Nothing, until a step that runs has ended.
    Wait,
    /// Nothing any more.
    Done,
}

/// Whether a step may run its checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readiness {
    /// All that it depends on has passed.
    Ready,
    /// Something that it depends on has not.
    Blocked,
}

/// The state of one run over all steps of a contract.
#[derive(Debug)]
pub(crate) struct Schedule<'a> {
    contract: &'a Contract,
    /// How many steps may run at a time.
    jobs: NonZeroUsize,
    /// Steps that wait, in an order in which each follows all that it depends on.
    waiting: Vec<&'a Step>,
    /// Steps that run: whether each must be alone.
    running: BTreeMap<u64, bool>,
    ended: BTreeSet<u64>,
    passed: BTreeSet<u64>,
}

impl<'a> Schedule<'a> {
    /// Begins with all steps of a contract.
    pub(crate) fn new(contract: &'a Contract, jobs: NonZeroUsize) -> Self {
        Self {
            contract,
            jobs,
            waiting: graph::in_order(contract),
            running: BTreeMap::new(),
            ended: BTreeSet::new(),
            passed: BTreeSet::new(),
        }
    }

    /// Says what is to be done now; a step that is started counts as running until it has ended.
    pub(crate) fn next(&mut self) -> Next<'a> {
        let place = self.waiting.iter().position(|step| self.may_start(step));
        match place {
            Some(place) => {
                let step = self.waiting.remove(place);
                self.running.insert(step.id, step.exclusive);
                Next::Start(step, self.readiness(step))
            }
            None if self.waiting.is_empty() && self.running.is_empty() => Next::Done,
            None => Next::Wait,
        }
    }

    /// Takes note that a step has ended.
    pub(crate) fn end(&mut self, id: u64, has_passed: bool) {
        self.running.remove(&id);
        self.ended.insert(id);
        if has_passed {
            self.passed.insert(id);
        }
    }

    /// Returns the contract.
    pub(crate) const fn contract(&self) -> &'a Contract {
        self.contract
    }

    /// Lists the steps that run.
    pub(crate) fn running(&self) -> Vec<u64> {
        self.running.keys().copied().collect()
    }

    /// Says whether a step may start now.
    fn may_start(&self, step: &Step) -> bool {
        let is_alone = self.running.is_empty();
        let has_room = self.running.len() < self.jobs.get();
        let is_free = !step.exclusive && !self.running.values().any(|exclusive| *exclusive);
        let has_all = step.depends_on.iter().all(|id| self.ended.contains(id));
        has_all && (is_alone || has_room && is_free)
    }

    /// Says whether all that a step depends on has passed.
    fn readiness(&self, step: &Step) -> Readiness {
        if step.depends_on.iter().all(|id| self.passed.contains(id)) {
            Readiness::Ready
        } else {
            Readiness::Blocked
        }
    }
}

/// Says whether two steps of a contract could ever run at a time.
pub(crate) fn has_room(contract: &Contract, jobs: NonZeroUsize) -> bool {
    let edges = contract.steps.iter();
    let edges: Vec<_> = edges
        .map(|step| (step.id, step.depends_on.clone()))
        .collect();
    jobs.get() > 1 && !graph::is_chain(&edges)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::property_tests::config;

    /// A contract of steps: what each depends on, and whether it must be alone.
    fn contract(steps: &[(Vec<u64>, bool)]) -> Contract {
        let step = |((depends_on, exclusive), id): (&(Vec<u64>, bool), u64)| Step {
            id,
            title: String::new(),
            covers: Vec::new(),
            depends_on: depends_on.clone(),
            requires_outputs: Vec::new(),
            outputs: Vec::new(),
            verify: Vec::new(),
            inputs: Vec::new(),
            exclusive: *exclusive,
            modifies: Vec::new(),
            creates: Vec::new(),
            deletes: Vec::new(),
            uses_symbol: Vec::new(),
        };
        Contract {
            task: String::new(),
            created: String::new(),
            requirements: Vec::new(),
            required_tools: Vec::new(),
            pins: Vec::new(),
            scope: Vec::new(),
            claims: Vec::new(),
            steps: steps.iter().zip(1..).map(step).collect(),
        }
    }

    fn jobs(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    /// Starts all that may start.
    fn started(schedule: &mut Schedule<'_>) -> Vec<u64> {
        let mut started = Vec::new();
        while let Next::Start(step, _) = schedule.next() {
            started.push(step.id);
        }
        started
    }

    #[test]
    fn as_many_start_as_there_is_room_for_in_order() {
        let contract = contract(&[
            (vec![], false),
            (vec![1], false),
            (vec![], false),
            (vec![], false),
        ]);
        let mut schedule = Schedule::new(&contract, jobs(2));

        assert_eq!(started(&mut schedule), [1, 3]);
        assert_eq!(schedule.next(), Next::Wait);
        schedule.end(3, true);
        assert_eq!(started(&mut schedule), [4]);
        schedule.end(1, true);
        assert_eq!(started(&mut schedule), [2]);
        schedule.end(2, true);
        schedule.end(4, true);
        assert_eq!(schedule.next(), Next::Done);
    }

    #[test]
    fn an_exclusive_step_runs_alone_and_others_pass_it_by() {
        let contract = contract(&[(vec![], false), (vec![], true), (vec![], false)]);
        let mut schedule = Schedule::new(&contract, jobs(8));

        assert_eq!(started(&mut schedule), [1, 3]);
        schedule.end(1, true);
        assert_eq!(schedule.next(), Next::Wait);
        schedule.end(3, true);
        assert_eq!(started(&mut schedule), [2]);
    }

    #[test]
    fn a_step_whose_dependency_did_not_pass_is_blocked() {
        let contract = contract(&[(vec![], false), (vec![1], false)]);
        let mut schedule = Schedule::new(&contract, jobs(1));
        assert_eq!(started(&mut schedule), [1]);

        schedule.end(1, false);

        let Next::Start(step, readiness) = schedule.next() else {
            panic!("nothing starts")
        };
        assert_eq!((step.id, readiness), (2, Readiness::Blocked));
    }

    #[test]
    fn only_independent_steps_have_room() {
        let chain = contract(&[(vec![], false), (vec![1], false)]);
        let wide = contract(&[(vec![], false), (vec![], false)]);

        assert!(has_room(&wide, jobs(2)));
        assert!(!has_room(&chain, jobs(2)) && !has_room(&wide, jobs(1)));
    }

    /// Any graph without a circle, and which of its steps are exclusive.
    fn graphs() -> impl Strategy<Value = Vec<(Vec<u64>, bool)>> {
        let step = (any::<u32>(), prop::bool::weighted(0.2));
        proptest::collection::vec(step, 1..14).prop_map(|steps| {
            let depends = |(place, (bits, exclusive)): (usize, (u32, bool))| {
                // Few edges, so that there is something to run side by side.
                let before = (0..place).filter(|at| bits >> (2 * at) & 3 == 3);
                let ids = before.map(|at| u64::try_from(at).unwrap() + 1);
                (ids.collect(), exclusive)
            };
            steps.into_iter().enumerate().map(depends).collect()
        })
    }

    proptest! {
        #![proptest_config(config(1))]

        #[test]
        fn every_step_starts_once_after_its_dependencies_and_none_beside_an_exclusive_one(
            steps in graphs(),
            count in 1..5_usize,
            ends in proptest::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 16),
        ) {
            let contract = contract(&steps);
            let mut schedule = Schedule::new(&contract, jobs(count));
            let (mut running, mut ended, mut passed) = (Vec::new(), Vec::new(), Vec::new());
            let mut ends = ends.iter().cycle();

            loop {
                match schedule.next() {
                    Next::Start(step, readiness) => {
                        prop_assert!(step.depends_on.iter().all(|id| ended.contains(id)));
                        let is_ready = step.depends_on.iter().all(|id| passed.contains(id));
                        prop_assert_eq!(readiness == Readiness::Ready, is_ready);
                        running.push(step);
                        let has_exclusive = running.iter().any(|step| step.exclusive);
                        prop_assert!(running.len() == 1 || !has_exclusive);
                        prop_assert!(running.len() <= count);
                    }
                    Next::Wait => {
                        prop_assert!(!running.is_empty());
                        let (which, has_passed) = ends.next().unwrap();
                        let step: &Step = running.swap_remove(which.index(running.len()));
                        prop_assert!(!ended.contains(&step.id));
                        ended.push(step.id);
                        passed.extend(has_passed.then_some(step.id));
                        schedule.end(step.id, *has_passed);
                    }
                    Next::Done => break,
                }
            }

            prop_assert!(running.is_empty());
            prop_assert_eq!(ended.len(), steps.len());
        }
    }
}
