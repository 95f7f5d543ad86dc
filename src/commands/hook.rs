//! `hook`.

use clap::ValueEnum;

use super::Desk;
use crate::engine::hook::receive::receive;
use crate::engine::hook::{Tools, commit, push};
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::hook::{Caller, Hook, Hooked};
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::pushed::{self, Said};

/// What a hook of a clone does.
type Act<'a> = &'a dyn Fn(&World<'_>, &Tools<'_>) -> Result<Outcome, Stop>;

/// What the hooks of git call: judge what is about to be committed, pushed or received
///
/// `pre-commit` and `pre-merge-commit` look at the plan files as they are staged. `pre-push` reads
/// from standard input what git writes there, judges each reference, runs the audit that is missing
/// where the commit is the one checked out, and publishes the evidence to planAudit.remote. What is
/// said goes to standard error; the verdict and the next command are its last lines.
///
/// `pre-receive` and `update` are for servers: they run nothing and write nothing. Evidence only gains
/// records and is never deleted or rewound; what is protected, the default branch where nothing else
/// is said, needs a PASS.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit hook pre-commit\n  \
    git plan-audit hook pre-push origin https://example.org/x.git\n  \
    git plan-audit hook pre-receive\n  \
    git plan-audit hook update refs/heads/main OLD NEW\n\n\
    Exit codes: 0 passes (also where no plan binds), 1 refused.")]
pub(crate) struct Args {
    /// The hook.
    #[arg(value_enum, value_name = "NAME")]
    hook: Name,
    /// What git gives to the hook: of pre-push the remote and its address, of update the reference and
    /// its ids before and after.
    #[arg(value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

/// The names of the hooks on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Name {
    /// Before a commit.
    #[value(name = "pre-commit")]
    Commit,
    /// Before a merge becomes a commit.
    #[value(name = "pre-merge-commit")]
    Merge,
    /// Before a push.
    #[value(name = "pre-push")]
    Push,
    /// On a server, before anything of a push is taken.
    #[value(name = "pre-receive")]
    Receive,
    /// On a server, before one reference of a push is taken.
    #[value(name = "update")]
    Update,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        match self.hook {
            Name::Receive => receive(&desk.world()?, Caller::Receive, &desk.received()?),
            Name::Update => receive(&desk.world()?, Caller::Update, &self.updated()),
            Name::Commit => Self::asked(desk, &|world, tools| {
                commit::commit(world, tools, Hook::Commit)
            }),
            Name::Merge => Self::asked(desk, &|world, tools| {
                commit::commit(world, tools, Hook::Merge)
            }),
            Name::Push => Self::asked(desk, &|world, tools| {
                push::push(world, tools, &desk.pushed(&self.arguments)?)
            }),
        }
    }

    /// Says whether a server asks about a push.
    pub(super) const fn receives(&self) -> bool {
        matches!(self.hook, Name::Receive | Name::Update)
    }

    /// Reads the arguments of `update`.
    fn updated(&self) -> Said {
        match self.arguments.as_slice() {
            [name, old, new] => pushed::updated(name, old, new),
            _ => Said::Unreadable("update is given a reference and two ids".to_owned()),
        }
    }

    /// Does what a hook of a clone asks for.
    fn asked(desk: &dyn Desk, act: Act<'_>) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        desk.exchange(&|ways| {
            let recorder = || desk.recorder();
            let checkouts = || desk.checkouts();
            let tools = Tools {
                recorder: &recorder,
                index: desk.index()?,
                checkouts: &checkouts,
                jobs: desk.cores(),
                ways,
                listener: desk.listener(),
            };
            act(&world, &tools)
        })
    }

    /// Makes of whatever else ended the command the refusal that git knows, with the verdict and the
    /// next command at its end.
    pub(super) fn settle(&self, outcome: &mut Outcome) {
        if matches!(outcome.word, Word::Refused | Word::Unknown) {
            let caller = match self.hook {
                Name::Commit => Caller::Clone(Hook::Commit),
                Name::Merge => Caller::Clone(Hook::Merge),
                Name::Push => Caller::Clone(Hook::Push),
                Name::Receive => Caller::Receive,
                Name::Update => Caller::Update,
            };
            outcome.word = Word::Fail;
            outcome.exit = 1;
            outcome.details = Details::Hook(Box::new(Hooked::refusing(caller, &outcome.findings)));
        }
    }
}
