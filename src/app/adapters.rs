//! The real world behind the engine's ports.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::check::Checker;
use crate::engine::ports::{
    Cause, Clock, Commit, Lead, Meeting, Objects, PlanFile, Ran, Runner, Said, StateError,
    TreeEntry, TrustRef, Walk, Watched, Work, Workspace,
};
use crate::git::objects::ObjectsError;
use crate::git::open::Repository;
use crate::git::watch::Watch;
use crate::model::check::{Check, End};
use crate::model::exchange::Exchange;
use crate::model::files::Files;
use crate::model::ids::Oid;
use crate::model::state::{Glance, State};
use crate::model::time::Timestamp;
use crate::proc::{self, Left, Piece};

impl Objects for Repository {
    fn resolve(&self, revision: &str) -> Result<Option<Commit>, Cause> {
        Ok(Self::resolve(self, revision)?)
    }

    fn commit(&self, id: &Oid) -> Result<Option<Commit>, Cause> {
        Ok(Self::commit(self, id)?)
    }

    fn entries(&self, tree: &Oid, directory: &str) -> Result<Option<Vec<TreeEntry>>, Cause> {
        Ok(Self::entries(self, tree, directory)?)
    }

    fn files(&self, tree: &Oid) -> Result<Files, Cause> {
        Ok(Self::files(self, tree)?)
    }

    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, Cause> {
        Ok(Self::blob(self, id)?)
    }

    fn is_content(&self, id: &Oid) -> Result<bool, Cause> {
        Ok(Self::is_content(self, id)?)
    }

    fn empty_tree(&self) -> Oid {
        Self::empty_tree(self)
    }

    fn default_base(&self) -> Result<Option<TrustRef>, Cause> {
        Ok(Self::default_base(self)?)
    }

    fn between(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Walk, Cause> {
        Self::between(self, tip, stop)
    }

    fn merge_base(&self, one: &Oid, other: &Oid) -> Result<Meeting, Cause> {
        match Self::merge_base(self, one, other) {
            Ok(Some(base)) => Ok(Meeting::At(base)),
            Ok(None) => Ok(Meeting::Nowhere),
            Err(ObjectsError::CutOff { .. }) => Ok(Meeting::CutOff),
            Err(error) => Err(error.into()),
        }
    }

    fn branch(&self) -> Result<Option<String>, Cause> {
        Ok(Self::branch(self)?)
    }

    fn end_of(&self, name: &str) -> Result<String, Cause> {
        Ok(Self::end_of(self, name)?)
    }

    fn has_remote(&self) -> bool {
        Self::has_remote(self)
    }

    fn exchange(&self) -> Option<Exchange> {
        Self::exchange(self)
    }
}

impl Workspace for Repository {
    fn state(&self) -> Result<State, StateError> {
        Self::state(self)
    }

    fn glance(&self) -> Result<Glance, StateError> {
        Self::glance(self)
    }

    fn plans(&self) -> Result<Vec<PlanFile>, Cause> {
        Ok(self.plan_files()?)
    }

    fn has_request(&self) -> Result<bool, Cause> {
        Ok(self.has_plan_directory_file("request.json"))
    }

    fn ignores(&self, path: &str) -> Result<bool, Cause> {
        Self::ignores(self, path)
    }

    fn tracks(&self, path: &str) -> Result<bool, Cause> {
        Self::tracks(self, path)
    }

    fn watch(&self, state: &State) -> Box<dyn Watched> {
        Box::new(Self::watch(self, state))
    }
}

impl Watched for Watch {
    fn count(&self) -> usize {
        Self::count(self)
    }

    fn is_in_memory(&self) -> bool {
        Self::is_in_memory(self)
    }

    fn touched(&self) -> Vec<Vec<u8>> {
        Self::touched(self)
    }
}

impl Runner for Checker {
    fn run(&self, check: &Check, step: u64) -> Ran {
        Self::run(self, check, step)
    }

    fn side_by_side<'a>(&self, lead: Lead<'_, 'a>) -> bool {
        let given = |work: Work<'a>| -> Piece<'_, Said> { Box::new(move |say| work(self, say)) };
        let mut lead = |said| lead(said).into_iter().map(given).collect();
        proc::side_by_side(&mut lead) == Left::Orphans
    }

    fn finds(&self, tool: &str) -> bool {
        Self::finds(self, tool)
    }

    fn interrupted(&self) -> bool {
        Self::interrupted(self)
    }
}

/// Runs nothing: for flows that only record.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoRunner;

impl Runner for NoRunner {
    fn run(&self, _check: &Check, _step: u64) -> Ran {
        Ran::nothing(End::Blocked)
    }

    fn side_by_side(&self, _lead: Lead<'_, '_>) -> bool {
        false
    }

    fn finds(&self, _tool: &str) -> bool {
        false
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
        // A clock beyond the year 9999 is taken for one that was never set.
        Timestamp::from_seconds(seconds).unwrap_or(Timestamp::EPOCH)
    }
}
