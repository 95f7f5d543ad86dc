//! On which ledger a clone stands, which one counts, and whether others have it (DESIGN 7.1).

use std::collections::{BTreeMap, BTreeSet};

use super::stop::Stop;
use super::trusting::{self, Trusting};
use super::world::World;
use crate::ledger::judged::Ledger;
use crate::ledger::notes::{Notes, NotesError};
use crate::ledger::reading::{Reading, read_at};
use crate::model::exchange::{Exchange, There};
use crate::model::finding::{Finding, judging as judging_rows, ledger as rows};
use crate::model::ids::{LedgerId, Oid, RecordId};
use crate::model::record::{Kind, Role};
use crate::model::repository::ledger_of;
use crate::trust::signers::Source;
use crate::trust::soundness::{Copies, sound};

/// The file in which a ledger is pinned.
const PIN_FILE: &str = ".plan-auditor/supervisor.json at the trust point";

/// What takes a clone to the ledger that counts, where it has the records of that one.
pub(crate) const MOVES: &str = "git plan-audit init --no-hooks --new-instance --reason TEXT";

/// What takes a clone to the ledger of a remote that is another one. Nothing is lost: what was here
/// stays under a name of its own, which nothing reads.
pub(crate) const SETS_ASIDE: &str = "if the remote has the right one: git update-ref refs/plan-audit/aside \
    refs/notes/plan-audit && git update-ref -d refs/notes/plan-audit && git plan-audit init --no-hooks \
    --new-instance --reason TEXT; what was recorded here until now is kept at refs/plan-audit/aside and \
    counts no more";

/// What takes over evidence that was fetched.
const TAKES_OVER: &str = "git plan-audit sync";

/// The ledger that a clone is to record in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// This one.
    One(LedgerId),
    /// One of these, and nothing says which.
    Several(BTreeSet<LedgerId>),
    /// No record names any.
    Nobody,
}

/// Finds the ledger that a clone is to record in that begins, or begins anew: the one that the trust
/// point pins, else the one that the records here name. `own` is the one it stood on.
///
/// Anybody can add a line that names another ledger. So where somebody is listed, the records of
/// those who are listed say it, and the clone's own keys do not speak for where it stands.
pub(crate) fn which(world: &World<'_>, own: Option<LedgerId>) -> Result<Which, Stop> {
    if let Some(pin) = trusting::pinned_there(world)? {
        return Ok(Which::One(pin));
    }
    let trust = trusting::resolve(world, None)?.trust;
    let reading = world.reading()?;
    let all = sound(&reading.copies, &world.settings.keyring);
    let is_listed = |writer: &_, time| {
        let is_own = own.is_some() && world.settings.own_keys.contains(writer);
        trust.signers.source != Source::OwnKeys && !is_own && trust.signers.trusts(writer, time)
    };
    let listed = all.values().filter(|record| {
        record.is_in(Role::Record) && is_listed(&record.header.writer, record.header.time)
    });
    let listed = listed.map(|record| record.header.ledger).collect();
    let named = all.values().map(|record| record.header.ledger).collect();
    Ok(choose(own, listed, named))
}

/// Chooses among the ledgers that records name: those of listed keys, else all of them. Where the
/// own one is among them, it stays.
fn choose(own: Option<LedgerId>, listed: BTreeSet<LedgerId>, named: BTreeSet<LedgerId>) -> Which {
    let among = if listed.is_empty() { named } else { listed };
    if let Some(own) = own.filter(|own| among.is_empty() || among.contains(own)) {
        return Which::One(own);
    }
    match (among.first(), among.len()) {
        (Some(one), 1) => Which::One(*one),
        (Some(_), _) => Which::Several(among),
        (None, _) => Which::Nobody,
    }
}

/// Says that nobody can tell whether the ledger is that of this repository: where somebody is listed,
/// one in which the same keys recorded elsewhere could stand in its place.
pub(super) fn unpinned(trusting: &Trusting, ledger: &Ledger) -> Option<Finding> {
    let is_listed = !matches!(trusting.trust.signers.source, Source::OwnKeys);
    let is_pinned = trusting.trust.pin.is_some();
    // Where several are named none counts, and that is said.
    let is_clear = |finding: &Finding| *finding.row != rows::AMBIGUOUS;
    let is_open = is_listed && !is_pinned && ledger.findings.iter().all(is_clear);
    let first = ledger.in_order().into_iter().next();
    let record = first.filter(|_| is_open)?;
    let id = record.header.ledger;
    let message = format!(
        "ledger {id} counts, and nothing pins it: that of another repository which trusts the same \
         keys would count as well"
    );
    Some(Finding::new(&rows::UNPINNED, message).hint(format!(
        "if it is that of this repository, add \"ledger\":\"{id}\" to .plan-auditor/supervisor.json at \
         the trust point"
    )))
}

