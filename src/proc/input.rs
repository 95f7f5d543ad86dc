//! Reading what somebody hands over on standard input, with an end in sight.

use std::io::{self, IsTerminal as _, Read as _};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::pipe;

/// How much is read at once, in bytes.
const PIECE: usize = 64 * 1024;

/// What was handed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Input {
    /// All of it.
    Whole(Vec<u8>),
    /// A person at a terminal, who was not asked.
    Terminal,
    /// Nothing came for a while, and no end either; this came before.
    Endless(Vec<u8>),
    /// More than is read.
    TooMuch,
}

/// Reads from an open file to its end: at most `limit` bytes, and as long as each piece comes within
/// `patience`. A terminal is not read.
pub(crate) fn input(from: impl AsFd, limit: usize, patience: Duration) -> io::Result<Input> {
    if from.as_fd().is_terminal() {
        return Ok(Input::Terminal);
    }
    let mut file = std::fs::File::from(from.as_fd().try_clone_to_owned()?);
    let mut bytes = Vec::new();
    let mut buffer = vec![0; PIECE];
    loop {
        let until = Instant::now() + patience;
        pipe::wait(&[file.as_fd()], until)?;
        if !pipe::is_ready(file.as_fd()) {
            if Instant::now() >= until {
                return Ok(Input::Endless(bytes));
            }
            continue;
        }
        let count = match file.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if bytes.len() > limit {
            return Ok(Input::TooMuch);
        }
        if count == 0 {
            return Ok(Input::Whole(bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(bytes: &[u8], limit: usize) -> Input {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(bytes).unwrap();
        drop(writer);
        input(reader, limit, Duration::from_secs(20)).unwrap()
    }

    #[test]
    fn all_is_read_and_not_more_than_may_be() {
        assert_eq!(read(b"", 3), Input::Whole(Vec::new()));
        assert_eq!(read(b"abc", 3), Input::Whole(b"abc".to_vec()));
        assert_eq!(read(b"abcd", 3), Input::TooMuch);
    }

    #[test]
    fn a_pipe_that_never_ends_is_not_waited_for() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"ab").unwrap();

        let got = input(&reader, 9, Duration::from_millis(20)).unwrap();

        assert_eq!(got, Input::Endless(b"ab".to_vec()));
        drop(writer);
    }
}
