//! Whether what this clone records counts here: its key may not be listed, or may have been taken back.

use super::append::{Appended, uncounted};
use super::judge::Judge;
use super::trusting::Trusting;
use super::world::{Recorder, World};
use crate::ledger::judged::Ledger;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::Writer;
use crate::model::record::Role;
use crate::trust::signers::Source;

/// What makes the key of a clone count.
const LISTS_KEY: &str = "let somebody who is trusted add `NAME KEY` to .plan-auditor/allowed_signers there, \
    KEY being the line of the public key file; git plan-audit init --no-hooks --key FILE records with a \
    key that is listed";

/// Says that nothing counts that this clone records from now on, as far as its keys go.
pub(crate) fn of_clone(world: &World<'_>, judge: &Judge<'_>) -> Option<Finding> {
    let in_use = world.settings.own_keys.last();
    unlisted(world, &judge.trusting).or_else(|| in_use.and_then(|key| revoked(&judge.ledger, key)))
}

/// Says that what is recorded in this role does not count.
pub(super) fn of_recorder(
    judge: &Judge<'_>,
    recorder: &Recorder<'_>,
    role: Role,
) -> Option<Finding> {
    let signers = &judge.trusting.trust.signers;
    let (writer, now) = (recorder.signer.writer(), recorder.clock.now());
    let is_listed =
        signers.trusts(&writer, now) || (role == Role::Approve && signers.approves(&writer, now));
    if is_listed {
        return revoked(&judge.ledger, &writer);
    }
    let message = format!(
        "this clone's key {writer} does not count here: evidence counts from {}",
        judge.trusting.sentence()
    );
    Some(Finding::new(&rows::KEY_UNLISTED, message).hint(LISTS_KEY))
}

/// Says what is to be told of records that were appended.
pub(super) fn told(
    judge: &Judge<'_>,
    (recorder, role): (&Recorder<'_>, Role),
    appended: Appended,
) -> Vec<Finding> {
    let counts = of_recorder(judge, recorder, role).is_none();
    let uncounted = counts.then(|| uncounted(judge, &appended)).flatten();
    uncounted.into_iter().chain(appended.told).collect()
}

/// Says that none of the keys of this clone is listed where somebody is: what it records proves
/// nothing to anybody.
pub(crate) fn unlisted(world: &World<'_>, trusting: &Trusting) -> Option<Finding> {
    let signers = &trusting.trust.signers;
    let own = &world.settings.own_keys;
    let is_any = own.iter().any(|key| signers.knows(key));
    if world.identity.is_none() || signers.source == Source::OwnKeys || is_any {
        return None;
    }
    let key = own.last()?;
    let message = format!(
        "{key}, the key of this clone, is not listed: what is recorded here does not count, for evidence \
         counts from {}",
        trusting.sentence()
    );
    Some(Finding::new(&rows::KEY_UNLISTED, message).hint(LISTS_KEY))
}

/// Says that a key of this clone was taken back.
pub(super) fn revoked(ledger: &Ledger, key: &Writer) -> Option<Finding> {
    let by = ledger.key_revoked(key)?;
    let message = format!(
        "{key}, the key of this clone, was taken back by {}: nothing that it records from then on counts",
        by.short()
    );
    let another = match key {
        Writer::Ssh(_) => {
            "record with another one: ssh-keygen -t ed25519 -f FILE && git plan-audit init --no-hooks --key FILE"
        }
        Writer::Hmac(_) => {
            "record with another one: git plan-audit init --no-hooks --hmac --key FILE, FILE holding 32 random bytes or more"
        }
    };
    let hint = format!(
        "{another}; where keys are listed, its public line has to be added to .plan-auditor/allowed_signers too"
    );
    Some(Finding::new(&rows::KEY_REVOKED, message).hint(hint))
}
