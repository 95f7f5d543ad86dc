//! `revoke`.

use super::{Desk, reason_argument, writer_argument};
use crate::engine::revoke::{self, Request, What};
use crate::engine::stop::Stop;
use crate::model::ids::Writer;
use crate::model::outcome::Outcome;
use crate::model::record::Role;

/// Take evidence back: one record, or what a key wrote after its last good record
///
/// Where somebody is listed as an approver, only with their approval. Nothing is deleted: a further
/// record says what no longer counts, and every report tells of it.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "git plan-audit revoke --record ID --reason TEXT [--approve]\n       \
    git plan-audit revoke --key KEY (--last ID | --all) --reason TEXT [--approve]"
)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["record", "key"])))]
#[command(group(clap::ArgGroup::new("extent").args(["last", "all"])))]
#[command(after_help = "Examples:\n  \
    git plan-audit revoke --record 4f2a91c0 --reason 'the machine was broken'\n  \
    git plan-audit revoke --key SHA256:... --last 4f2a91c0 --reason 'leaked' --approve\n  \
    git plan-audit revoke --key SHA256:... --all --reason 'never was ours'\n\n\
    Exit codes: 0 done, 2 refused, 3 not recorded.")]
pub(crate) struct Args {
    /// The first digits of a record's id, at least four.
    #[arg(long, value_name = "ID")]
    record: Option<String>,
    /// A key, as `log` names it.
    #[arg(long, value_name = "KEY", requires = "extent", value_parser = writer_argument::read)]
    key: Option<Writer>,
    /// The first digits of the id of the last record of that key that counts, with all that it had seen.
    #[arg(long, value_name = "ID", requires = "key", conflicts_with = "record")]
    last: Option<String>,
    /// Nothing of that key counts.
    #[arg(long, requires = "key", conflicts_with = "record")]
    all: bool,
    /// Why.
    #[arg(long, value_name = "TEXT", value_parser = reason_argument::read)]
    reason: String,
    /// Sign it in the approve role.
    #[arg(long)]
    approve: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let what = match (&self.key, &self.record) {
            (Some(writer), _) => What::Key {
                writer: writer.clone(),
                last: self.last.clone(),
            },
            (None, record) => What::Record(record.clone().unwrap_or_default()),
        };
        let request = Request {
            what,
            reason: self.reason.clone(),
            role: if self.approve {
                Role::Approve
            } else {
                Role::Record
            },
        };
        revoke::revoke(&desk.world()?, &desk.recorder()?, &request)
    }
}
