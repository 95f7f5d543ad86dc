//! What `doctor` says of trust and evidence: what a judgement of the workspace would rest on.

use super::judge::Judge;
use super::ledgers::unsent;
use super::own_key;
use super::stop::{Stop, causes};
use super::world::World;
use crate::model::finding::{Finding, judging as rows};

/// Says whose evidence counts here, and what is the matter with evidence and trust.
pub(crate) fn trust(world: &World<'_>) -> (Option<String>, Vec<Finding>) {
    let judged = world
        .objects
        .resolve("HEAD")
        .map_err(Stop::broken("resolve HEAD"))
        .and_then(|head| Judge::of_workspace(world, head.as_ref().map(|head| &head.id)));
    match judged {
        Ok(judge) => {
            let own = own_key::of_clone(world, &judge);
            let mut findings = judge.findings;
            findings.extend(own);
            findings.extend(unsent(world));
            (Some(judge.trusting.sentence()), findings)
        }
        Err(Stop::Refused(findings) | Stop::Unknown(findings)) => (None, findings),
        Err(Stop::Broken { doing, cause }) => {
            let message = format!("cannot {doing}: {}", causes(&*cause));
            (None, vec![Finding::new(&rows::BROKEN, message)])
        }
    }
}
