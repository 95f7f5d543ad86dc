//! `commit_ancestor`: what the tested commit builds on.

use crate::model::ids::Oid;
use crate::preflight::probe::{Answer, Probe};

/// Decides `commit_ancestor`.
pub(in crate::preflight) fn ancestor(probe: &mut Probe<'_>) -> Answer {
    let snapshot = probe.snapshot();
    let Some(older) = Oid::parse(probe.statement().text("commit")) else {
        return Answer::Fails;
    };
    match snapshot.tree().is_ancestor(&older, &snapshot.commit().id) {
        Ok(holds) => Answer::when(holds),
        Err(lack) => Answer::Unknown(lack.reason()),
    }
}
