//! Evidence goes before the branch: one that arrives alone is harmless, a branch without it is not.

use super::{Found, Tools};
use crate::engine::events::Event;
use crate::engine::ports::{Publish, Published};
use crate::model::finding::{Finding, hook as rows};
use crate::model::outcome::Word;
use crate::model::pushed::{Line, Push, Said};
use crate::model::text::{quoted, shown};

/// Publishes the ledger, and says what became of that.
pub(super) fn publish(tools: &Tools<'_>, push: &Push, found: &mut Found) {
    let Some(remote) = tools.publisher.remote() else {
        let message = "planAudit.remote is not set, so evidence stays in this clone";
        let finding = Finding::new(&rows::NOT_PUBLISHED, message);
        let hint = format!("git config planAudit.remote {}", quoted(&push.remote));
        found.findings.push(finding.hint(hint));
        return;
    };
    // Git itself is about to push it there, and would be refused if it had moved meanwhile.
    let comes_anyway = push.remote == remote && holds_the_ledger(push);
    if comes_anyway || !tools.publisher.is_due(&remote) {
        return;
    }
    (tools.listener)(&Event::Publishing { remote: &remote });
    let url = (push.remote == remote).then(|| push.url.clone());
    let published = tools.publisher.publish(&Publish {
        remote: &remote,
        url: url.as_deref(),
    });
    let (finding, word) = match published {
        Published::Done => {
            let message = format!("the evidence is at {}", shown(&remote));
            (Finding::new(&rows::PUBLISHED, message), found.word)
        }
        Published::Refused(why) => (refused(&remote, &why), Word::Fail),
        Published::Unreachable(why) => (unreachable(&remote, &why), Word::Unknown),
    };
    found.findings.push(finding);
    found.word = word;
}

/// Says whether the push itself brings the ledger.
fn holds_the_ledger(push: &Push) -> bool {
    let is_ledger = |line: &Line| line.name == "refs/notes/plan-audit" && line.new.is_some();
    match &push.said {
        Said::Lines(lines) => lines.iter().any(is_ledger),
        Said::Nothing | Said::Unread | Said::Unreadable(_) => false,
    }
}

/// Says that the remote did not take the ledger.
fn refused(remote: &str, why: &str) -> Finding {
    let message = format!(
        "{} did not take the evidence ({}); this version does not join two ledgers by itself",
        shown(remote),
        shown(why)
    );
    let hint = format!(
        "git fetch {} && git notes --ref=plan-audit merge -s cat_sort_uniq \
         refs/plan-audit/remotes/{remote}/notes, then push again",
        quoted(remote)
    );
    Finding::new(&rows::MOVED, message).hint(hint)
}

/// Says that the remote did not answer.
fn unreachable(remote: &str, why: &str) -> Finding {
    let message = format!(
        "the evidence could not be published to {}: {}",
        shown(remote),
        shown(why)
    );
    let hint = format!(
        "git push --no-verify {} refs/notes/plan-audit, then push again",
        quoted(remote)
    );
    Finding::new(&rows::UNREACHABLE, message).hint(hint)
}
