//! `claims`.

use clap::Subcommand;

use super::{Desk, plan_argument};
use crate::engine::audit;
use crate::engine::preflight::lint;
use crate::engine::stop::Stop;
use crate::model::claim::types::{ALL, Type};
use crate::model::finding::{Finding, plan as rows};
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, ExplainedType, Outcome, Word};
use crate::model::text;

/// Explain the types of claims, or look for what a plan does not claim
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit claims explain\n  \
    git plan-audit claims explain path_exists\n  \
    git plan-audit claims lint")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

/// What is asked.
#[derive(Subcommand, Debug)]
enum What {
    /// List the types of claims, or explain one: its fields, an example, when it abstains
    Explain {
        /// The type.
        #[arg(value_name = "TYPE")]
        kind: Option<String>,
    },
    /// List the words of a plan that look like paths and that no claim speaks of
    Lint {
        /// Only this plan.
        #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
        plan: Option<PlanName>,
    },
}

impl Args {
    /// Says whether the repository is looked at.
    pub(super) const fn needs_repository(&self) -> bool {
        match self.what {
            What::Explain { .. } => false,
            What::Lint { .. } => true,
        }
    }

    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        match &self.what {
            What::Explain { kind } => explain(kind.as_deref()),
            What::Lint { plan } => lint::lint(audit::workspace(&desk.world()?)?, plan.as_ref()),
        }
    }
}

/// Explains one type, or lists all.
fn explain(name: Option<&str>) -> Result<Outcome, Stop> {
    let types: Vec<&'static Type> = match name {
        None => ALL.to_vec(),
        Some(name) => vec![Type::find(name).ok_or_else(|| unknown(name))?],
    };
    let types = types.into_iter().map(|kind| ExplainedType { kind });
    let details = Details::Explain(types.collect());
    Ok(Outcome::new(Word::Ok, Vec::new(), details))
}

/// Refuses a name that no type has.
fn unknown(name: &str) -> Stop {
    let message = format!("no type of claim is called {}", text::shown(name));
    let finding = Finding::new(&rows::CLAIM_TYPE_UNKNOWN, message);
    Stop::refuse(finding.hint("git plan-audit claims explain"))
}
