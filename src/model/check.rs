//! Checks of a plan, what became of them, and whether that is what the contract expects.

use super::ids::Digest;
use super::place::Lies;

/// Default time that a program may take, in milliseconds.
pub(crate) const DEFAULT_TIMEOUT_MS: u64 = 300_000;
/// Longest time that a plan may grant, in milliseconds: a day.
pub(crate) const MAX_TIMEOUT_MS: u64 = 86_400_000;
/// Default bound of a program's output, and of what `regex` reads of a file, in bytes.
pub(crate) const DEFAULT_MAX_BYTES: u64 = 2_000_000;
/// Least bound that a plan may set, in bytes.
pub(crate) const MIN_MAX_BYTES: u64 = 1024;
/// Greatest bound that a plan may set, in bytes.
pub(crate) const MAX_MAX_BYTES: u64 = 50_000_000;

/// One machine check in normal form: `exec` is `run`, `cmd` is split, defaults are filled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// Runs a program (plan types `run` and `exec`).
    Run {
        /// Program and arguments; never empty, no element empty.
        argv: Vec<String>,
        /// How it is run and judged.
        limits: Limits,
    },
    /// Runs `python3 -m pytest ARGS` (D12).
    Pytest {
        /// Arguments of pytest.
        args: Vec<String>,
        /// How it is run and judged.
        limits: Limits,
    },
    /// Asks for a regular file inside the work tree.
    FileExists {
        /// Path from the top of the tree.
        path: String,
    },
    /// Searches a file.
    Regex {
        /// Path from the top of the tree.
        path: String,
        /// A pattern of the `regex` crate.
        pattern: String,
        /// How many bytes are searched; of a longer file the rest is not.
        max_bytes: u64,
    },
}

/// How a program is run and judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Exit code that counts, -255 to 255; a negative number is a signal.
    pub(crate) expect_exit: i32,
    /// Time that it may take, in milliseconds.
    pub(crate) timeout_ms: u64,
    /// Output above this fails the check, in bytes.
    pub(crate) max_output_bytes: u64,
    /// A pattern that the output must hold.
    pub(crate) output_regex: Option<String>,
    /// Environment variables that it may see beyond the defaults.
    pub(crate) env: Vec<String>,
}

impl Check {
    /// Returns the limits of a check that runs a program.
    pub(crate) const fn limits(&self) -> Option<&Limits> {
        match self {
            Self::Run { limits, .. } | Self::Pytest { limits, .. } => Some(limits),
            Self::FileExists { .. } | Self::Regex { .. } => None,
        }
    }

    /// Returns the name by which a check that runs a program asks for it.
    pub(crate) fn asks_for(&self) -> Option<&str> {
        match self {
            Self::Run { argv, .. } => argv.first().map(String::as_str),
            Self::Pytest { .. } => Some("python3"),
            Self::FileExists { .. } | Self::Regex { .. } => None,
        }
    }

    /// Returns the check as one line that a person recognises.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Run { argv, limits } => words(argv) + &limits.label(),
            Self::Pytest { args, limits } => {
                let command = ["python3", "-m", "pytest"].map(str::to_owned);
                words(&[command.as_slice(), args].concat()) + &limits.label()
            }
            Self::FileExists { path } => format!("file_exists {path}"),
            Self::Regex { path, pattern, .. } => format!("regex {pattern} in {path}"),
        }
    }
}

/// How a check ended. What it means is judged by [`Check::judge`], never stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The program ended with this code.
    Exited(i32),
    /// The program was ended by this signal, not sent by us.
    Signalled(i32),
    /// It took too long and was ended.
    TimedOut,
    /// It wrote too much.
    OutputLimit,
    /// It could not be started, and why.
    CouldNotStart(String),
    /// We were told to stop while it ran.
    Interrupted,
    /// Something that it needs did not pass; it was not run.
    Blocked,
    /// It stopped to ask the terminal and was ended (D19).
    AskedTerminal,
    /// A file check: what it asks for is there.
    Found,
    /// A file check: it is not, and why.
    NotFound(String),
}

/// What became of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CheckResult {
    /// How it ended.
    pub(crate) end: End,
    /// Time that it took, in milliseconds.
    pub(crate) duration_ms: u64,
    /// Whether the output holds `output_regex`; none where the check has none or did not run.
    pub(crate) matched: Option<bool>,
    /// The program that ran.
    pub(crate) program: Option<Program>,
    /// What it wrote.
    pub(crate) output: Option<Captured>,
    /// Whether a background child had to be ended.
    pub(crate) leaked: bool,
    /// Names of tool homes and sealed variables that were set for it, sorted.
    pub(crate) variables: Vec<String>,
}

impl CheckResult {
    /// Makes the result of a check that ran nothing.
    pub(crate) const fn of(end: End) -> Self {
        Self {
            end,
            duration_ms: 0,
            matched: None,
            program: None,
            output: None,
            leaked: false,
            variables: Vec::new(),
        }
    }
}

/// What stands before an entry of `PATH` among what was withheld.
pub(crate) const PATH_ENTRY: &str = "PATH entry ";

/// What running one check gave: what is recorded, and what a person is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ran {
    /// What is recorded.
    pub(crate) result: CheckResult,
    /// What a person is shown of the output, escaped, each line behind a mark.
    pub(crate) tail: String,
    /// Names of variables that were set here and withheld, and entries left out of `PATH`;
    /// escaped and sorted, empty for a check that passed.
    pub(crate) withheld: Vec<String>,
    /// Where the program lies.
    pub(crate) lies: Lies,
}

impl Ran {
    /// Makes what a check gave that ran nothing.
    pub(crate) fn nothing(end: End) -> Self {
        Self {
            result: CheckResult::of(end),
            tail: String::new(),
            withheld: Vec::new(),
            lies: Lies::default(),
        }
    }
}

