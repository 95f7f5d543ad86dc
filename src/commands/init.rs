//! `init`.

use super::Desk;
use super::desk::{InitRequest, KeyChoice};
use crate::engine::stop::Stop;
use crate::model::finding::{Effect, Finding};
use crate::model::outcome::{Details, Outcome, Word};

/// Make this clone able to record: instance, key, fetch refspec, hooks
///
/// Safe to run again. The key is git's SSH signing key, else a new ed25519 key outside the
/// workspace. Where a remote has a ledger and there is none here, it is fetched.
///
/// The hooks pre-commit, pre-merge-commit and pre-push are installed where git looks for them. A
/// hook that is there is kept and called first. A place that is not this clone's own is not
/// written to: the lines to add are printed, and the exit code is 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit init --starter\n  \
    git plan-audit init --no-hooks --hmac\n  \
    git plan-audit init --no-hooks --new-instance --reason 'copied clone'\n\n\
    Exit codes: 0 done, 1 hooks are to be added by hand, 2 refused, 3 not recorded.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(crate) struct Args {
    /// Do not install hooks.
    #[arg(long)]
    no_hooks: bool,
    /// Write a plan skeleton to .plan-auditor/plan.json.
    #[arg(long)]
    starter: bool,
    /// Prove records with an HMAC key: planAudit.hmacKeyFile, else a new one.
    #[arg(long)]
    hmac: bool,
    /// Prove records with this SSH key, or with --hmac with this key file.
    #[arg(long, value_name = "FILE")]
    key: Option<String>,
    /// Open a new chain, as after copying a clone.
    #[arg(long, requires = "reason")]
    new_instance: bool,
    /// Why a new chain is opened.
    #[arg(long, value_name = "TEXT", requires = "new_instance")]
    reason: Option<String>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let (initialised, findings) = desk.initialiser()?.initialise(&self.request())?;
        let lacks = |finding: &Finding| finding.row.effect == Effect::Fail;
        let word = if findings.iter().any(lacks) {
            Word::Fail
        } else {
            Word::Ok
        };
        let details = Details::Init(Box::new(initialised));
        Ok(Outcome::new(word, findings, details))
    }

    /// Puts together what is asked for.
    fn request(&self) -> InitRequest {
        let key = match (&self.key, self.hmac) {
            (Some(file), false) => KeyChoice::Ssh(file.clone()),
            (file, true) => KeyChoice::Hmac(file.clone()),
            (None, false) => KeyChoice::Found,
        };
        let new_instance = if self.new_instance {
            self.reason.clone()
        } else {
            None
        };
        InitRequest {
            key,
            starter: self.starter,
            new_instance,
            with_hooks: !self.no_hooks,
        }
    }
}