/// Says that this clone stands on another ledger than the one that counts, or that others who count
/// stand on another one.
pub(super) fn astray(world: &World<'_>, trusting: &Trusting, ledger: &Ledger) -> Option<Finding> {
    let own = world.identity?.ledger;
    if let Some(pin) = trusting.pinned {
        let message = format!(
            "this clone stands on ledger {own}, and {pin} is the one that is pinned: what it recorded \
             there counts for nothing"
        );
        return (pin != own).then(|| Finding::new(&rows::ELSEWHERE, message).hint(MOVES));
    }
    if ledger.foreign.is_empty() {
        return None;
    }
    let names: Vec<String> = ledger.foreign.iter().map(ToString::to_string).collect();
    let message = format!(
        "{own} is the ledger that this clone stands on, and keys that count recorded in {} too: nothing \
         pins one, so that clones which recorded nothing say UNKNOWN",
        names.join(", ")
    );
    let hint = format!(
        "pin the one that counts, \"ledger\":\"ID\" in {PIN_FILE}; a clone that stands on another one \
         then moves by: {MOVES}"
    );
    Some(Finding::new(&rows::DISPUTED, message).hint(hint))
}

/// Says that evidence was fetched and not taken over. A judgement knows nothing of it: where it says what
/// binds or what is taken back, nobody can tell here.
pub(super) fn unmerged(world: &World<'_>, trusting: &Trusting, ours: &Reading) -> Vec<Finding> {
    let (trust, mut findings) = (&trusting.trust, Vec::new());
    for (remote, tip) in not_taken_over(world, ours.tip) {
        let name = ledger_of(remote);
        let theirs = match world.readings.read_at(world.notes, *tip) {
            Ok(theirs) => theirs,
            Err(error) => {
                let message = format!("{name} cannot be read: {error}");
                findings.push(Finding::new(&rows::UNMERGED_UNREAD, message).hint(TAKES_OVER));
                continue;
            }
        };
        let all = theirs.copies.iter();
        let lacking: BTreeMap<RecordId, Copies> = all
            .filter(|(id, _)| !ours.copies.contains_key(id))
            .map(|(id, copies)| (*id, copies.clone()))
            .collect();
        if lacking.is_empty() {
            continue;
        }
        let proven = sound(&lacking, &trust.keyring);
        let binding = proven.values().find(|record| {
            let header = &record.header;
            let counts = trusting.pinned.is_none_or(|pin| header.ledger == pin);
            counts && binds(&header.kind) && trust.signers.lists(&header.writer)
        });
        let finding = if let Some(record) = binding {
            let message = format!(
                "{name} holds {} {}, which was fetched and is not in the ledger here: what binds is not known",
                record.header.kind,
                record.id.short()
            );
            Finding::new(&rows::UNMERGED_BINDING, message)
        } else {
            let message = format!("{name} holds evidence that the ledger here lacks");
            Finding::new(&rows::UNMERGED, message)
        };
        findings.push(finding.hint(TAKES_OVER));
    }
    findings
}

/// Lists the remotes whose ledger, as it was fetched, is no earlier state of the one here, with its tip.
pub(super) fn not_taken_over<'w>(
    world: &'w World<'_>,
    ours: Option<Oid>,
) -> impl Iterator<Item = &'w (String, Oid)> {
    let is_part =
        move |theirs| ours.is_some_and(|ours| world.readings.follows(world.notes, (ours, theirs)));
    let fetched = world.settings.fetched.iter();
    fetched.filter(move |(_, theirs)| !is_part(*theirs))
}

/// Says whether a record of this kind says what binds, or takes back what was said. What it does not know
/// may do so.
fn binds(kind: &str) -> bool {
    match Kind::parse(kind) {
        Some(
            Kind::Audit | Kind::Claims | Kind::Import | Kind::Instance | Kind::Question | Kind::Run,
        ) => false,
        Some(
            Kind::Answer
            | Kind::Close
            | Kind::Request
            | Kind::Review
            | Kind::Revoke
            | Kind::Seal
            | Kind::Waiver,
        )
        | None => true,
    }
}

