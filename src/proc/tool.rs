//! Runs one of our own helpers, such as ssh-keygen or git, in the foreground: it may ask on the
//! terminal. Bounded in time and output like everything else.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::pipe::{self, Got};
use super::run::{FOREVER, leader_of};
use super::waiter::{Event, Waiter};
use super::{Interrupts, StartError, command};

/// How much is read at once, in bytes.
const PIECE: usize = 16 * 1024;
/// Time in which an ended helper's pipes may still be held, and a killed one may still live.
const LINGER: Duration = Duration::from_secs(1);

/// Which helper to run, and how.
#[derive(Clone, Debug)]
pub(crate) struct ToolSpec {
    /// The program; an absolute path.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) args: Vec<OsString>,
    /// Where it runs.
    pub(crate) directory: PathBuf,
    /// All that it sees.
    pub(crate) environment: BTreeMap<OsString, OsString>,
    /// What it reads.
    pub(crate) input: Vec<u8>,
    /// Time that it may take.
    pub(crate) timeout: Duration,
    /// What it may write to each of its outputs, in bytes.
    pub(crate) max_output: usize,
}

/// What a helper said. Nothing is judged: a code other than 0 is the caller's to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ToolOutput {
    /// Its exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    /// The signal that ended it.
    pub(crate) signal: Option<i32>,
    /// What it wrote.
    pub(crate) output: Vec<u8>,
    /// What it wrote as errors, if captured.
    pub(crate) errors: Vec<u8>,
}

/// Why a helper gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    /// It did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It took too long and was ended.
    #[error("{} did not end in time", program.display())]
    TimedOut {
        /// The helper.
        program: PathBuf,
    },
    /// It wrote too much and was ended.
    #[error("{} wrote more than it may", program.display())]
    TooMuch {
        /// The helper.
        program: PathBuf,
    },
    /// We were told to stop; it was ended.
    #[error("interrupted while {} ran", program.display())]
    Interrupted {
        /// The helper.
        program: PathBuf,
    },
    /// The system could not say what became of it.
    #[error("cannot tell what became of {}", program.display())]
    Lost {
        /// The helper.
        program: PathBuf,
    },
}

/// Runs a helper to its end, or until we are told to stop.
///
/// After we were told once, a helper still runs, so that what was begun can be recorded: then the
/// second time ends it.
pub(crate) fn tool(spec: &ToolSpec, interrupts: &Interrupts) -> Result<ToolOutput, ToolError> {
    let deadline = Instant::now() + spec.timeout.min(FOREVER);
    let ear = match interrupts.came() {
        Some(_) => interrupts.second(),
        None => interrupts.first(),
    };
    let unwatched = |cause| StartError::Watch {
        program: spec.program.clone(),
        cause,
    };
    let (streams, ends) = streams().map_err(unwatched)?;
    let mut child = start(spec, ends)?;
    let watched = Waiter::of(leader_of(&child)).and_then(|waiter| {
        feed(&mut child, &spec.input)?;
        Ok(waiter)
    });
    let waiter = watched.map_err(|cause| {
        end(&mut child);
        unwatched(cause)
    })?;
    let mut talk = Talk {
        waiter,
        streams,
        max_output: spec.max_output,
        deadline,
        has_ended: false,
    };
    let stopped = talk.listen(ear);
    talk.answer(child, stopped, spec)
}

/// Our ends of its outputs, and its own ends.
type Streams = ([Stream; 2], [PipeWriter; 2]);

/// Makes the pipes for what is captured.
fn streams() -> io::Result<Streams> {
    let (output, output_end) = Stream::open()?;
    let (errors, errors_end) = Stream::open()?;
    Ok(([output, errors], [output_end, errors_end]))
}

/// Starts the helper.
fn start(spec: &ToolSpec, ends: [PipeWriter; 2]) -> Result<Child, StartError> {
    let [output, errors] = ends.map(Stdio::from);
    let mut command = command::command(&spec.program, &spec.environment);
    command
        .args(&spec.args)
        .current_dir(&spec.directory)
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(errors);
    command::start(command, &spec.program)
}

/// Writes its input from a thread, so that a helper that does not read cannot hold us up.
fn feed(child: &mut Child, input: &[u8]) -> io::Result<()> {
    let Some(mut pipe) = child.stdin.take() else {
        return Ok(());
    };
    let input = input.to_vec();
    let _detached = thread::Builder::new()
        .name("feeder".to_owned())
        .spawn(move || {
            // A helper that stops reading says with its exit code what it makes of that.
            drop(pipe.write_all(&input));
        })?;
    Ok(())
}

