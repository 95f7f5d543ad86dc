//! The command line: one file per command, each with its arguments and what it does.
//!
//! Adding a command is a file, a variant here and a line in each of the two matches.

mod anchor;
mod answer;
mod audit;
mod claims;
mod close;
mod deinit;
mod demo;
mod desk;
mod diff;
mod doctor;
mod export;
mod failure;
mod fingerprint;
mod fsck;
mod hook;
mod host;
mod init;
mod log;
mod plan_argument;
mod preflight;
mod questions;
mod reason_argument;
mod review;
mod revoke;
mod run;
mod seal;
mod show;
mod status;
mod sync;
mod validate;
mod verify;
mod writer_argument;

use clap::{ArgAction, Parser, Subcommand, ValueEnum};

pub(crate) use demo::{Demonstrator, Shell};
pub(crate) use desk::{Desk, Examiner, Hosts, InitRequest, Initialiser, KeyChoice};
pub(crate) use failure::outcome_of;

use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;

/// Proves that a plan was carried out, and keeps the proof in git.
#[derive(Parser, Debug)]
#[command(
    name = "git-plan-audit",
    bin_name = "git plan-audit",
    version,
    max_term_width = 100,
    propagate_version = false,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_flag = true,
    after_help = "A first audit:\n  \
        git plan-audit init --starter              make a key and a plan skeleton, install hooks\n  \
        $EDITOR .plan-auditor/plan.json            what is asked for, and the checks that prove it\n  \
        git add .plan-auditor && git plan-audit seal\n  \
        git plan-audit audit                       run every check, record the result\n  \
        git commit -m 'Do the work' && git plan-audit verify HEAD\n\n\
        Exit codes: 0 PASS or done, 1 FAIL, 2 refused, 3 UNKNOWN or NO_PLAN, 129 usage error."
)]
pub(crate) struct Cli {
    /// How results are written.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Write results only, no progress.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Print help.
    // Git takes `git plan-audit --help` for itself and looks for a man page, so that what is shown
    // names the short form alone.
    #[arg(short, alias = "help", global = true, action = ArgAction::HelpLong, display_order = 900)]
    help: Option<bool>,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object, for machines.
    Json,
}

/// Every command; what `help` says of each is the doc comment of its `Args`.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Init(init::Args),
    Validate(validate::Args),
    Claims(claims::Args),
    Preflight(preflight::Args),
    Questions(questions::Args),
    Answer(answer::Args),
    Seal(seal::Args),
    Run(run::Args),
    Diff(diff::Args),
    Close(close::Args),
    Revoke(revoke::Args),
    Audit(audit::Args),
    Verify(verify::Args),
    Review(review::Args),
    Status(status::Args),
    Log(log::Args),
    Show(show::Args),
    Fsck(fsck::Args),
    Fingerprint(fingerprint::Args),
    Sync(sync::Args),
    Anchor(anchor::Args),
    Export(export::Args),
    Hook(hook::Args),
    Host(host::Args),
    Deinit(deinit::Args),
    Doctor(doctor::Args),
    Demo(demo::Args),
}

