//! Progress of long work, one plain line a step, on standard error.

use super::screen::{Noise, remark};

/// Writes lines of progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress(Noise);

impl Progress {
    /// Makes progress that is shown or not.
    pub(crate) const fn new(noise: Noise) -> Self {
        Self(noise)
    }

    /// Writes one line; a stream that cannot be written to is nobody's problem here.
    pub(crate) fn line(self, text: &str) {
        match self.0 {
            Noise::Usual => drop(remark(&format!("{text}\n"))),
            Noise::Quiet => {}
        }
    }
}
