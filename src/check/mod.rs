//! Checks: what a program of a plan sees, which file it is, how it is run, and how it ended.
//!
//! Nothing is judged for good here: a `CheckResult` holds facts, and `Check::judge` reads them.

mod environment;
mod files;
mod place;
mod program;
mod tail;

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use regex::Regex;

use crate::engine::ports::{Ear, Outputs, Written};
use crate::model::check::{Captured, Check, CheckResult, End, Limits, Met, Ran};
use crate::model::check_user::CheckUser;
use crate::model::place::Lies;
use crate::model::text::shown;
use crate::proc::{self, Ended, Finished, Interrupts, Keep, Output, Spec};

use environment::{Environment, Seen};
use place::Places;
use program::{Programs, Resolved};

/// What a checker is made of.
#[derive(Debug)]
pub(crate) struct CheckerSpec {
    /// The top of the work tree: where checks run.
    pub(crate) top: PathBuf,
    /// What keeps it apart from the user's own files, where it is a private checkout.
    pub(crate) apart: Option<Apart>,
    /// As whom checks run; none for who we are.
    pub(crate) other_user: Option<OtherUser>,
    /// Our whole environment; checks see little of it.
    pub(crate) variables: BTreeMap<OsString, OsString>,
    /// Whether we were told to stop.
    pub(crate) interrupts: Interrupts,
    /// What becomes of what checks write.
    pub(crate) audience: Audience,
}

/// What becomes of what checks write.
#[derive(Clone, Debug)]
pub(crate) struct Audience {
    /// Keeps it; none where there is no place.
    pub(crate) outputs: Option<Arc<dyn Outputs>>,
    /// Hears it; none where nobody follows.
    pub(crate) ear: Option<Arc<dyn Ear>>,
    /// How much of it a person is shown.
    pub(crate) shown: Shown,
}

/// How much of what checks write a person is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// The last lines, where a check did not pass.
    Tail,
    /// All that is kept, of every check.
    Whole,
}

/// What keeps checks in a private checkout apart from the user's own files.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    /// The user's work trees, as real paths: no program or tool in them takes part.
    pub(crate) work_trees: Vec<PathBuf>,
    /// Where git stops looking for a repository around the checkout.
    pub(crate) ceiling: PathBuf,
}

/// Another user, as whom checks run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OtherUser {
    /// Who that is.
    user: CheckUser,
    /// The name, where the system knows one.
    name: Option<String>,
    /// The home.
    home: PathBuf,
}

impl OtherUser {
    /// Finds the home of a user; who has none gets one that is not there.
    pub(crate) fn find(user: CheckUser) -> Self {
        let (name, home) = proc::user_of(user.uid).unzip();
        let home = home.filter(|home| home.is_absolute());
        Self {
            user,
            name,
            home: home.unwrap_or_else(|| PathBuf::from("/nonexistent")),
        }
    }
}

/// Why there is no checker.
#[derive(Debug, thiserror::Error)]
#[error("cannot reach the top of the work tree {}", top.display())]
pub(crate) struct CheckerError {
    /// The top.
    top: PathBuf,
    /// Why.
    #[source]
    cause: io::Error,
}

/// Runs checks in one work tree. Programs on `PATH` are looked up once for its whole life.
#[derive(Debug)]
pub(crate) struct Checker {
    top: PathBuf,
    environment: Environment,
    programs: Programs,
    user: Option<CheckUser>,
    interrupts: Interrupts,
    audience: Audience,
}

impl Checker {
    /// Makes a checker; reads nothing but the place of the top and of the entries of `PATH`.
    pub(crate) fn new(spec: CheckerSpec) -> Result<Self, CheckerError> {
        let top = spec.top.canonicalize().map_err(|cause| CheckerError {
            top: spec.top.clone(),
            cause,
        })?;
        let places = Places::new(&top, spec.variables.get(place::tmpdir()));
        let environment = Environment::new(
            spec.variables,
            &top,
            spec.apart.as_ref(),
            spec.other_user.as_ref(),
        );
        let directories = environment.directories();
        let programs = Programs::new(&top, environment.home(), directories, places);
        Ok(Self {
            top,
            environment,
            programs,
            user: spec.other_user.map(|other| other.user),
            interrupts: spec.interrupts,
            audience: spec.audience,
        })
    }

    /// Runs one check of a step to its end. Whatever goes wrong is an end of the check, never an error.
    pub(crate) fn run(&self, check: &Check, step: u64) -> Ran {
        let began = Instant::now();
        let (mut result, output, lies) = match check {
            Check::Run { argv, limits } => self.run_argv(argv, limits, step),
            Check::Pytest { args, limits } => self.run_pytest(args, limits, step),
            Check::FileExists { path } => of(files::exists(&self.top, path)),
            Check::Regex {
                path,
                pattern,
                max_bytes,
            } => of(files::holds(&self.top, path, pattern, *max_bytes)),
        };
        if result.program.is_none() {
            result.duration_ms = millis(began.elapsed());
        }
        let met = check.judge(&result);
        let tail = output.map_or_else(String::new, |output| self.heard(&output, met));
        let withheld = self.withheld(check, met);
        Ran {
            result,
            tail,
            withheld,
            lies,
        }
    }

    /// Says whether a program of `required_tools` is found, in the way checks find theirs.
    pub(crate) fn finds(&self, tool: &str) -> bool {
        self.programs.find(tool).is_ok()
    }