impl Command {
    /// Returns the command's name.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::Validate(_) => "validate",
            Self::Claims(_) => "claims",
            Self::Preflight(_) => "preflight",
            Self::Questions(_) => "questions",
            Self::Answer(_) => "answer",
            Self::Seal(_) => "seal",
            Self::Run(_) => "run",
            Self::Diff(_) => "diff",
            Self::Close(_) => "close",
            Self::Revoke(_) => "revoke",
            Self::Audit(_) => "audit",
            Self::Verify(_) => "verify",
            Self::Review(_) => "review",
            Self::Status(_) => "status",
            Self::Log(_) => "log",
            Self::Show(_) => "show",
            Self::Fsck(_) => "fsck",
            Self::Fingerprint(_) => "fingerprint",
            Self::Sync(_) => "sync",
            Self::Anchor(_) => "anchor",
            Self::Export(_) => "export",
            Self::Hook(_) => "hook",
            Self::Host(_) => "host",
            Self::Deinit(_) => "deinit",
            Self::Doctor(_) => "doctor",
            Self::Demo(_) => "demo",
        }
    }

    /// Says whether the command opens the repository it is called in.
    pub(crate) const fn needs_repository(&self) -> bool {
        match self {
            Self::Demo(_) => false,
            Self::Claims(args) => args.needs_repository(),
            Self::Host(args) => args.needs_repository(),
            Self::Init(_)
            | Self::Validate(_)
            | Self::Preflight(_)
            | Self::Questions(_)
            | Self::Answer(_)
            | Self::Seal(_)
            | Self::Run(_)
            | Self::Diff(_)
            | Self::Close(_)
            | Self::Revoke(_)
            | Self::Audit(_)
            | Self::Verify(_)
            | Self::Review(_)
            | Self::Status(_)
            | Self::Log(_)
            | Self::Show(_)
            | Self::Fsck(_)
            | Self::Fingerprint(_)
            | Self::Sync(_)
            | Self::Anchor(_)
            | Self::Export(_)
            | Self::Hook(_)
            | Self::Deinit(_)
            | Self::Doctor(_) => true,
        }
    }

    /// Says whether the command runs checks or writes to the ledger.
    pub(crate) const fn records(&self) -> bool {
        match self {
            Self::Review(args) => args.records(),
            Self::Init(_)
            | Self::Preflight(_)
            | Self::Answer(_)
            | Self::Seal(_)
            | Self::Close(_)
            | Self::Revoke(_)
            | Self::Run(_)
            | Self::Audit(_)
            | Self::Sync(_)
            | Self::Hook(_) => true,
            Self::Validate(_)
            | Self::Claims(_)
            | Self::Questions(_)
            | Self::Diff(_)
            | Self::Verify(_)
            | Self::Status(_)
            | Self::Log(_)
            | Self::Show(_)
            | Self::Fsck(_)
            | Self::Fingerprint(_)
            | Self::Anchor(_)
            | Self::Export(_)
            | Self::Host(_)
            | Self::Deinit(_)
            | Self::Doctor(_)
            | Self::Demo(_) => false,
        }
    }

    /// Says whether a server asks about a push, whose objects lie apart.
    pub(crate) const fn receives(&self) -> bool {
        matches!(self, Self::Hook(args) if args.receives())
    }

    /// Says whether the command runs checks.
    pub(crate) const fn runs_checks(&self) -> bool {
        matches!(self, Self::Run(_) | Self::Audit(_) | Self::Hook(_))
    }

    /// Says whether all that checks write is shown.
    pub(crate) const fn is_verbose(&self) -> bool {
        match self {
            Self::Run(args) => args.verbose,
            Self::Audit(args) => args.verbose,
            Self::Init(_)
            | Self::Validate(_)
            | Self::Claims(_)
            | Self::Preflight(_)
            | Self::Questions(_)
            | Self::Answer(_)
            | Self::Seal(_)
            | Self::Diff(_)
            | Self::Close(_)
            | Self::Revoke(_)
            | Self::Verify(_)
            | Self::Review(_)
            | Self::Status(_)
            | Self::Log(_)
            | Self::Show(_)
            | Self::Fsck(_)
            | Self::Fingerprint(_)
            | Self::Sync(_)
            | Self::Anchor(_)
            | Self::Export(_)
            | Self::Hook(_)
            | Self::Host(_)
            | Self::Deinit(_)
            | Self::Doctor(_)
            | Self::Demo(_) => false,
        }
    }

    /// Returns the trust point that the caller named.
    pub(crate) fn base(&self) -> Option<&str> {
        match self {
            Self::Verify(args) => args.base.as_deref(),
            Self::Review(args) => args.base.as_deref(),
            Self::Fsck(args) => args.base.as_deref(),
            Self::Export(args) => args.base.as_deref(),
            Self::Init(_)
            | Self::Validate(_)
            | Self::Claims(_)
            | Self::Preflight(_)
            | Self::Questions(_)
            | Self::Answer(_)
            | Self::Seal(_)
            | Self::Run(_)
            | Self::Diff(_)
            | Self::Close(_)
            | Self::Revoke(_)
            | Self::Audit(_)
            | Self::Status(_)
            | Self::Log(_)
            | Self::Show(_)
            | Self::Fingerprint(_)
            | Self::Sync(_)
            | Self::Anchor(_)
            | Self::Hook(_)
            | Self::Host(_)
            | Self::Deinit(_)
            | Self::Doctor(_)
            | Self::Demo(_) => None,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        match self {
            Self::Init(args) => args.run(desk),
            Self::Validate(args) => args.run(desk),
            Self::Claims(args) => args.run(desk),
            Self::Preflight(args) => args.run(desk),
            Self::Questions(args) => args.run(desk),
            Self::Answer(args) => args.run(desk),
            Self::Seal(args) => args.run(desk),
            Self::Run(args) => args.run(desk),
            Self::Diff(args) => args.run(desk),
            Self::Close(args) => args.run(desk),
            Self::Revoke(args) => args.run(desk),
            Self::Audit(args) => args.run(desk),
            Self::Verify(args) => args.run(desk),
            Self::Review(args) => args.run(desk),
            Self::Status(args) => args.run(desk),
            Self::Log(args) => args.run(desk),
            Self::Show(args) => args.run(desk),
            Self::Fsck(_) => fsck::Args::run(desk),
            Self::Fingerprint(_) => fingerprint::Args::run(desk),
            Self::Sync(args) => args.run(desk),
            Self::Anchor(_) => anchor::Args::run(desk),
            Self::Export(args) => args.run(desk),
            Self::Hook(args) => args.run(desk),
            Self::Host(args) => args.run(desk),
            Self::Deinit(_) => deinit::Args::run(desk),
            Self::Doctor(_) => doctor::Args::run(desk),
            Self::Demo(args) => args.run(desk),
        }
    }

    /// Brings an outcome into the form that whoever calls this command understands.
    pub(crate) fn settle(&self, outcome: &mut Outcome) {
        if let Self::Host(args) = self {
            args.settle(outcome);
        }
        if let Self::Hook(args) = self {
            args.settle(outcome);
        }
    }
}
