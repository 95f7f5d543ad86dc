//! `human`: what only people know.

use crate::preflight::probe::{Answer, Probe};

/// Decides `human`: never by itself.
pub(in crate::preflight) fn statement(probe: &mut Probe<'_>) -> Answer {
    for entry in &probe.scope().entries {
        probe.point(entry, None, true);
    }
    Answer::Human
}
