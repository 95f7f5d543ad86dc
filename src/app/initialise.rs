//! `init`: makes a clone able to record. What is there already is left as it is.

mod advice;
mod alone;
pub(super) mod clean;
pub(super) mod hooks;
mod key;
pub(super) mod remotes;

use std::collections::BTreeSet;
use std::path::Path;

use super::adapters::SystemClock;
use super::prober::ProberPort;
use super::session::{Session, Stage, local};
use super::signing::CommitSigning;
use super::starter;
use super::storage::{LocalPort, NotesPort};
use super::surroundings::Surroundings;
use crate::commands::InitRequest;
use crate::engine::append::{ensure_chain, unsigned};
use crate::engine::ledgers::{self, Which};
use crate::engine::own_key::unlisted;
use crate::engine::ports::{Clock as _, Identity};
use crate::engine::stop::Stop;
use crate::engine::trusting::{present_trust, resolve};
use crate::engine::world::{Recorder, Settings, World};
use crate::ledger::chains::Sound;
use crate::local::identity::OwnKey;
use crate::local::instance::{self, Found};
use crate::local::{accepted, anchors, identity, instances, paths, random};
use crate::model::finding::{Finding, judging as rows, ledger as ledger_rows};
use crate::model::ids::{InstanceId, LedgerId, RecordId, Writer};
use crate::model::outcome::Initialised;
use crate::model::repository::Accepted;
use crate::proc::Interrupts;
use crate::sign::key::Key;
use crate::trust::soundness::sound;

/// What one call of `init` works with.
#[derive(Clone, Copy)]
pub(super) struct Initialise<'a> {
    /// What the process was started with.
    pub(super) surroundings: &'a Surroundings,
    /// Signals.
    pub(super) interrupts: &'a Interrupts,
    /// The repository.
    pub(super) session: &'a Session,
    /// Whether there was a ledger before.
    pub(super) had_ledger: bool,
}

