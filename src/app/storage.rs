//! The ledger's storage and local files behind the engine's ports.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::session::Session;
use super::signing::CommitSigning;
use crate::engine::ports::{Begun, Cause, Held, Identity, Local, LockError, Noticed};
use crate::git::notes::{RefNotes, SignsCommits};
use crate::git::open::Repository;
use crate::git::sharing;
use crate::ledger::notes::{
    Anchor, Batch, Entry, Former, Join, Joins, NoteEntry, Notes, NotesError,
};
use crate::local::instance::Found;
use crate::local::intents::{self, UnderWay};
use crate::local::lock::{self, Lock};
use crate::local::places::Places;
use crate::local::{LocalError, anchors, paths, pending, random, unproven};
use crate::model::ids::{AttemptId, InstanceId, Oid, Writer};
use crate::model::record::Intent;
use crate::model::sharing::Sharing;

/// How long an append waits for another one of this clone.
const PATIENCE: Duration = Duration::from_mins(1);

/// The notes of a repository.
pub(super) struct NotesPort {
    repository: Rc<Repository>,
    /// The key that the commits are by where git knows no person (D23).
    key: Option<Writer>,
    /// Signs the commits, where that is asked for.
    signing: Option<CommitSigning>,
}

impl NotesPort {
    /// Takes the notes of an open repository.
    pub(super) fn of(session: &Session) -> Self {
        let key = session.keys.last().map(|key| key.writer.clone());
        Self {
            repository: Rc::clone(&session.repository),
            key,
            signing: None,
        }
    }

    /// Takes the notes for appending with a key.
    pub(super) fn with(repository: &Rc<Repository>, key: Writer) -> Self {
        Self {
            repository: Rc::clone(repository),
            key: Some(key),
            signing: None,
        }
    }

    /// Lets commits be signed.
    pub(super) fn signed(self, signing: Option<CommitSigning>) -> Self {
        Self { signing, ..self }
    }

    /// Opens them.
    fn notes(&self) -> RefNotes<'_> {
        let notes = match &self.key {
            Some(key) => RefNotes::writer(&self.repository, key),
            None => RefNotes::reader(&self.repository),
        };
        let signing = self.signing.as_ref();
        notes.signed_by(signing.map(|signing| -> &dyn SignsCommits { signing }))
    }
}

impl Notes for NotesPort {
    fn tip(&self) -> Result<Option<Oid>, NotesError> {
        self.notes().tip()
    }

    fn list(&self, tip: &Oid) -> Result<Vec<NoteEntry>, NotesError> {
        self.notes().list(tip)
    }

    fn strays(&self, tip: &Oid) -> Result<Vec<String>, NotesError> {
        self.notes().strays(tip)
    }

    fn former(&self, tip: &Oid) -> Result<Former, NotesError> {
        self.notes().former(tip)
    }

    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, NotesError> {
        self.notes().blob(id)
    }

    fn blob_id(&self, bytes: &[u8]) -> Oid {
        self.notes().blob_id(bytes)
    }

    fn follows(&self, tip: &Oid, earlier: &Oid) -> Result<bool, NotesError> {
        self.notes().follows(tip, earlier)
    }

    fn demand_free(&self) -> Result<(), NotesError> {
        self.notes().demand_free()
    }

    fn unsigned(&self) -> Option<String> {
        self.signing.as_ref().and_then(CommitSigning::unsigned)
    }

    fn append(&self, batch: &Batch) -> Result<Oid, NotesError> {
        self.notes().append(batch)
    }
}

impl Joins for NotesPort {
    fn join(&self, join: &Join) -> Result<Oid, NotesError> {
        self.notes().join(join)
    }

    fn advance(&self, from: Option<&Oid>, to: &Oid, reason: &str) -> Result<bool, NotesError> {
        self.notes().advance(from, to, reason)
    }

    fn give_way(&self, tries: u32) {
        self.notes().give_way(tries);
    }
}

/// The local files of a clone.
pub(super) struct LocalPort {
    places: Places,
    work_dir: Option<PathBuf>,
    instance: InstanceId,
    sharing: Sharing,
}

impl LocalPort {
    /// Takes the local files of a clone that has an instance.
    pub(super) fn of(session: &Session) -> Option<Self> {
        let Found::Own(identity) = &session.found else {
            return None;
        };
        let places = session.places.as_ref().ok()?;
        Some(Self::with(places, identity.instance, &session.repository))
    }

