//! `file_unchanged_since`, `tree_unchanged_since`: one path at two commits.

use crate::model::claim::evidence::Reason;
use crate::model::ids::Oid;
use crate::preflight::look::{DIRECTORY, Found, look};
use crate::preflight::probe::{Answer, Probe};
use crate::preflight::tree::Lack;

/// Decides `file_unchanged_since`.
pub(in crate::preflight) fn file(probe: &mut Probe<'_>) -> Answer {
    compare(probe, |mode| mode != DIRECTORY)
}

/// Decides `tree_unchanged_since`.
pub(in crate::preflight) fn tree(probe: &mut Probe<'_>) -> Answer {
    compare(probe, |mode| mode == DIRECTORY)
}

/// Compares what stands at the path now with what stood there; both must be of the kind.
fn compare(probe: &mut Probe<'_>, is_of_kind: fn(u32) -> bool) -> Answer {
    let now = match found(probe, None) {
        Ok(found) => found,
        Err(reason) => return Answer::Unknown(reason),
    };
    let since = Oid::parse(probe.statement().text("commit"));
    let then = match found(probe, since.as_ref()) {
        Ok(found) => found,
        Err(reason) => return Answer::Unknown(reason),
    };
    let of_kind = |found: &Found| found.here().cloned().filter(|here| is_of_kind(here.mode));
    let answer = match (of_kind(&now), of_kind(&then)) {
        (Some(now), Some(then)) => Answer::when(now.mode == then.mode && now.id == then.id),
        (Some(_), None) | (None, Some(_)) => Answer::Fails,
        // Nothing of the kind was there that could have changed.
        (None, None) => Answer::Vacuous { holds: false },
    };
    for each in [&now, &then] {
        let (Found::Here(entry) | Found::Nothing(entry)) = each;
        probe.point(entry, None, answer == Answer::Holds);
    }
    answer
}

/// Looks at the path of the statement, at another commit or at the tested one.
fn found(probe: &Probe<'_>, commit: Option<&Oid>) -> Result<Found, Reason> {
    let snapshot = probe.snapshot();
    let tree = match commit {
        Some(commit) => snapshot.tree().commit(commit).map_err(Lack::reason)?.tree,
        None => snapshot.commit().tree,
    };
    look(snapshot, &tree, probe.statement().text("path"))
}
