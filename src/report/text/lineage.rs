//! The life of a contract, for people.

use std::fmt::Write as _;

use super::painted;
use crate::model::change::{Change, Class};
use crate::model::outcome::{Became, Closed, Compared, Sealed};
use crate::model::text::{counted, shown};

/// Writes what `seal` did.
pub(super) fn sealed(seal: &Sealed) -> String {
    let what = match (seal.already, seal.generation, seal.continues.len()) {
        (true, ..) => "was sealed before".to_owned(),
        (false, 1, 0) => "sealed".to_owned(),
        (false, generation, _) => format!("sealed, generation {generation}"),
    };
    let mut text = changes(&seal.changes);
    let _ = writeln!(
        text,
        "plan {}: {what}, contract {}, record {}",
        seal.plan,
        seal.contract.short(),
        seal.record.short()
    );
    for id in &seal.continues {
        let _ = writeln!(text, "  continues {}", id.short());
    }
    let _ = writeln!(text, "next    {}", seal.next);
    text
}

/// Writes plans beside what was sealed of them.
pub(super) fn compared(plans: &[Compared]) -> String {
    let mut text = String::new();
    for plan in plans {
        let name = &plan.plan;
        if plan.with.is_empty() {
            let _ = writeln!(
                text,
                "plan {name}: {}, nothing of it is sealed here",
                plan.standing
            );
        }
        for each in &plan.with {
            let seal = each.seal.short();
            let count = each.changes.len();
            let what = if count == 0 {
                "no difference".to_owned()
            } else {
                counted(count, "difference")
            };
            let _ = writeln!(text, "plan {name}: {what} from seal {seal}");
            text.push_str(&changes(&each.changes));
        }
    }
    if plans.is_empty() {
        text.push_str("no plan here\n");
    }
    text
}

/// Writes differences, each in its class and with both texts.
pub(super) fn changes(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        let code = match change.class {
            Class::Neutral => 36,
            Class::Strengthening => 32,
            Class::Weakening | Class::ScopeChange => 31,
        };
        let class = painted(change.class.as_str(), code);
        let _ = writeln!(text, "  {class}: {}", shown(&change.member));
        for (sign, side) in [("-", &change.before), ("+", &change.after)] {
            if let Some(side) = side {
                let _ = writeln!(text, "    {sign} {}", shown(side));
            }
        }
    }
    text
}

/// Writes what has ended.
pub(super) fn closed(closed: &Closed) -> String {
    let what = match (closed.is_abandoned, closed.became) {
        (_, Became::EndedBefore) => "had ended before",
        (_, Became::Waiting) => "to be given up, waits for approval",
        (true, Became::Ended) => "given up",
        (false, Became::Ended) => "closed",
    };
    format!(
        "plan {}: {what}, contract {}, record {}\n",
        closed.plan,
        closed.contract.short(),
        closed.record.short()
    )
}
