//! One `init` at a time: two would each draw the id of a ledger, or of a clone, and neither would know
//! of the other's.

use std::time::Duration;

use super::Initialise;
use crate::app::session::{Session, Stage, local};
use crate::app::storage::NotesPort;
use crate::engine::stop::Stop;
use crate::ledger::notes::Notes as _;
use crate::local::lock::{self, Lock};

/// How long another `init` is waited for; it may be fetching.
const PATIENCE: Duration = Duration::from_mins(2);

/// What an `init` works with while no other one does.
pub(super) struct Alone {
    /// The repository, read after the lock was taken: what another `init` drew is known.
    pub(super) session: Session,
    /// Whether there was a ledger before.
    pub(super) had_ledger: bool,
    /// Held for what its drop does; none where nothing can be written, nor drawn.
    _lock: Option<Lock>,
}

impl Initialise<'_> {
    /// Waits for another `init` of this clone to end, and reads anew what it left.
    pub(super) fn alone(&self) -> Result<Alone, Stop> {
        let path = lock::init_path(&self.session.places()?.common);
        let lock = match lock::take(&path, "init", PATIENCE) {
            Ok(lock) => Some(lock),
            // A clone that cannot be written to needs nothing when all is there.
            Err(_) if self.session.identity().is_some() => None,
            Err(error) => return Err(local(error)),
        };
        let session = Session::open(self.surroundings, None, Stage::Settled)?;
        let tip = NotesPort::of(&session).tip();
        let tip = tip.map_err(|error| Stop::broken("read the ledger")(error.into()))?;
        Ok(Alone {
            session,
            had_ledger: tip.is_some(),
            _lock: lock,
        })
    }
}
