//! `answer`.

use super::{Desk, reason_argument};
use crate::engine::preflight::answering::{Request, answer};
use crate::engine::stop::Stop;
use crate::model::claim::answer::Decision;
use crate::model::outcome::Outcome;
use crate::model::time::Timestamp;

/// Answer a question of a plan, with a key that may approve
///
/// Only who the claim names confirms or rejects what it states. What code disproved is never confirmed: its
/// risk is accepted, up to a date, and every report shows that. An answer counts as long as what the claim
/// speaks of is the same.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("decision").required(true))]
#[command(after_help = "Examples:\n  \
    git plan-audit answer 4f2a91c0 --confirm\n  \
    git plan-audit answer 4f2a91c0 --reject --reason 'refunds need two people since May'\n  \
    git plan-audit answer 4f2a91c0 --accept-risk --until 2027-03-31 --reason 'the old API stays that long'\n\n\
    Exit codes: 0 recorded, or recorded before, 2 refused, 3 not recorded.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one flag for each decision; clap lets exactly one through"
)]
pub(crate) struct Args {
    /// The first digits of the question's id, at least four.
    #[arg(value_name = "Q")]
    question: String,
    /// It is so.
    #[arg(long, group = "decision")]
    confirm: bool,
    /// It is not so.
    #[arg(long, group = "decision", requires = "reason")]
    reject: bool,
    /// It stays open.
    #[arg(long, group = "decision", requires = "reason")]
    defer: bool,
    /// The plan may begin all the same.
    #[arg(long, group = "decision", requires_all = ["reason", "until"])]
    accept_risk: bool,
    /// The last day, in UTC, on which the risk is accepted: YYYY-MM-DD.
    #[arg(long, value_name = "DATE", requires = "accept_risk", value_parser = last_moment)]
    until: Option<Timestamp>,
    /// Why.
    #[arg(long, value_name = "TEXT", value_parser = reason_argument::read)]
    reason: Option<String>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let decision = match self.until {
            Some(until) => Decision::AcceptRisk(until),
            None if self.reject => Decision::Reject,
            None if self.defer => Decision::Defer,
            None => Decision::Confirm,
        };
        let request = Request {
            question: self.question.clone(),
            decision,
            reason: self.reason.clone(),
        };
        answer(&desk.world()?, &desk.recorder()?, &request)
    }
}

/// Reads a day; what is accepted on it is accepted to its end.
fn last_moment(text: &str) -> Result<Timestamp, String> {
    let moment = Timestamp::parse(&format!("{text}T23:59:59Z"));
    moment.ok_or_else(|| "give a day as YYYY-MM-DD".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_to_its_end() {
        let end = Timestamp::parse("2027-03-31T23:59:59Z").unwrap();

        assert_eq!(last_moment("2027-03-31"), Ok(end));
        for text in [
            "2027-02-30",
            "2027-3-31",
            "2027-03-31T00:00:00Z",
            "",
            "tomorrow",
        ] {
            assert!(last_moment(text).is_err(), "{text}");
        }
    }
}
