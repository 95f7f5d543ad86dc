//! Pipes that are watched: waiting with an end in sight, and reading that never blocks.

use std::io::{self, PipeReader, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Makes a pipe whose reading end never blocks.
pub(super) fn watched() -> io::Result<(PipeReader, io::PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    let _ = fcntl(reader.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok((reader, writer))
}

/// What one reading gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Got {
    /// So many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// Nothing ever again.
    End,
}

/// Reads what is there.
pub(super) fn read(mut pipe: &PipeReader, buffer: &mut [u8]) -> Got {
    match pipe.read(buffer) {
        Ok(0) => Got::End,
        Ok(count) => Got::Bytes(count),
        Err(error) if is_passing(&error) => Got::Nothing,
        Err(_) => Got::End,
    }
}

/// Says whether reading may go better the next time.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// Waits until one of the descriptors has something to say or the time is over.
pub(super) fn wait(descriptors: &[BorrowedFd<'_>], until: Instant) -> io::Result<()> {
    let mut asked: Vec<PollFd<'_>> = descriptors
        .iter()
        .map(|descriptor| PollFd::new(*descriptor, PollFlags::POLLIN))
        .collect();
    match poll(&mut asked, time_left(until)) {
        Ok(_) | Err(Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Says whether a descriptor has something to say now.
pub(super) fn is_ready(descriptor: BorrowedFd<'_>) -> bool {
    let mut asked = [PollFd::new(descriptor, PollFlags::POLLIN)];
    poll(&mut asked, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}

/// Returns the time to a moment, rounded up so that waiting never becomes spinning.
fn time_left(until: Instant) -> PollTimeout {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return PollTimeout::ZERO;
    }
    PollTimeout::try_from(left.saturating_add(Duration::from_millis(1))).unwrap_or(PollTimeout::MAX)
}
