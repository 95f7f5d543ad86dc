//! `path_exists`, `path_absent`, `blob_equals`: what stands at a path.

use crate::model::claim::evidence::Reason;
use crate::model::files::{LINK, SUBMODULE};
use crate::preflight::look::{DIRECTORY, EXECUTABLE, Entry, Found, REGULAR, look};
use crate::preflight::probe::{Answer, LFS, Probe};
use crate::wire::digest::sha256;

/// Decides `path_exists`.
pub(in crate::preflight) fn exists(probe: &mut Probe<'_>) -> Answer {
    let kind = probe.statement().optional("kind");
    match at(probe) {
        Err(reason) => Answer::Unknown(reason),
        Ok(Found::Here(entry)) => {
            let holds = kind.is_none_or(|kind| is_of(&entry, kind));
            probe.point(&entry, None, holds);
            Answer::when(holds)
        }
        Ok(Found::Nothing(nearest)) => {
            probe.point(&nearest, None, false);
            Answer::Fails
        }
    }
}

/// Decides `path_absent`.
pub(in crate::preflight) fn absent(probe: &mut Probe<'_>) -> Answer {
    match at(probe) {
        Err(reason) => Answer::Unknown(reason),
        Ok(Found::Here(entry)) => {
            probe.point(&entry, None, false);
            Answer::Fails
        }
        Ok(Found::Nothing(nearest)) => {
            probe.point(&nearest, None, true);
            Answer::Holds
        }
    }
}

/// Decides `blob_equals`.
pub(in crate::preflight) fn equals(probe: &mut Probe<'_>) -> Answer {
    let entry = match at(probe) {
        Err(reason) => return Answer::Unknown(reason),
        Ok(Found::Nothing(nearest)) => {
            probe.point(&nearest, None, false);
            return Answer::Vacuous { holds: false };
        }
        Ok(Found::Here(entry)) => entry,
    };
    let is_file = [REGULAR, EXECUTABLE].contains(&entry.mode);
    let statement = probe.statement();
    let is_equal = match statement.optional("blob") {
        Some(blob) => Ok(is_file && entry.id.to_string() == blob),
        None if is_file => {
            let wanted = statement.text("sha256");
            has_digest(probe, &entry, wanted)
        }
        None => Ok(false),
    };
    match is_equal {
        Ok(holds) => {
            probe.point(&entry, None, holds);
            Answer::when(holds)
        }
        Err(reason) => {
            probe.leave_out(&entry.path, reason);
            Answer::Unknown(reason)
        }
    }
}

/// Looks at the path of the statement.
fn at(probe: &Probe<'_>) -> Result<Found, Reason> {
    let path = probe.statement().text("path");
    look(probe.snapshot(), &probe.snapshot().commit().tree, path)
}

/// Says whether an entry is of a kind.
fn is_of(entry: &Entry, kind: &str) -> bool {
    match kind {
        "file" => [REGULAR, EXECUTABLE].contains(&entry.mode),
        "exec" => entry.mode == EXECUTABLE,
        "symlink" => entry.mode == LINK,
        "dir" => entry.mode == DIRECTORY,
        "submodule" => entry.mode == SUBMODULE,
        _ => false,
    }
}

/// Says whether the bytes of a file have a digest. A pointer stands for other bytes.
fn has_digest(probe: &mut Probe<'_>, entry: &Entry, wanted: &str) -> Result<bool, Reason> {
    let bytes = probe.bytes(entry)?;
    if bytes.starts_with(LFS) {
        return Err(Reason::LfsPointer);
    }
    Ok(sha256(&bytes).to_string() == wanted)
}