    /// Takes the local files for an instance.
    pub(super) fn with(places: &Places, instance: InstanceId, repository: &Repository) -> Self {
        Self {
            places: places.clone(),
            work_dir: repository.work_dir().map(Path::to_owned),
            instance,
            sharing: repository.sharing(),
        }
    }
}

/// Gives the local files of a clone the permissions that git gives to its own, so that everybody
/// who shares the clone can take its locks.
pub(super) fn share(sharing: Sharing, places: &Places) -> std::io::Result<()> {
    if sharing == Sharing::Mask {
        return Ok(());
    }
    sharing::adjust(sharing, &lock::audit_path(&places.git_dir))?;
    sharing::adjust(sharing, &places.common)?;
    // What checks wrote is its owner's alone, also where the place for it is shared.
    let below = ["pending", "intents"].map(|name| places.common.join(name));
    for directory in below.into_iter().chain([places.common.clone()]) {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            sharing::adjust(sharing, &entry.path())?;
        }
    }
    Ok(())
}

impl Held for Lock {}

impl Begun for UnderWay {
    fn close(self: Box<Self>) -> Result<(), Cause> {
        Ok(Self::close(*self)?)
    }
}

impl Local for LocalPort {
    fn lock_append(&self) -> Result<Box<dyn Held>, Cause> {
        let path = lock::append_path(&self.places.common);
        let lock = lock::take(&path, "append", PATIENCE)?;
        share(self.sharing, &self.places)?;
        Ok(Box::new(lock))
    }

    fn lock_audit(&self) -> Result<Box<dyn Held>, LockError> {
        let path = lock::audit_path(&self.places.git_dir);
        match lock::take_now(&path, "audit") {
            Ok(lock) => match share(self.sharing, &self.places) {
                Ok(()) => Ok(Box::new(lock)),
                Err(error) => Err(LockError::Broken(error.into())),
            },
            Err(LocalError::Held { holder, .. }) => Err(LockError::Held(holder)),
            Err(error) => Err(LockError::Broken(error.into())),
        }
    }

    fn anchor(&self, writer: &Writer) -> Option<Anchor> {
        anchors::read(&self.places, writer, self.instance)
    }

    fn set_anchor(&self, writer: &Writer, anchor: &Anchor) -> Result<(), Cause> {
        anchors::write(&self.places, writer, self.instance, anchor)?;
        Ok(paths::bind(&self.places, self.work_dir.as_deref())?)
    }

    fn keep_pending(&self, batch: &Batch) -> Result<(), Cause> {
        pending::keep(&self.places, batch)?;
        Ok(share(self.sharing, &self.places)?)
    }

    fn pending(&self) -> Result<Vec<(String, Batch)>, Cause> {
        Ok(pending::list(&self.places)?)
    }

    fn drop_pending(&self, name: &str) -> Result<(), Cause> {
        Ok(pending::drop_one(&self.places, name)?)
    }

    fn keep_unproven(&self, identity: &Identity, entry: &Entry) -> Result<(), Cause> {
        Ok(unproven::keep(&self.places, identity, entry)?)
    }

    fn unproven(&self, identity: &Identity) -> Result<Vec<(String, Entry)>, Cause> {
        Ok(unproven::list(&self.places, identity)?)
    }

    fn drop_unproven(&self, name: &str) -> Result<(), Cause> {
        Ok(unproven::drop_one(&self.places, name)?)
    }

    fn draw_attempt(&self) -> Result<AttemptId, Cause> {
        Ok(AttemptId::new(random::bytes()?))
    }

    fn begin(&self, intent: &Intent) -> Result<Box<dyn Begun>, Cause> {
        let begun = intents::begin(&self.places, intent)?;
        // Whoever shares the clone must see the step, should this run be killed.
        share(self.sharing, &self.places)?;
        Ok(Box::new(begun))
    }

    fn intents(&self) -> Result<Vec<Noticed>, Cause> {
        Ok(intents::list(&self.places)?)
    }

    fn forget_intent(&self, name: &str) -> Result<(), Cause> {
        Ok(intents::forget(&self.places, name)?)
    }
}
