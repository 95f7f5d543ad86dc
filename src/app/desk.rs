//! The wired world that commands work in.

use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::adapters::{NoRunner, SystemClock};
use super::checkouts::CheckoutsPort;
use super::demo_shell::DemoMaker;
use super::host::HostPort;
use super::initialise::Initialise;
use super::live::Teller;
use super::prober::ProberPort;
use super::separation::{no_checkout, other_user};
use super::session::{Session, Stage, platform};
use super::signing::CommitSigning;
use super::storage::{LocalPort, NotesPort};
use super::surroundings::Surroundings;
use super::transport::TransportPort;
use crate::check::{Audience, Checker, CheckerSpec, Shown};
use crate::commands::{Cli, Demonstrator, Desk, Examiner, Format, Hosts, InitRequest, Initialiser};
use crate::engine::events::{Event, Listener};
use crate::engine::ports::{Checkouts, Clock as _, Local, Outputs, Runner, Workspace};
use crate::engine::stop::Stop;
use crate::engine::sync::Ways;
use crate::engine::world::{Recorder, World};
use crate::ledger::notes::Notes as _;
use crate::local::outputs::Store;
use crate::model::finding::{Finding, judging as rows};
use crate::model::outcome::{Deinitialised, Examined, Initialised, Outcome};
use crate::model::pushed::{Push, Said};
use crate::model::time::Timestamp;
use crate::proc::Interrupts;
use crate::sign::key::Key;
use crate::ui::live::Live;
use crate::ui::progress::Progress;
use crate::ui::pulse::Pulse;
use crate::ui::screen::{self, Noise};

/// The wired world of one call.
pub(super) struct Application<'a> {
    surroundings: &'a Surroundings,
    interrupts: &'a Interrupts,
    session: Option<Session>,
    notes: Option<NotesPort>,
    local: Option<LocalPort>,
    checkouts: Option<CheckoutsPort>,
    prober: Option<ProberPort>,
    key: OnceCell<Key>,
    checker: OnceCell<Checker>,
    audience: Audience,
    demo: DemoMaker<'a>,
    /// Whether the command runs checks, or only records.
    runs_checks: bool,
    progress: Box<dyn Fn(&Event<'_>)>,
    platform: String,
}

impl<'a> Application<'a> {
    /// Opens the repository, when the command needs one, and wires the ports.
    pub(super) fn open(
        surroundings: &'a Surroundings,
        cli: &Cli,
        interrupts: &'a Interrupts,
        noise: Noise,
    ) -> Result<Self, Stop> {
        if cli.command.records() {
            crate::proc::lost::sweep();
        }
        let needs = cli.command.needs_repository();
        let session = if needs {
            let stage = if cli.command.receives() {
                Stage::Receiving
            } else {
                Stage::Settled
            };
            Some(Session::open(surroundings, cli.command.base(), stage)?)
        } else {
            None
        };
        if let Some(Ok(places)) = session.as_ref().map(|session| &session.places) {
            crate::local::private::sweep(&places.checkouts);
        }
        let teller = teller(surroundings, noise);
        let audience = audience(session.as_ref(), cli, &teller);
        let checkouts = |session| CheckoutsPort::of(session, surroundings, interrupts, &audience);
        let notes = |session| {
            let signing = CommitSigning::of(session, surroundings, interrupts);
            NotesPort::of(session).signed(signing)
        };
        let to_results = cli.format == Format::Text && noise == Noise::Usual;
        Ok(Self {
            surroundings,
            interrupts,
            notes: session.as_ref().map(notes),
            local: session.as_ref().and_then(LocalPort::of),
            checkouts: session.as_ref().map(checkouts),
            prober: session
                .as_ref()
                .map(|session| ProberPort::of(session, interrupts)),
            audience,
            session,
            key: OnceCell::new(),
            checker: OnceCell::new(),
            demo: DemoMaker {
                surroundings,
                interrupts,
                show: shower(to_results, noise),
            },
            runs_checks: cli.command.runs_checks(),
            progress: Box::new(move |event| teller.tell(event)),
            platform: platform(),
        })
    }

