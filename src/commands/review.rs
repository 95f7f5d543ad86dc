//! `review`.

use super::{Desk, plan_argument, reason_argument};
use crate::engine::review::{self, Request};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, Outcome, Reviewed, Word};
use crate::model::record::Decision;
use crate::report::{html, markdown};

/// Tell what commits rest on, for people who must decide, and record what they decide
///
/// Of each commit and plan: the verdict, who sealed, audited and approved it with which key, what
/// changed in the contract, and requirement by requirement the steps and what their checks gave.
/// Nothing runs.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit review\n  \
    git plan-audit review origin/main..topic --base origin/main --html review.html\n  \
    git plan-audit review origin/main..topic --markdown | gh pr comment --body-file -\n  \
    git plan-audit review --approve -m 'the new key is Bob'\\''s' 4f2a91c\n\n\
    Exit codes: 0 done, whatever the verdict; 2 refused, 3 not recorded. The gate is verify.")]
pub(crate) struct Args {
    /// The commit, or OLD..NEW: each commit of the range.
    #[arg(value_name = "RANGE", default_value = "HEAD")]
    revision: String,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// The commit whose signers and settings count.
    #[arg(long, value_name = "REV")]
    pub(super) base: Option<String>,
    /// Write one page of HTML to this file: whole in itself, without scripts.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["approve", "reject"])]
    html: Option<String>,
    /// Write Markdown for a pull request to this file, or in the place of text.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "",
        conflicts_with_all = ["approve", "reject"])]
    markdown: Option<String>,
    /// Record that the commit may go on, in the approve role.
    #[arg(long, conflicts_with_all = ["reject", "plan"], requires = "message")]
    approve: bool,
    /// Record that the commit may not go on, in the approve role.
    #[arg(long, conflicts_with = "plan", requires = "message")]
    reject: bool,
    /// Why, in words.
    #[arg(long, short, value_name = "TEXT", value_parser = reason_argument::read)]
    message: Option<String>,
}

impl Args {
    /// Says whether a person decides, so that something is recorded.
    pub(super) const fn records(&self) -> bool {
        self.approve || self.reject
    }

    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        let decision = match (self.approve, self.reject) {
            (true, _) => Decision::Approve,
            (false, true) => Decision::Reject,
            (false, false) => return self.report(desk),
        };
        let request = Request {
            revision: self.revision.clone(),
            decision,
            text: self.message.clone().unwrap_or_default(),
        };
        review::decide(&world, &desk.recorder()?, &request)
    }

    /// Tells what commits rest on, and writes it where that is asked for.
    fn report(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let commits = review::report(&desk.world()?, &self.revision, self.plan.as_ref())?;
        let mut wrote = Vec::new();
        if let Some(path) = &self.html {
            desk.write(path, &html::page(&commits, env!("CARGO_PKG_VERSION")))?;
            wrote.push(path.clone());
        }
        let mut markdown = self.markdown.as_ref().map(|_| markdown::render(&commits));
        let path = self.markdown.as_ref().filter(|path| !path.is_empty());
        if let Some((path, text)) = path.and_then(|path| Some((path, markdown.take()?))) {
            desk.write(path, &text)?;
            wrote.push(path.clone());
        }
        let reviewed = Reviewed {
            commits,
            wrote,
            markdown,
        };
        let details = Details::Review(Box::new(reviewed));
        Ok(Outcome::new(Word::Ok, Vec::new(), details))
    }
}
