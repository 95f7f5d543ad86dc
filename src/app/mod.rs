//! The one place that reads environment, clock and terminal; it wires the ports and runs a command.

mod adapters;
mod checkouts;
mod deinitialise;
mod demo_shell;
mod desk;
mod doctor;
mod host;
mod initialise;
mod live;
mod named_file;
mod prober;
mod pushed;
mod separation;
mod session;
mod signing;
mod starter;
mod storage;
mod surroundings;
mod transport;

use std::process::ExitCode;

use clap::Parser as _;

use crate::commands::{Cli, Format, outcome_of};
use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;
use crate::proc::{Interrupts, close_inherited, outlive_file_limit};
use crate::report::{json, text};
use crate::ui::screen::{self, Noise};
use desk::Application;
use surroundings::Surroundings;

/// The exit code of a usage error, as git has it.
const USAGE: u8 = 129;
/// The exit code of a defect of this program, or of the system below it.
const DEFECT: u8 = 3;

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let ended = std::panic::catch_unwind(|| {
        close_inherited();
        program(&Surroundings::read())
    });
    ExitCode::from(ended.unwrap_or_else(|panic| defect(&*panic)))
}

/// Runs the command that the arguments name and returns the exit code.
fn program(surroundings: &Surroundings) -> u8 {
    if let Err(error) = outlive_file_limit() {
        return unwatched(&error);
    }
    let cli = match Cli::try_parse_from(&surroundings.arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    // Who only reads ends at once, as any program does.
    let watched = if cli.command.records() {
        Interrupts::install()
    } else {
        Interrupts::none()
    };
    let interrupts = match watched {
        Ok(interrupts) => interrupts,
        Err(error) => return unwatched(&error),
    };
    let mut outcome = outcome_of(answer(surroundings, &cli, &interrupts));
    cli.command.settle(&mut outcome);
    if let Some(signal) = interrupts.came() {
        outcome.exit = after_signal(signal);
    }
    match show(&cli, &outcome) {
        Ok(()) => outcome.exit,
        Err(error) => unwritten(&error),
    }
}

/// Wires the world and runs the command in it.
fn answer(
    surroundings: &Surroundings,
    cli: &Cli,
    interrupts: &Interrupts,
) -> Result<Outcome, Stop> {
    let noise = if cli.quiet {
        Noise::Quiet
    } else {
        Noise::Usual
    };
    let application = Application::open(surroundings, cli, interrupts, noise)?;
    cli.command.run(&application)
}

/// Writes an outcome: results to standard output, refusals for people to standard error.
fn show(cli: &Cli, outcome: &Outcome) -> std::io::Result<()> {
    match cli.format {
        Format::Json => screen::result(&json::render(
            cli.command.name(),
            env!("CARGO_PKG_VERSION"),
            outcome,
        )),
        Format::Text => {
            let text = text::render(outcome);
            if outcome.is_result() {
                screen::result(&text)
            } else {
                screen::remark(&text)
            }
        }
    }
}

/// Shows help, version or a usage error.
fn usage(error: &clap::Error) -> u8 {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        return told(&text, USAGE);
    }
    screen::result(&text).map_or_else(|error| unwritten(&error), |()| 0)
}

/// Says that signals cannot be watched for.
fn unwatched(error: &std::io::Error) -> u8 {
    told(
        &format!("error: cannot watch for signals: {error}\n"),
        DEFECT,
    )
}

/// Says that a result could not be written.
fn unwritten(error: &std::io::Error) -> u8 {
    told(
        &format!("error: cannot write to standard output: {error}\n"),
        DEFECT,
    )
}

/// Writes a last line to standard error and returns the exit code.
fn told(text: &str, exit: u8) -> u8 {
    drop(screen::remark(text));
    exit
}

/// Tells of a defect of this program in one line.
fn defect(panic: &(dyn std::any::Any + Send)) -> u8 {
    let what = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let what = crate::model::text::shown(&what);
    told(
        &format!("error: git-plan-audit has a defect and stopped: {what}\n"),
        DEFECT,
    )
}

/// Returns the exit code after a signal, as shells have it: 130, 131 or 143.
fn after_signal(signal: i32) -> u8 {
    // A hang-up would give 129, which means usage; it counts as a request to end.
    const HANGUP: i32 = 1;
    if signal == HANGUP {
        143
    } else {
        u8::try_from(128 + signal).unwrap_or(DEFECT)
    }
}
