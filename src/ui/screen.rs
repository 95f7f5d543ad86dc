//! Writing to the two streams; a reader that went away is a quiet end.

use std::io::{self, Write as _};

/// Whether text besides results is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Noise {
    /// Progress and remarks are written.
    Usual,
    /// Only results are.
    Quiet,
}

/// Writes results.
pub(crate) fn result(text: &str) -> io::Result<()> {
    let mut stream = anstream::stdout().lock();
    forgiving(
        stream
            .write_all(text.as_bytes())
            .and_then(|()| stream.flush()),
    )
}

/// Writes remarks, refusals and progress.
pub(crate) fn remark(text: &str) -> io::Result<()> {
    let mut stream = anstream::stderr().lock();
    forgiving(
        stream
            .write_all(text.as_bytes())
            .and_then(|()| stream.flush()),
    )
}

/// Takes a closed pipe for a quiet end.
fn forgiving(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