/// Ends the helper and waits for it a short while.
fn end(child: &mut Child) {
    drop(child.kill());
    super::group::reap_child(leader_of(child));
}

/// Why a helper was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stopped {
    TimedOut,
    TooMuch,
    Interrupted,
    Lost,
}

/// One captured output.
#[derive(Debug, Default)]
struct Stream {
    pipe: Option<PipeReader>,
    bytes: Vec<u8>,
}

impl Stream {
    /// Makes one, and the end that the helper writes to.
    fn open() -> io::Result<(Self, PipeWriter)> {
        let (reader, writer) = pipe::watched()?;
        let stream = Self {
            pipe: Some(reader),
            bytes: Vec::new(),
        };
        Ok((stream, writer))
    }

    /// Reads what is there, up to one byte more than allowed.
    fn read(&mut self, max_output: usize) {
        let mut buffer = [0; PIECE];
        while let Some(pipe) = &self.pipe {
            match pipe::read(pipe, &mut buffer) {
                Got::Bytes(count) => self
                    .bytes
                    .extend_from_slice(buffer.get(..count).unwrap_or(&[])),
                Got::Nothing => return,
                Got::End => self.pipe = None,
            }
            if self.bytes.len() > max_output {
                return;
            }
        }
    }
}

/// A helper under watch.
#[derive(Debug)]
struct Talk {
    waiter: Waiter,
    streams: [Stream; 2],
    max_output: usize,
    deadline: Instant,
    has_ended: bool,
}

impl Talk {
    /// Listens until it has ended and said all, or must be stopped.
    fn listen(&mut self, ear: BorrowedFd<'_>) -> Option<Stopped> {
        loop {
            let is_silent = self.streams.iter().all(|stream| stream.pipe.is_none());
            let is_late = Instant::now() >= self.deadline;
            if self.has_ended && (is_silent || is_late) {
                return None;
            }
            if is_late {
                return Some(Stopped::TimedOut);
            }
            if let Err(stopped) = self.step(ear) {
                return Some(stopped);
            }
        }
    }

    /// Waits for the next thing to happen and takes it in.
    fn step(&mut self, ear: BorrowedFd<'_>) -> Result<(), Stopped> {
        self.wait(ear).map_err(|_| Stopped::Lost)?;
        if !self.has_ended && pipe::is_ready(ear) {
            return Err(Stopped::Interrupted);
        }
        self.follow()?;
        for stream in &mut self.streams {
            stream.read(self.max_output);
        }
        let is_over = |stream: &Stream| stream.bytes.len() > self.max_output;
        if self.streams.iter().any(is_over) {
            return Err(Stopped::TooMuch);
        }
        Ok(())
    }

    /// Waits for the next thing to happen.
    fn wait(&self, ear: BorrowedFd<'_>) -> io::Result<()> {
        let pipes = self
            .streams
            .iter()
            .filter_map(|stream| stream.pipe.as_ref());
        let mut descriptors: Vec<BorrowedFd<'_>> = pipes.map(PipeReader::as_fd).collect();
        if !self.has_ended {
            descriptors.extend([self.waiter.bell(), ear]);
        }
        pipe::wait(&descriptors, self.deadline)
    }

    /// Follows what became of the helper; a stopped one is the business of whoever stopped it.
    fn follow(&mut self) -> Result<(), Stopped> {
        if self.has_ended {
            return Ok(());
        }
        for event in self.waiter.events() {
            match event {
                Event::Stopped(_) => {}
                Event::Ended => {
                    self.has_ended = true;
                    self.deadline = Instant::now() + LINGER;
                    return Ok(());
                }
                Event::Lost => return Err(Stopped::Lost),
            }
        }
        Ok(())
    }

