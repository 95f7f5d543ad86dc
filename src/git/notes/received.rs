//! Taking over a ledger that was fetched: the remote's references beside ours, and ours where there
//! is none. Git is not asked to write them: it would run what the repository names.

use std::error::Error as StdError;

use gix::lock::acquire::Fail;
use gix::refs::FullName;
use gix::refs::transaction::{PreviousValue, RefEdit};

use super::publish::{Move, Moved};
use super::{Durable, PATIENCE, person};
use crate::git::objects::ObjectsError;
use crate::git::open::Repository;
use crate::git::plain;
use crate::model::ids::Oid;
use crate::model::repository::ledger_of;

/// Who takes over where git knows no person.
const NOBODY: &str = "unknown";

impl Repository {
    /// Takes over what a remote has under the name of the ledger: what follows that name, and the
    /// object. Says whether the ledger itself was taken over, which is only done where there is
    /// none.
    pub(crate) fn take_over(
        &self,
        remote: &str,
        received: &[(String, Oid)],
    ) -> Result<bool, Box<dyn StdError + Send + Sync>> {
        let (_, by) = person::author_and_committer(&self.gix, NOBODY);
        let reason = format!("plan-audit: fetched from {remote}");
        let mut edits = Vec::new();
        let mut ledger = None;
        for (after, id) in received {
            let to = self.gix_id(id).ok_or(ObjectsError::Missing { id: *id })?;
            let name = ledger_of(remote) + after;
            let name = FullName::try_from(name)?;
            edits.push(RefEdit::update(
                name,
                to,
                PreviousValue::Any,
                reason.as_str(),
            ));
            ledger = ledger.or(after.is_empty().then_some(to));
        }
        let fail = Fail::from(PATIENCE);
        let refs = self.refs();
        let prepared = refs.transaction().prepare(edits, fail, fail)?;
        let mut time = gix::date::parse::TimeBuf::default();
        prepared.commit(by.to_ref(&mut time))?;
        let Some(to) = ledger else { return Ok(false) };
        let step = Move {
            from: None,
            to,
            reason: &reason,
            by: &by,
            objects: &Durable::new(&self.gix),
            patience: PATIENCE,
        };
        match step.make(self)? {
            Moved::Done => Ok(true),
            Moved::Lost => Ok(false),
            Moved::Locked(path) => Err(super::locked(&path).into()),
        }
    }
}

impl Repository {
    /// Returns what a remote's ledger was when it was last fetched or published; none where that is
    /// not known.
    pub(crate) fn ledger_at(&self, remote: &str) -> Option<Oid> {
        self.follow(&ledger_of(remote)).ok()?
    }

    /// Says whether a person's `git notes merge` of the ledger is not ended, which git notes down in
    /// files of its own.
    pub(crate) fn is_merging_notes(&self) -> std::io::Result<bool> {
        let bytes = plain::read(&self.git_dir().join("NOTES_MERGE_REF"))?;
        let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        Ok(text.trim().trim_start_matches("ref:").trim() == super::REF)
    }

    /// Notes that a remote's ledger is now this, as git does for a branch that it pushed.
    pub(crate) fn note_published(
        &self,
        remote: &str,
        tip: &Oid,
    ) -> Result<(), Box<dyn StdError + Send + Sync>> {
        let (_, by) = person::author_and_committer(&self.gix, NOBODY);
        let to = self.gix_id(tip).ok_or(ObjectsError::Missing { id: *tip })?;
        let name = FullName::try_from(ledger_of(remote))?;
        let edit = RefEdit::update(name, to, PreviousValue::Any, "plan-audit: published");
        let fail = Fail::from(PATIENCE);
        let refs = self.refs();
        let prepared = refs.transaction().prepare([edit], fail, fail)?;
        let mut time = gix::date::parse::TimeBuf::default();
        prepared.commit(by.to_ref(&mut time))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::REF;
    use super::*;
    use crate::git::testing::World;

    #[test]
    fn a_ledger_is_taken_over_where_there_is_none() {
        let world = World::new();
        let id = |text: &str| Oid::parse(text.trim()).unwrap();
        let first = id(&world.git(&["rev-parse", "HEAD"]));
        let second = id(&world.commit("two"));
        let repo = world.repository();
        let received = |tip| [(String::new(), tip), ("-old".to_owned(), first)];

        assert!(repo.take_over("team", &received(first)).unwrap());
        assert!(!repo.take_over("team", &received(second)).unwrap());

        for (name, expected) in [
            (REF, first),
            ("refs/plan-audit/remotes/team/notes", second),
            ("refs/plan-audit/remotes/team/notes-old", first),
        ] {
            assert_eq!(id(&world.git(&["rev-parse", name])), expected, "{name}");
        }
    }
}
