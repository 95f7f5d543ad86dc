//! A file that the caller names on the command line.

use std::io::Read as _;

use super::surroundings::Surroundings;
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, claims as rows, review as review_rows};
use crate::model::text::shown;
use crate::proc::file::open_regular;
use crate::wire::strict::MAX_BYTES;

/// Reads a file, and one byte more than any reader takes.
pub(super) fn read(surroundings: &Surroundings, path: &str) -> Result<Vec<u8>, Stop> {
    let most = u64::try_from(MAX_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::new();
    let opened = open_regular(&surroundings.directory.join(path));
    match opened.and_then(|file| file.take(most).read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) => {
            let message = format!("cannot read {}: {error}", shown(path));
            Err(Stop::refuse(Finding::new(&rows::FILE, message)))
        }
    }
}

/// Writes a file as a shell would: through links, with the user's mask, in a directory that is there.
pub(super) fn write(surroundings: &Surroundings, path: &str, text: &str) -> Result<(), Stop> {
    let written = std::fs::write(surroundings.directory.join(path), text);
    written.map_err(|error| {
        let message = format!("cannot write {}: {error}", shown(path));
        Stop::refuse(Finding::new(&review_rows::FILE, message))
    })
}
