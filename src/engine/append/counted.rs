//! Whether what was appended counts: a chain that was written twice takes what comes after.

use super::Appended;
use crate::engine::judge::Judge;
use crate::ledger::judged::Ledger;
use crate::model::finding::{Finding, ledger as rows};

/// Says that records do not count though their key does, or nothing.
///
/// They were chained onto a record that a judge knew before; where that one is an end of a ledger
/// in which nothing is wrong, the ledger need not be read again.
pub(crate) fn uncounted(judge: &Judge<'_>, appended: &Appended) -> Option<Finding> {
    if judge.ledger.goes_on_at(appended.after) {
        return None;
    }
    let now = judge.world.readings.read(judge.world.notes).map(|reading| {
        let ledger = Ledger::judge(&reading, &judge.trusting.trust);
        appended.records.iter().all(|id| ledger.get(*id).is_some())
    });
    (!now.unwrap_or(false)).then(|| {
        let message = "what was recorded does not count here";
        Finding::new(&rows::NOT_COUNTED, message)
            .hint("git plan-audit status says what is wrong with the ledger")
    })
}