    /// Returns the open repository.
    fn session(&self) -> Result<&Session, Stop> {
        self.session.as_ref().ok_or_else(|| {
            Stop::refuse(Finding::new(
                &rows::REPOSITORY,
                "this command opened no repository",
            ))
        })
    }

    /// Says whether there is a ledger here.
    fn has_ledger(&self) -> Result<bool, Stop> {
        let notes = self.notes.as_ref().ok_or_else(not_initialised)?;
        let tip = notes
            .tip()
            .map_err(|error| Stop::broken("read the ledger")(error.into()))?;
        Ok(tip.is_some())
    }

    /// Returns the key of this clone.
    fn key(&self) -> Result<&Key, Stop> {
        if self.key.get().is_none() {
            let key = self.session()?.key(self.surroundings, self.interrupts)?;
            drop(self.key.set(key));
        }
        self.key.get().ok_or_else(not_initialised)
    }

    /// Returns what `init` works with.
    fn initialise_port(&self) -> Result<Initialise<'_>, Stop> {
        Ok(Initialise {
            surroundings: self.surroundings,
            interrupts: self.interrupts,
            session: self.session()?,
            had_ledger: self.has_ledger()?,
        })
    }

    /// Returns what runs checks in the work tree; nothing runs where there is none.
    fn runner(&self) -> Result<&dyn Runner, Stop> {
        if !self.runs_checks || self.session()?.repository.is_bare() {
            return Ok(&NoRunner);
        }
        Ok(self.checker()?)
    }

    /// Returns what runs checks.
    fn checker(&self) -> Result<&Checker, Stop> {
        if self.checker.get().is_none() {
            let session = self.session()?;
            let top = session.work_dir()?;
            let checker = Checker::new(CheckerSpec {
                top: top.to_owned(),
                apart: None,
                other_user: other_user(session, self.surroundings)?,
                variables: self.surroundings.variables.clone(),
                interrupts: self.interrupts.clone(),
                audience: self.audience.clone(),
            })
            .map_err(|error| Stop::broken("prepare the checks")(error.into()))?;
            drop(self.checker.set(checker));
        }
        self.checker.get().ok_or_else(not_initialised)
    }
}

