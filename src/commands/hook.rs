//! `hook`.

use clap::ValueEnum;

use super::Desk;
use crate::engine::hook::{Tools, commit, push};
use crate::engine::stop::Stop;
use crate::model::hook::{Hook, Hooked};
use crate::model::outcome::{Details, Outcome, Word};

/// What the hooks of git call: judge what is about to be committed or pushed
///
/// `pre-commit` and `pre-merge-commit` look at the plan files as they are staged. `pre-push` reads
/// from standard input what git writes there, judges each reference, runs the audit that is missing
/// where the commit is the one checked out, and publishes the evidence to planAudit.remote. What is
/// said goes to standard error; the verdict and the next command are its last lines.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit hook pre-commit\n  \
    git plan-audit hook pre-push origin https://example.org/x.git\n\n\
    Exit codes: 0 passes (also where no plan binds), 1 refused.")]
pub(crate) struct Args {
    /// The hook.
    #[arg(value_enum, value_name = "NAME")]
    hook: Name,
    /// What git gives to the hook: of pre-push the remote and its address.
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
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
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
            match self.hook {
                Name::Commit => commit::commit(&world, &tools, Hook::Commit),
                Name::Merge => commit::commit(&world, &tools, Hook::Merge),
                Name::Push => push::push(&world, &tools, &desk.pushed(&self.arguments)?),
            }
        })
    }

    /// Makes of whatever else ended the command the refusal that git knows, with the verdict and the
    /// next command at its end.
    pub(super) fn settle(&self, outcome: &mut Outcome) {
        if matches!(outcome.word, Word::Refused | Word::Unknown) {
            let hook = match self.hook {
                Name::Commit => Hook::Commit,
                Name::Merge => Hook::Merge,
                Name::Push => Hook::Push,
            };
            outcome.word = Word::Fail;
            outcome.exit = 1;
            outcome.details = Details::Hook(Box::new(Hooked::refusing(hook, &outcome.findings)));
        }
    }
}
