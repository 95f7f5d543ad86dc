//! What lies beside the ledger: lines that wait to be appended, and lock files.

use crate::engine::append::lock_hint;
use crate::engine::ports::{Cause, Local, Run};
use crate::engine::stop::{Stop, causes};
use crate::engine::world::World;
use crate::ledger::notes::NotesError;
use crate::model::finding::{Finding, ledger as rows};

/// Tells of what waits, and of what would keep the next append from being made.
pub(super) fn findings(world: &World<'_>, local: Option<&dyn Local>) -> Result<Vec<Finding>, Stop> {
    let mut findings = Vec::new();
    if let Some(local) = local {
        match waiting(world, local) {
            Ok(0) => {}
            Ok(count) => findings.push(waits(count)),
            Err(cause) => findings.push(unreadable(&cause)),
        }
    }
    match world.notes.demand_free() {
        Ok(()) => {}
        Err(NotesError::Locked { path, age }) => {
            let message = format!("{path} has been in the way of appends for {age} s");
            findings.push(Finding::new(&rows::LOCKED, message).hint(lock_hint(&path)));
        }
        Err(error) => return Err(Stop::broken("look for lock files")(error.into())),
    }
    Ok(findings)
}

/// Counts what the next command that records appends first: batches, what could not be proven, and
/// steps of runs that were killed.
fn waiting(world: &World<'_>, local: &dyn Local) -> Result<usize, Cause> {
    let unproven = match world.identity {
        Some(identity) => local.unproven(identity)?.len(),
        None => 0,
    };
    let intents = local.intents()?;
    let killed = intents.iter().filter(|each| each.run == Run::Killed);
    Ok(local.pending()?.len() + unproven + killed.count())
}

/// Says that something waits.
fn waits(count: usize) -> Finding {
    let what = if count == 1 {
        "1 entry waits".to_owned()
    } else {
        format!("{count} entries wait")
    };
    let message = format!(
        "{what} beside the ledger: the next command that records appends what is this clone's own"
    );
    Finding::new(&rows::WAITING, message).hint("git plan-audit sync, or git plan-audit audit")
}

/// Says that what waits cannot be read.
fn unreadable(cause: &Cause) -> Finding {
    let message = format!("what waits beside the ledger: {}", causes(&**cause));
    Finding::new(&rows::WAITING_UNREADABLE, message)
        .hint("look at .git/plan-audit; what is no file of this tool may be removed")
}