impl Initialise<'_> {
    /// Does what is asked for while no other `init` is at work here, and says what was written.
    pub(super) fn run(&self, request: &InitRequest) -> Result<(Initialised, Vec<Finding>), Stop> {
        let alone = self.alone()?;
        let init = Initialise {
            session: &alone.session,
            had_ledger: alone.had_ledger,
            ..*self
        };
        init.write(request)
    }

    /// Does what is asked for, and says what was written.
    fn write(&self, request: &InitRequest) -> Result<(Initialised, Vec<Finding>), Stop> {
        // A bare repository records audits of commits; only a plan needs a work tree to lie in.
        if request.starter {
            self.session.work_dir()?;
        }
        let places = self.session.places()?;
        let remotes = remotes::prepare(self)?;
        let mut wrote = remotes.lines.clone();
        let identity = self.identity(request, &mut wrote)?;
        let chosen = key::choose(self, request, &identity)?;
        if let Some(sentence) = &chosen.made {
            wrote.push(sentence.clone());
        }
        if self.session.keys.last() != Some(&chosen.own) {
            identity::put(places, &chosen.own).map_err(local)?;
            wrote.push(format!("{} as this clone's key", chosen.own.writer));
        }
        wrote.extend(self.settle(&identity)?);
        let (record, unsigned) = self.open_chain(request, &identity, &chosen.key)?;
        wrote.extend(record.map(|id| format!("record {} in refs/notes/plan-audit", id.short())));
        wrote.extend(self.accept(&chosen.key)?);
        let skeleton = request.starter.then(|| self.starter()).transpose()?;
        let skeleton = skeleton.flatten();
        wrote.extend(skeleton.clone());
        let hooks = if request.with_hooks {
            hooks::install(self)?
        } else {
            hooks::Installed::default()
        };
        wrote.extend(hooks.wrote.iter().cloned());
        let findings = hooks.findings.into_iter().chain(unsigned);
        let findings = self.found(&identity, findings.collect())?;
        let did = advice::Did {
            record,
            before: self.before(request),
            refspecs: remotes.added,
            fetched: remotes.fetched,
            had_ledger: self.had_ledger,
            skeleton: skeleton.is_some(),
            taken_out_by: (!hooks.wrote.is_empty()).then_some("git plan-audit deinit"),
            is_unshared: findings
                .iter()
                .any(|each| *each.row == ledger_rows::UNSHARED),
            earlier_key: chosen.earlier.clone(),
        };
        let initialised = Initialised {
            ledger: identity.ledger.to_string(),
            instance: identity.instance.to_string(),
            writer: chosen.own.writer.clone(),
            key: chosen.sentence.clone(),
            record,
            wrote,
            by_hand: hooks.by_hand,
            undo: advice::undo(self, &did)?,
            next: advice::next(self, &did),
        };
        Ok((initialised, findings))
    }

    /// Adds what is to be known of ledger and key where others count too.
    fn found(&self, identity: &Identity, mut findings: Vec<Finding>) -> Result<Vec<Finding>, Stop> {
        let session = Session::open(self.surroundings, None, Stage::Settled)?;
        let notes = NotesPort::of(&session);
        let world = World {
            objects: &*session.repository,
            prober: &ProberPort::of(&session, self.interrupts),
            notes: &notes,
            readings: &session.readings,
            clock: &SystemClock,
            workspace: None,
            settings: &session.settings,
            identity: Some(identity),
        };
        let trusting = resolve(&world, None)?;
        findings.extend(unlisted(&world, &trusting));
        findings.extend(ledgers::told(&world, &trusting)?);
        for remote in &session.configured.remotes {
            if let Some(tip) = session.repository.ledger_at(&remote.name) {
                findings.extend(ledgers::other_at(&world, &notes, (&remote.name, &tip))?);
            }
        }
        findings.extend(ledgers::unsent(&world));
        Ok(findings)
    }

    /// Writes down who this clone is, unless that is known.
    fn settle(&self, identity: &Identity) -> Result<Option<String>, Stop> {
        let places = self.session.places()?;
        let is_known = self.session.found == Found::Own(identity.clone());
        if !is_known {
            instance::write(places, identity).map_err(local)?;
        }
        instances::add(places, [identity.instance]).map_err(local)?;
        let common = places.common.display();
        Ok((!is_known).then(|| format!("instance {} in {common}", identity.instance)))
    }

    /// Says what was known of this clone before.
    const fn before(&self, request: &InitRequest) -> advice::Before {
        match (&request.new_instance, &self.session.found) {
            (Some(_), _) => advice::Before::Renewed,
            (None, Found::Own(_)) => advice::Before::Known,
            (None, Found::Absent | Found::Copied(_)) => advice::Before::Nothing,
        }
    }

    /// Finds or draws the ids of ledger and clone.
    fn identity(&self, request: &InitRequest, wrote: &mut Vec<String>) -> Result<Identity, Stop> {
        if self.session.is_exchanged {
            wrote.push("what is known of this path, where another clone recorded".to_owned());
        }
        let known = self.session.settings.own_ledger;
        let own = match &self.session.found {
            Found::Own(identity) if request.new_instance.is_none() => return Ok(identity.clone()),
            Found::Absent if request.new_instance.is_none() && self.has_anchor() => {
                return Err(forgotten());
            }
            // The file lies where anybody who can write to the repository can write.
            Found::Own(Identity { ledger, .. }) | Found::Copied(ledger) => known.or(Some(*ledger)),
            Found::Absent => known,
        };
        let ledger = self.ledger(own, wrote)?;
        if matches!(self.session.found, Found::Copied(_)) {
            wrote.push("a new instance, since this clone was copied or moved".to_owned());
        }
        if request.new_instance.is_some() {
            self.remember_former()?;
            anchors::forget(self.session.places()?).map_err(local)?;
        }
        let instance = InstanceId::new(random::bytes().map_err(local)?);
        Ok(Identity { ledger, instance })
    }

    /// Remembers the instances under which this clone recorded so far: what it sealed binds it still.
    fn remember_former(&self) -> Result<(), Stop> {
        let places = self.session.places()?;
        let own = self.session.identity().map(|identity| identity.instance);
        let anchored = &self.session.settings.anchored;
        let proven = self.proven()?;
        let written = anchored.iter().filter_map(|id| proven.get(id));
        let written = written.map(|record| record.header.instance);
        instances::add(places, own.into_iter().chain(written)).map_err(local)
    }

    /// Finds or draws the ledger to record in. `own` is the one that this clone stood on.
    fn ledger(&self, own: Option<LedgerId>, wrote: &mut Vec<String>) -> Result<LedgerId, Stop> {
        let notes = NotesPort::of(self.session);
        let world = World {
            objects: &*self.session.repository,
            prober: &ProberPort::of(self.session, self.interrupts),
            notes: &notes,
            readings: &self.session.readings,
            clock: &SystemClock,
            workspace: None,
            settings: &self.session.settings,
            identity: None,
        };
        match ledgers::which(&world, own)? {
            Which::One(ledger) => {
                if let Some(own) = own.filter(|own| *own != ledger) {
                    wrote.push(format!(
                        "another ledger for this clone; until now it was {own}"
                    ));
                }
                Ok(ledger)
            }
            Which::Several(among) => Err(ledgers::undecided(&among)),
            Which::Nobody => {
                wrote.push("a new ledger, since none is here".to_owned());
                Ok(LedgerId::new(random::bytes().map_err(local)?))
            }
        }
    }

    /// Says whether this clone has written records before.
    fn has_anchor(&self) -> bool {
        !self.session.settings.anchored.is_empty()
    }

    /// Returns every record here that its key proves.
    fn proven(&self) -> Result<Sound, Stop> {
        let notes = NotesPort::of(self.session);
        let reading = self.session.readings.read(&notes);
        let reading = reading.map_err(|error| Stop::broken("read the ledger")(error.into()))?;
        Ok(sound(&reading.copies, &self.session.settings.keyring))
    }

    /// Returns the clones that recorded here.
    fn recorded_instances(&self) -> Result<BTreeSet<InstanceId>, Stop> {
        let proven = self.proven()?;
        let instances = proven.values().map(|record| record.header.instance);
        Ok(instances.collect())
    }

    /// Opens this clone's chain, unless it is open and no new one is asked for.
    fn open_chain(
        &self,
        request: &InitRequest,
        identity: &Identity,
        key: &Key,
    ) -> Result<(Option<RecordId>, Option<Finding>), Stop> {
        let places = self.session.places()?;
        let repository = &self.session.repository;
        let signing = CommitSigning::of(self.session, self.surroundings, self.interrupts);
        let notes = NotesPort::with(repository, crate::engine::ports::Signer::writer(key));
        let notes = notes.signed(signing);
        let local = LocalPort::with(places, identity.instance, repository);
        let settings = self.settings(key);
        let world = World {
            objects: &**repository,
            prober: &ProberPort::of(self.session, self.interrupts),
            notes: &notes,
            readings: &self.session.readings,
            clock: &SystemClock,
            workspace: None,
            settings: &settings,
            identity: Some(identity),
        };
        let recorder = Recorder {
            local: &local,
            signer: key,
            clock: &SystemClock,
            runner: &super::adapters::NoRunner,
            platform: "",
            tool: env!("CARGO_PKG_VERSION"),
        };
        let reason = request.new_instance.as_deref();
        let record = ensure_chain(&world, &recorder, identity, reason)
            .map_err(|finding| Stop::Unknown(vec![*finding]))?;
        Ok((record, unsigned(&notes)))
    }

    /// Accepts the signers and settings that the trust point holds now.
    fn accept(&self, key: &Key) -> Result<Option<String>, Stop> {
        let places = self.session.places()?;
        let repository = &self.session.repository;
        let notes = NotesPort::of(self.session);
        let settings = self.settings(key);
        let world = World {
            objects: &**repository,
            prober: &ProberPort::of(self.session, self.interrupts),
            notes: &notes,
            readings: &self.session.readings,
            clock: &SystemClock,
            workspace: None,
            settings: &settings,
            identity: None,
        };
        let present = present_trust(&world)?;
        paths::bind(places, repository.work_dir()).map_err(local)?;
        if settings.accepted == Some(present) {
            return Ok(None);
        }
        accepted::write(places, present).map_err(local)?;
        let is_any = present != Accepted::Nothing;
        Ok(is_any.then(|| "the signers and settings at the trust point, accepted".to_owned()))
    }

    /// Returns settings with the key at hand, so that its own chain can be found.
    fn settings(&self, key: &Key) -> Settings {
        let mut settings = self.session.settings.clone();
        key.lend(&mut settings.keyring);
        settings
    }

    /// Writes the plan skeleton; a plan that is there is left as it is.
    fn starter(&self) -> Result<Option<String>, Stop> {
        let top = self.session.work_dir()?;
        let path = top.join(".plan-auditor/plan.json");
        if path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        starter::write(top, &path, SystemClock.now())?;
        Ok(Some(
            ".plan-auditor/plan.json: a plan skeleton; edit it, then git add it".to_owned(),
        ))
    }
}

/// Refuses to go on, or to begin anew, where this clone has written before and is not known any more.
pub(super) fn forgotten() -> Stop {
    let message = "this clone has recorded before, and its instance is gone from .git/plan-audit";
    Stop::refuse(
        Finding::new(&rows::LOCAL_FILE, message)
            .hint("git plan-audit init --no-hooks --new-instance --reason TEXT, if that is meant"),
    )
}

/// Makes the entry of a key.
fn own_key(writer: Writer, location: &Path) -> OwnKey {
    OwnKey {
        writer,
        location: location.display().to_string(),
    }
}