impl Desk for Application<'_> {
    fn world(&self) -> Result<World<'_>, Stop> {
        let session = self.session()?;
        let notes = self.notes.as_ref().ok_or_else(not_initialised)?;
        let workspace = session.repository.work_dir().map(|_| &*session.repository);
        Ok(World {
            objects: &*session.repository,
            prober: self.prober.as_ref().ok_or_else(not_initialised)?,
            notes,
            readings: &session.readings,
            clock: &SystemClock,
            workspace: workspace.map(|repository| -> &dyn Workspace { repository }),
            settings: &session.settings,
            identity: session.identity(),
        })
    }

    fn recorder(&self) -> Result<Recorder<'_>, Stop> {
        self.session()?.demand_known()?;
        Ok(Recorder {
            local: self.local.as_ref().ok_or_else(not_initialised)?,
            signer: self.key()?,
            clock: &SystemClock,
            runner: self.runner()?,
            platform: &self.platform,
            tool: env!("CARGO_PKG_VERSION"),
        })
    }

    fn checkouts(&self) -> Result<&dyn Checkouts, Stop> {
        if other_user(self.session()?, self.surroundings)?.is_some() {
            return Err(no_checkout());
        }
        self.index()
    }

    fn index(&self) -> Result<&dyn Checkouts, Stop> {
        let checkouts = self.checkouts.as_ref();
        checkouts
            .map(|checkouts| -> &dyn Checkouts { checkouts })
            .ok_or_else(not_initialised)
    }

    fn local(&self) -> Option<&dyn Local> {
        self.local.as_ref().map(|local| -> &dyn Local { local })
    }

    fn outputs(&self) -> Option<&dyn Outputs> {
        self.audience.outputs.as_deref()
    }

    fn pushed(&self, arguments: &[String]) -> Result<Push, Stop> {
        super::pushed::read(arguments, self.surroundings)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Stop> {
        super::named_file::read(self.surroundings, path)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Stop> {
        super::named_file::write(self.surroundings, path, text)
    }

    fn received(&self) -> Result<Said, Stop> {
        super::pushed::received()
    }

    fn listener(&self) -> Listener<'_> {
        &*self.progress
    }

    fn exchange(&self, act: &dyn Fn(Ways<'_>) -> Result<Outcome, Stop>) -> Result<Outcome, Stop> {
        let notes = self.notes.as_ref().ok_or_else(not_initialised)?;
        let session = self.session()?;
        let transport = TransportPort::new(session, self.surroundings, self.interrupts);
        act(Ways {
            notes,
            transport: &transport,
        })
    }

    fn initialiser(&self) -> Result<&dyn Initialiser, Stop> {
        self.session().map(|_| -> &dyn Initialiser { self })
    }

    fn now(&self) -> Timestamp {
        SystemClock.now()
    }

    fn cores(&self) -> NonZeroUsize {
        std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
    }

    fn examiner(&self) -> Result<&dyn Examiner, Stop> {
        self.session().map(|_| -> &dyn Examiner { self })
    }

    fn hosts(&self, act: &dyn Fn(&dyn Hosts) -> Result<Outcome, Stop>) -> Result<Outcome, Stop> {
        let session = self.session.as_ref();
        act(&HostPort {
            surroundings: self.surroundings,
            interrupts: self.interrupts,
            top: session.and_then(|session| session.repository.work_dir()),
        })
    }

    fn demonstrator(&self) -> &dyn Demonstrator {
        &self.demo
    }
}

impl Examiner for Application<'_> {
    fn examine(&self) -> Result<(Examined, Vec<Finding>), Stop> {
        super::doctor::examine(&self.initialise_port()?)
    }
}

impl Initialiser for Application<'_> {
    fn initialise(&self, request: &InitRequest) -> Result<(Initialised, Vec<Finding>), Stop> {
        self.initialise_port()?.run(request)
    }

    fn deinitialise(&self) -> Result<(Deinitialised, Vec<Finding>), Stop> {
        super::deinitialise::run(&self.initialise_port()?)
    }
}

/// Says what becomes of what checks write.
fn audience(session: Option<&Session>, cli: &Cli, teller: &Teller) -> Audience {
    let places = session.and_then(|session| session.places.as_ref().ok());
    let shown = if cli.command.is_verbose() {
        Shown::Whole
    } else {
        Shown::Tail
    };
    Audience {
        outputs: places.map(|places| -> Arc<dyn Outputs> { Arc::new(Store::of(places)) }),
        ear: teller.ear(),
        shown,
    }
}

/// Returns what tells of progress: a live line where a person follows on a terminal.
fn teller(surroundings: &Surroundings, noise: Noise) -> Teller {
    let progress = Progress::new(noise);
    match noise {
        Noise::Quiet => Teller::Silent,
        Noise::Usual if surroundings.has_terminal => {
            Teller::Live(progress, Arc::new(Live::on_stderr()))
        }
        Noise::Usual => Teller::Plain(progress, Pulse::new(progress)),
    }
}

/// Returns what shows the demo: to standard output for people, else as remarks.
fn shower(to_results: bool, noise: Noise) -> &'static dyn Fn(&str) {
    match (to_results, noise) {
        (true, _) => &|text| drop(screen::result(text)),
        (false, Noise::Usual) => &|text| drop(screen::remark(text)),
        (false, Noise::Quiet) => &|_| {},
    }
}

/// Refuses before `init`.
pub(super) fn not_initialised() -> Stop {
    Stop::refuse(
        Finding::new(
            &rows::NOT_INITIALISED,
            "this clone cannot record yet: it has no instance or no key",
        )
        .hint("git plan-audit init --no-hooks"),
    )
}
