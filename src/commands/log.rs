//! `log`.

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use super::{Desk, plan_argument, writer_argument};
use crate::engine::log::{self, Drawing};
use crate::engine::stop::Stop;
use crate::model::ids::{PlanName, Writer};
use crate::model::outcome::{LogFilter, Outcome};
use crate::model::record::Kind;
use crate::model::time::Since;
use crate::model::verdict::Verdict;

/// List the records that count, newest first
///
/// What narrows the list can be combined; a record is listed if all of it holds.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit log\n  \
    git plan-audit log HEAD --format json\n  \
    git plan-audit log --kind audit --outcome fail --since '2 weeks ago'\n  \
    git plan-audit log --graph --kind seal --kind close")]
pub(crate) struct Args {
    /// Only records that name this commit, and audits of its tree.
    #[arg(value_name = "REV")]
    revision: Option<String>,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// Only this kind; several may be named.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::TABLE.map(|(_, word)| word)))]
    kind: Vec<String>,
    /// Only what this key wrote, as `log` names it.
    #[arg(long, value_name = "KEY", value_parser = writer_argument::read)]
    writer: Option<Writer>,
    /// Only runs and audits that took this step.
    #[arg(long, value_name = "N")]
    step: Option<u64>,
    /// Only audits with this verdict and runs in which a step ended so; with --step, that step.
    #[arg(long, value_enum, value_name = "OUTCOME")]
    outcome: Option<Ended>,
    /// Only what was recorded then or later: a date, a time, or `2 weeks ago`.
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<Since>,
    /// At most so many.
    #[arg(long, short = 'n', value_name = "COUNT")]
    max_count: Option<usize>,
    /// Draw which record has seen which; dots go past records that are not listed.
    #[arg(long)]
    graph: bool,
}

/// How an audit or a step ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Ended {
    /// Everything gave the sealed result.
    Pass,
    /// Something did not.
    Fail,
    /// It could not be said: not started, interrupted or blocked.
    Unknown,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let kinds = self.kind.iter().filter_map(|word| Kind::parse(word));
        let filter = LogFilter {
            revision: self.revision.clone(),
            plan: self.plan.clone(),
            kinds: kinds.collect(),
            writer: self.writer.clone(),
            step: self.step,
            outcome: self.outcome.map(Ended::verdict),
            since: self.since.map(|since| since.seen_from(desk.now())),
            most: self.max_count,
        };
        let drawing = if self.graph {
            Drawing::Graph
        } else {
            Drawing::List
        };
        log::log(&desk.world()?, &filter, drawing)
    }
}

impl Ended {
    /// Returns the verdict that says so.
    const fn verdict(self) -> Verdict {
        match self {
            Self::Pass => Verdict::Pass,
            Self::Fail => Verdict::Fail,
            Self::Unknown => Verdict::Unknown,
        }
    }
}

/// Reads a moment.
fn since(text: &str) -> Result<Since, String> {
    Since::parse(text).ok_or_else(|| {
        "give a date (2026-11-29), a time (2026-11-29T16:40:00Z) or how long ago (2 weeks ago)"
            .to_owned()
    })
}