/// The program that a check ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    /// Its path; below HOME with `~`.
    pub(crate) path: String,
    /// SHA-256 of its bytes.
    pub(crate) sha256: Digest,
}

/// What a program wrote, by digest: the bytes stay in the local store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Captured {
    /// All that it wrote, in bytes.
    pub(crate) bytes: u64,
    /// SHA-256 over all that it wrote.
    pub(crate) sha256: Digest,
}

/// Whether a result is what its check expects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Met {
    /// It is.
    Passed,
    /// The check says nothing: it could not start or was not run to its end.
    Unknown,
    /// It is not.
    Failed,
}

impl Met {
    /// Returns the word for people.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Unknown => "not run",
            Self::Failed => "failed",
        }
    }
}

impl Check {
    /// Judges a result; a result of another kind of check is a failure.
    pub(crate) fn judge(&self, result: &CheckResult) -> Met {
        match (&result.end, self.limits()) {
            (End::Exited(code), Some(limits)) => limits.judge(*code, result.matched),
            (End::Signalled(signal), Some(limits)) => limits.judge(-*signal, result.matched),
            (End::Found, None) => Met::Passed,
            (End::CouldNotStart(_) | End::Interrupted | End::Blocked, _) => Met::Unknown,
            (
                End::Exited(_)
                | End::Signalled(_)
                | End::TimedOut
                | End::OutputLimit
                | End::AskedTerminal
                | End::Found
                | End::NotFound(_),
                _,
            ) => Met::Failed,
        }
    }
}

impl Limits {
    /// Says what is asked of a program beyond its exit code.
    fn label(&self) -> String {
        let pattern = self.output_regex.as_ref();
        pattern.map_or_else(String::new, |pattern| {
            format!(" [output matches {pattern}]")
        })
    }

    /// Judges an exit code (a signal as a negative number) and the match of the output.
    fn judge(&self, code: i32, matched: Option<bool>) -> Met {
        let text_holds = self.output_regex.is_none() || matched == Some(true);
        if code == self.expect_exit && text_holds {
            Met::Passed
        } else {
            Met::Failed
        }
    }
}

/// Joins words so that a shell would take them apart again.
fn words(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| super::text::quoted(word)).collect();
    words.join(" ")
}

/// Writes how long something took.
pub(crate) fn lasted(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..10_000 => format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        10_000.. => format!("{} s", milliseconds / 1_000),
    }
}

/// Says in words how a check ended.
pub(crate) fn describe(result: &CheckResult) -> String {
    match &result.end {
        End::Exited(code) if result.matched == Some(false) => {
            format!("exit code {code}, and its output does not match")
        }
        End::Exited(code) => format!("exit code {code}"),
        End::Signalled(signal) => format!("ended by signal {signal}"),
        End::TimedOut => format!(
            "ended after {}: it took too long",
            lasted(result.duration_ms)
        ),
        End::OutputLimit => "wrote too much and was ended".to_owned(),
        End::CouldNotStart(why) => format!("could not start: {}", super::text::shown(why)),
        End::Interrupted => "interrupted".to_owned(),
        End::Blocked => "not run: what it depends on did not pass".to_owned(),
        End::AskedTerminal => "asked for the terminal and was ended".to_owned(),
        End::Found => "found".to_owned(),
        End::NotFound(why) => super::text::shown(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(expect_exit: i32, output_regex: Option<&str>) -> Check {
        let limits = Limits {
            expect_exit,
            timeout_ms: 1,
            max_output_bytes: 1024,
            output_regex: output_regex.map(str::to_owned),
            env: Vec::new(),
        };
        Check::Run {
            argv: vec!["true".to_owned()],
            limits,
        }
    }

    #[test]
    fn only_the_expected_exit_code_passes() {
        assert_eq!(
            run(0, None).judge(&CheckResult::of(End::Exited(0))),
            Met::Passed
        );
        assert_eq!(
            run(0, None).judge(&CheckResult::of(End::Exited(1))),
            Met::Failed
        );
        assert_eq!(
            run(3, None).judge(&CheckResult::of(End::Exited(3))),
            Met::Passed
        );
        assert_eq!(
            run(-9, None).judge(&CheckResult::of(End::Signalled(9))),
            Met::Passed
        );
        assert_eq!(
            run(9, None).judge(&CheckResult::of(End::Signalled(9))),
            Met::Failed
        );
    }

    #[test]
    fn a_pattern_without_a_match_fails() {
        let result = |matched| CheckResult {
            matched,
            ..CheckResult::of(End::Exited(0))
        };

        assert_eq!(run(0, Some("ok")).judge(&result(Some(true))), Met::Passed);
        assert_eq!(run(0, Some("ok")).judge(&result(Some(false))), Met::Failed);
        assert_eq!(run(0, Some("ok")).judge(&result(None)), Met::Failed);
    }

    #[test]
    fn a_program_is_never_proven_by_a_file_that_was_found() {
        assert_eq!(
            run(0, None).judge(&CheckResult::of(End::Found)),
            Met::Failed
        );
    }

    #[test]
    fn a_short_time_is_told_in_full() {
        assert_eq!(lasted(503), "503 ms");
        assert_eq!(lasted(2_580), "2.5 s");
        assert_eq!(lasted(301_200), "301 s");
    }

    #[test]
    fn what_did_not_run_says_nothing() {
        for end in [
            End::Blocked,
            End::Interrupted,
            End::CouldNotStart("gone".to_owned()),
        ] {
            assert_eq!(run(0, None).judge(&CheckResult::of(end)), Met::Unknown);
        }
    }
}