    /// Says whether we were told to stop.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupts.came().is_some()
    }

    /// Runs `argv`.
    fn run_argv(&self, argv: &[String], limits: &Limits, step: u64) -> Gave {
        let Some((name, args)) = argv.split_first() else {
            return of(End::CouldNotStart("no program is named".to_owned()));
        };
        match self.programs.resolve(name) {
            Ok(program) => {
                let hear = |piece: &[u8]| {
                    if let Some(ear) = &self.audience.ear {
                        ear.hear(step, piece);
                    }
                };
                self.run_program(program, args.to_vec(), limits, &hear)
            }
            Err(reason) => of(End::CouldNotStart(reason)),
        }
    }

    /// Runs pytest with the Python that is found (D12).
    fn run_pytest(&self, args: &[String], limits: &Limits, step: u64) -> Gave {
        let python = ["python3", "python"]
            .into_iter()
            .find(|name| self.finds(name))
            .unwrap_or("python3");
        let argv: Vec<String> = [python, "-m", "pytest"]
            .map(str::to_owned)
            .into_iter()
            .chain(args.iter().cloned())
            .collect();
        self.run_argv(&argv, limits, step)
    }

    /// Runs a program that was found.
    fn run_program(
        &self,
        program: Resolved,
        args: Vec<String>,
        limits: &Limits,
        hear: &dyn Fn(&[u8]),
    ) -> Gave {
        let seen = self.environment.seen(&limits.env);
        let spec = Spec {
            program: program.path,
            called: program.called.into(),
            args: args.into_iter().map(OsString::from).collect(),
            directory: self.top.clone(),
            environment: seen.variables.clone(),
            user: self.user,
            timeout: Duration::from_millis(limits.timeout_ms),
            max_output: limits.max_output_bytes,
            keep: limits
                .output_regex
                .as_ref()
                .map_or(Keep::Ends, |_| Keep::All),
        };
        let (result, output) = match proc::run(&spec, &self.interrupts, hear) {
            Ok(finished) => finished_result(finished, limits, seen),
            Err(error) => (
                CheckResult::of(End::CouldNotStart(with_cause(&error))),
                None,
            ),
        };
        let named = Some(program.record);
        let result = CheckResult {
            program: named,
            ..result
        };
        (result, output, program.lies)
    }

    /// Keeps what a program wrote, and returns what a person is shown of it.
    fn heard(&self, output: &Output, met: Met) -> String {
        if let Some(outputs) = self.audience.outputs.as_ref().filter(|_| output.total > 0) {
            let (head, tail) = output.ends();
            outputs.keep(&Written {
                captured: &captured(output),
                head,
                tail,
            });
        }
        match (self.audience.shown, met) {
            (Shown::Whole, _) => tail::shown_whole(output),
            (Shown::Tail, Met::Failed | Met::Unknown) => tail::shown_tail(output),
            (Shown::Tail, Met::Passed) => String::new(),
        }
    }

    /// Lists what a check that did not pass may have missed.
    fn withheld(&self, check: &Check, met: Met) -> Vec<String> {
        match (check.limits(), met) {
            (Some(limits), Met::Failed | Met::Unknown) => self.environment.withheld(&limits.env),
            (None, _) | (_, Met::Passed) => Vec::new(),
        }
    }
}

/// What running a check gave: its result, what it wrote, and where its program lies.
type Gave = (CheckResult, Option<Output>, Lies);

/// Makes the result of a check that ran nothing.
fn of(end: End) -> Gave {
    (CheckResult::of(end), None, Lies::default())
}

/// Makes the result of a program that ran.
fn finished_result(
    finished: Finished,
    limits: &Limits,
    seen: Seen,
) -> (CheckResult, Option<Output>) {
    let result = CheckResult {
        end: end_of(&finished.ended),
        duration_ms: millis(finished.took),
        matched: matched(&finished, limits),
        program: None,
        output: Some(captured(&finished.output)),
        leaked: finished.leaked,
        variables: seen.named,
    };
    (result, Some(finished.output))
}

/// Returns length and digest of what a program wrote.
const fn captured(output: &Output) -> Captured {
    Captured {
        bytes: output.total,
        sha256: output.sha256,
    }
}

/// Translates how a program ended.
fn end_of(ended: &Ended) -> End {
    match ended {
        Ended::Exited(code) => End::Exited(*code),
        Ended::Signalled(signal) => End::Signalled(*signal),
        Ended::TimedOut => End::TimedOut,
        Ended::OutputLimit => End::OutputLimit,
        Ended::Interrupted => End::Interrupted,
        Ended::AskedTerminal => End::AskedTerminal,
        Ended::Lost => End::CouldNotStart("the system could not say how it ended".to_owned()),
    }
}

/// Searches the output of a program that ended by itself; none where nothing was asked for.
///
/// All of the output is searched: more than is kept for this is more than the check may write.
fn matched(finished: &Finished, limits: &Limits) -> Option<bool> {
    let pattern = limits.output_regex.as_ref()?;
    match finished.ended {
        Ended::Exited(_) | Ended::Signalled(_) => Some(holds(&finished.output, pattern)),
        Ended::TimedOut
        | Ended::OutputLimit
        | Ended::Interrupted
        | Ended::AskedTerminal
        | Ended::Lost => None,
    }
}

/// Says whether output holds a pattern. A pattern that is none holds nowhere.
fn holds(output: &Output, pattern: &str) -> bool {
    let is_whole = output.tail.is_empty();
    let text = String::from_utf8_lossy(&output.head);
    is_whole && Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(&text))
}

/// Returns whole milliseconds.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns an error and its cause as one safe line.
fn with_cause(error: &dyn Error) -> String {
    let text = error
        .source()
        .map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
    shown(&text)
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