    /// Says what the helper said, or why it could not be heard to its end.
    fn answer(
        self,
        mut child: Child,
        stopped: Option<Stopped>,
        spec: &ToolSpec,
    ) -> Result<ToolOutput, ToolError> {
        let program = spec.program.clone();
        if let Some(stopped) = stopped {
            end(&mut child);
            return Err(match stopped {
                Stopped::TimedOut => ToolError::TimedOut { program },
                Stopped::TooMuch => ToolError::TooMuch { program },
                Stopped::Interrupted => ToolError::Interrupted { program },
                Stopped::Lost => ToolError::Lost { program },
            });
        }
        let Ok(Some(status)) = child.try_wait() else {
            return Err(ToolError::Lost { program });
        };
        let [output, errors] = self.streams.map(|stream| stream.bytes);
        Ok(ToolOutput {
            code: status.code(),
            signal: status.signal(),
            output,
            errors,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn script(directory: &Path, text: &str) -> ToolSpec {
        ToolSpec {
            program: "/bin/sh".into(),
            args: ["-c", text].map(OsString::from).into(),
            directory: directory.to_path_buf(),
            environment: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
            input: Vec::new(),
            timeout: Duration::from_secs(20),
            max_output: 100_000,
        }
    }

    fn asked(change: impl FnOnce(&mut ToolSpec), text: &str) -> Result<ToolOutput, ToolError> {
        let home = tempfile::tempdir().unwrap();
        let mut spec = script(home.path(), text);
        change(&mut spec);
        tool(&spec, &Interrupts::none().unwrap())
    }

    #[test]
    fn a_helper_reads_its_input_and_answers_on_two_outputs() {
        let answer = asked(
            |spec| spec.input = b"hi".to_vec(),
            "cat; echo no >&2; exit 3",
        )
        .unwrap();

        let wanted = ToolOutput {
            code: Some(3),
            signal: None,
            output: b"hi".to_vec(),
            errors: b"no\n".to_vec(),
        };
        assert_eq!(answer, wanted);
    }

    #[test]
    fn more_than_a_pipe_holds_goes_in_and_out() {
        let change = |spec: &mut ToolSpec| {
            spec.input = vec![b'x'; 1_000_000];
            spec.max_output = 1_000_000;
        };

        let answer = asked(change, "cat").unwrap();

        assert_eq!(answer.output.len(), 1_000_000);
    }

    #[test]
    fn a_helper_that_does_not_read_is_not_waited_for() {
        let answer = asked(|spec| spec.input = vec![b'x'; 1_000_000], "exit 1").unwrap();

        assert_eq!(answer.code, Some(1));
    }

    #[test]
    fn a_helper_that_takes_too_long_is_ended() {
        let late = asked(
            |spec| spec.timeout = Duration::from_millis(100),
            "exec sleep 30",
        );

        assert!(matches!(late, Err(ToolError::TimedOut { .. })));
    }

    #[test]
    fn a_helper_that_writes_too_much_is_ended() {
        let flood = asked(|_| {}, "exec yes");

        assert!(matches!(flood, Err(ToolError::TooMuch { .. })));
    }

    #[test]
    fn a_helper_that_leaves_a_child_on_its_output_does_not_hold_us() {
        let began = Instant::now();

        let answer = asked(|_| {}, "sleep 5 & echo done").unwrap();

        assert_eq!(answer.output, b"done\n");
        assert!(began.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn being_told_to_stop_ends_a_helper() {
        let home = tempfile::tempdir().unwrap();
        let interrupts = Interrupts::none().unwrap();
        let (teller, up) = (interrupts.clone(), home.path().join("up"));
        let telling = thread::spawn(move || {
            while !up.exists() {
                thread::yield_now();
            }
            teller.tell(2)
        });

        let stopped = tool(&script(home.path(), "touch up; exec sleep 30"), &interrupts);

        assert!(matches!(stopped, Err(ToolError::Interrupted { .. })));
        telling.join().unwrap();
    }

    #[test]
    fn after_being_told_once_a_helper_still_runs_but_not_after_twice() {
        let home = tempfile::tempdir().unwrap();
        let interrupts = Interrupts::none().unwrap();
        let spec = script(home.path(), "sleep 0.1; exit 0");

        interrupts.tell(2);
        let once = tool(&spec, &interrupts);
        interrupts.tell(2);
        let twice = tool(&spec, &interrupts);

        assert_eq!(once.unwrap().code, Some(0));
        assert!(matches!(twice, Err(ToolError::Interrupted { .. })));
    }

    #[test]
    fn a_helper_that_is_not_there_says_so() {
        let missing = asked(|spec| spec.program = "/no/such/tool".into(), "");

        assert!(matches!(missing, Err(ToolError::Start(_))));
    }

    #[test]
    fn a_signal_is_no_exit_code() {
        let answer = asked(|_| {}, "kill -KILL $$").unwrap();

        assert_eq!((answer.code, answer.signal), (None, Some(9)));
    }
}