/// Says the same of the ledger as it is now.
pub(crate) fn told(world: &World<'_>, trusting: &Trusting) -> Result<Option<Finding>, Stop> {
    let reading = world.reading()?;
    let ledger = Ledger::judge(&reading, &trusting.trust);
    Ok(astray(world, trusting, &ledger))
}

/// Says that a remote holds another ledger than the one this clone stands on.
pub(crate) fn other_at(
    world: &World<'_>,
    notes: &dyn Notes,
    (remote, tip): (&str, &Oid),
) -> Result<Option<Finding>, Stop> {
    let Some(own) = world.identity.map(|identity| identity.ledger) else {
        return Ok(None);
    };
    let reading = read_at(notes, *tip).map_err(unread)?;
    let sound = sound(&reading.copies, &world.settings.keyring);
    let named: BTreeSet<LedgerId> = sound.values().map(|record| record.header.ledger).collect();
    if named.is_empty() || named.contains(&own) {
        return Ok(None);
    }
    let names: Vec<String> = named.iter().map(ToString::to_string).collect();
    let message = format!(
        "this clone stands on ledger {own}, and {remote} has another one: {}",
        names.join(", ")
    );
    Ok(Some(
        Finding::new(&rows::ELSEWHERE, message).hint(SETS_ASIDE),
    ))
}

/// Refuses to choose among ledgers, with the line that says which one counts.
pub(crate) fn undecided(among: &BTreeSet<LedgerId>) -> Stop {
    let names: Vec<String> = among.iter().map(ToString::to_string).collect();
    let message = format!("records here name several ledgers: {}", names.join(", "));
    let hint = format!(
        "pin the one that counts, \"ledger\":\"ID\" in {PIN_FILE}; git log refs/notes/plan-audit shows \
         where each comes from"
    );
    Stop::refuse(Finding::new(&judging_rows::REPOSITORY, message).hint(hint))
}

/// Says that others do not have the evidence of this clone, as far as it knows.
pub(crate) fn unsent(world: &World<'_>) -> Option<Finding> {
    world.identity?;
    let Exchange { remote, there } = world.objects.exchange()?;
    let (row, message) = match there {
        There::All => return None,
        There::Nothing => (
            &rows::UNSHARED,
            format!(
                "{remote} has no ledger, as far as is known here: another clone that runs init now draws \
                 another one, and neither counts for the other"
            ),
        ),
        There::Less => (
            &rows::UNSENT,
            format!("{remote} lacks evidence that is here"),
        ),
    };
    Some(Finding::new(row, message).hint("git plan-audit sync"))
}

/// Says that the ledger could not be read.
fn unread(error: NotesError) -> Stop {
    Stop::broken("read the ledger")(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_stays_on_its_ledger_unless_those_who_count_name_another_one() {
        let id = |digit: u8| LedgerId::new([digit; 32]);
        let set = |digits: &[u8]| digits.iter().map(|digit| id(*digit)).collect();
        for (own, listed, named, expected) in [
            (None, vec![], vec![], Which::Nobody),
            (None, vec![], vec![1], Which::One(id(1))),
            (None, vec![], vec![1, 2], Which::Several(set(&[1, 2]))),
            // What somebody added who is not listed keeps nobody from beginning.
            (None, vec![1], vec![1, 2], Which::One(id(1))),
            (None, vec![1, 2], vec![1, 2], Which::Several(set(&[1, 2]))),
            (Some(1), vec![], vec![], Which::One(id(1))),
            (Some(1), vec![], vec![1, 2], Which::One(id(1))),
            (Some(1), vec![1, 2], vec![1, 2], Which::One(id(1))),
            (Some(1), vec![2], vec![1, 2], Which::One(id(2))),
            (Some(1), vec![], vec![2], Which::One(id(2))),
            (
                Some(1),
                vec![2, 3],
                vec![1, 2, 3],
                Which::Several(set(&[2, 3])),
            ),
        ] {
            let found = choose(own.map(id), set(&listed), set(&named));

            assert_eq!(found, expected, "{own:?} {listed:?} {named:?}");
        }
    }
}
