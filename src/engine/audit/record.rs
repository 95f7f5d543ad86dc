//! Recording an audit: one record per plan, all in one append.

use super::{Ran, Task};
use crate::engine::append::{Appended, Entry, append_or_keep, seen};
use crate::engine::judge::Judge;
use crate::engine::run_steps::result_of;
use crate::engine::world::World;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::record::{AuditBody, Kept, Kind, Role, StepResult};
use crate::model::state::Noted;
use crate::model::verdict::Verdict;
use crate::wire::body;

/// Step results beyond this are kept as a blob, in bytes (D22).
pub(in crate::engine) const INLINE: usize = 16_384;

/// How long a body may be, so that its line stays below 64 KiB with all that goes before and after.
const LONGEST_BODY: usize = 60_000;

/// How far the lists of paths in states are cut until a body is short enough: how many are kept of
/// each, and how many characters of a path. Whoever can write to the work tree can make every flag
/// name long paths; the failure must be recorded all the same.
const CUTS: [(usize, usize); 3] = [(Noted::KEPT, Noted::LONGEST), (Noted::KEPT, 40), (1, 20)];

/// Appends the audit of every plan; every audit is recorded, whatever its outcome (D5).
pub(super) fn append_all(
    task: &Task<'_>,
    judge: &Judge<'_>,
    ran: &Ran,
) -> Result<Appended, Box<Finding>> {
    let Task {
        world,
        recorder,
        identity,
        ..
    } = *task;
    let mut kept = Vec::new();
    let mut records = Vec::new();
    for (ready, steps) in ran.ready.iter().zip(&ran.results) {
        let results: Vec<StepResult> = steps.iter().map(result_of).collect();
        let (named, bytes) = inline_or_kept(world, &results)?.unzip();
        kept.extend(bytes);
        let body = AuditBody {
            plan: ready.plan.name.clone(),
            contract: ready.sealable.digest,
            place: ran.place,
            platform: recorder.platform.to_owned(),
            tool: recorder.tool.to_owned(),
            before: ran.before.clone(),
            after: ran.after.clone(),
            steps: if named.is_some() { Vec::new() } else { results },
            kept: named,
        };
        records.push((Kind::Audit, written(body)?));
    }
    let target = ran.after.head.unwrap_or_else(|| world.objects.empty_tree());
    let subject = subject(ran);
    let seen = seen(&judge.ledger, recorder, identity);
    append_or_keep(
        world,
        recorder,
        identity,
        &Entry {
            target,
            records,
            kept,
            subject,
            seen,
            role: Role::Record,
            time: recorder.clock.now(),
        },
    )
}

/// Writes a body, both states cut alike as far as it takes.
fn written(mut body: AuditBody) -> Result<String, Box<Finding>> {
    let mut text = String::new();
    for (most, longest) in CUTS {
        body.before = body.before.with_paths_cut(most, longest);
        body.after = body.after.with_paths_cut(most, longest);
        text = body::write_audit(&body).map_err(|_| unwritable())?;
        if text.len() <= LONGEST_BODY {
            break;
        }
    }
    Ok(text)
}

/// Step results that are kept beside the line: what names them, and their bytes.
pub(in crate::engine) type Beside = Option<(Kept, Vec<u8>)>;

/// Keeps long step results beside the line.
pub(in crate::engine) fn inline_or_kept(
    world: &World<'_>,
    steps: &[StepResult],
) -> Result<Beside, Box<Finding>> {
    let text = body::write_steps(steps).map_err(|_| unwritable())?;
    if text.len() <= INLINE {
        return Ok(None);
    }
    let bytes = text.into_bytes();
    let kept = body::kept(world.notes.blob_id(&bytes), &bytes);
    Ok(Some((kept, bytes)))
}

/// Says that a body has no canonical form.
pub(in crate::engine) fn unwritable() -> Box<Finding> {
    Box::new(Finding::new(
        &rows::NOT_RECORDED,
        "not recorded: a result has a number that is too large",
    ))
}

/// Writes the subject of the commit, which names the tree that it speaks of.
fn subject(ran: &Ran) -> String {
    let names: Vec<&str> = ran
        .ready
        .iter()
        .map(|each| each.plan.name.as_str())
        .collect();
    let verdict = Verdict::join(super::conclude::verdicts(ran));
    format!(
        "audit {}: {} for tree {}",
        names.join(", "),
        verdict.as_str(),
        ran.after.tree.short()
    )
}
