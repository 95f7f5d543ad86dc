//! `host`.

use std::time::Duration;

use clap::{Subcommand, ValueEnum};

use super::Desk;
use super::desk::Hosts;
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, host as rows};
use crate::model::host::{Answer, Host, Hosted, Scope, at_end, at_start, before};
use crate::model::outcome::{Details, Outcome, Word};
use crate::report::host::settings;

/// What hooks of agent hosts call, and how they are set up
///
/// `hook` answers an agent that says it is done: from recorded evidence alone it keeps it going while the sealed
/// plan is not proven for what is on disk. `context` says at the beginning of a session what is asked, and `guard`
/// refuses commands that would go past the gate. Each reads from standard input what the host says, and writes the
/// one JSON object that the host understands; where no plan is, it says nothing. All of it helps an honest agent; the
/// push is the gate.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit host setup claude\n  \
    git plan-audit host setup codex --write\n  \
    git plan-audit host status\n\n\
    Exit codes: 0 done, 2 refused. `hook`, `context` and `guard` end with 0; for Windsurf `guard` refuses with 2.")]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    verb: Verb,
}

/// What to do.
#[derive(Subcommand, Clone, PartialEq, Eq, Debug)]
enum Verb {
    /// Answer an agent that says it is done
    Hook {
        /// The host that asks.
        #[arg(long, value_enum, value_name = "HOST")]
        host: Name,
        /// How many seconds the answer may take; the host must wait longer.
        #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
        deadline: u64,
        /// How often an agent is kept going in one session.
        #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
        max_blocks: u32,
    },
    /// Say at the beginning of a session what is asked
    Context {
        /// The host that asks.
        #[arg(long, value_enum, value_name = "HOST")]
        host: Name,
        /// How many seconds the answer may take; the host must wait longer.
        #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
        deadline: u64,
    },
    /// Refuse commands that would go past the gate: a seat belt
    Guard {
        /// The host that asks.
        #[arg(long, value_enum, value_name = "HOST")]
        host: Name,
    },
    /// Show the settings by which a host calls these, or write them
    Setup {
        /// The host.
        #[arg(value_enum, value_name = "HOST")]
        host: Name,
        /// Show the whole file as it would be; this is what is done without --write.
        #[arg(long, conflicts_with = "write")]
        print: bool,
        /// Add them to the file.
        #[arg(long)]
        write: bool,
        /// Whose settings: of this work tree, or of this user.
        #[arg(long, value_enum, value_name = "SCOPE", default_value_t = Whose::Project)]
        scope: Whose,
    },
    /// Show which hosts are set up, and when each called last
    Status,
}

/// The names of hosts on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Name {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Copilot, on the command line and in the cloud.
    Copilot,
    /// Cursor.
    Cursor,
    /// Windsurf.
    Windsurf,
    /// Another one, which understands what Claude Code does.
    Generic,
}

impl From<Name> for Host {
    fn from(name: Name) -> Self {
        match name {
            Name::Claude => Self::Claude,
            Name::Codex => Self::Codex,
            Name::Gemini => Self::Gemini,
            Name::Copilot => Self::Copilot,
            Name::Cursor => Self::Cursor,
            Name::Windsurf => Self::Windsurf,
            Name::Generic => Self::Generic,
        }
    }
}

/// Whose settings are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Whose {
    /// Those of this work tree.
    Project,
    /// Those of this user.
    User,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        desk.hosts(&|hosts| match &self.verb {
            Verb::Hook {
                host,
                deadline,
                max_blocks,
            } => Ok(hook(hosts, (*host).into(), (*deadline, *max_blocks))),
            Verb::Context { host, deadline } => Ok(context(hosts, (*host).into(), *deadline)),
            Verb::Guard { host } => Ok(guard(hosts, (*host).into())),
            Verb::Setup {
                host, write, scope, ..
            } => {
                let scope = match scope {
                    Whose::Project => Scope::Project,
                    Whose::User => Scope::User,
                };
                let host: Host = (*host).into();
                let ours = settings(host).to_string();
                let settings = hosts.set_up((host, scope), &ours, *write)?;
                Ok(done(Hosted::Settings(settings)))
            }
            Verb::Status => Ok(done(Hosted::States(hosts.states()))),
        })
    }

    /// Says whether it opens the repository it is called in: a host says itself where its agent works.
    pub(super) const fn needs_repository(&self) -> bool {
        match &self.verb {
            Verb::Hook { .. } | Verb::Context { .. } | Verb::Guard { .. } => false,
            // What is only shown needs no place to be written to.
            Verb::Setup { scope, write, .. } => *write && matches!(scope, Whose::Project),
            Verb::Status => true,
        }
    }

    /// Makes of whatever else ended a hook the answer that keeps nobody: a host takes any exit code
    /// other than 0 as it likes.
    pub(super) fn settle(&self, outcome: &mut Outcome) {
        let host = match &self.verb {
            Verb::Hook { host, .. } | Verb::Context { host, .. } | Verb::Guard { host } => *host,
            Verb::Setup { .. } | Verb::Status => return,
        };
        if outcome.details == Details::None {
            *outcome = answered(host.into(), None, Answer::Silence);
        }
    }
}

/// Answers an agent that says it is done.
fn hook(hosts: &dyn Hosts, host: Host, (deadline, most): (u64, u32)) -> Outcome {
    let call = hosts.call();
    hosts.fired(host, "hook", &call);
    if call.is_no_end {
        return answered(host, call.event, Answer::Silence);
    }
    let standing = hosts.standing(&call, Duration::from_secs(deadline));
    let before = hosts.memory(&call);
    let mut memory = before.clone();
    let limits = (hosts.now(), most, &call);
    let mut answer = at_end(&standing, memory.as_mut(), limits);
    let is_new = memory != before;
    if let Some(memory) = memory.filter(|_| is_new)
        && !hosts.remember(&call, &memory)
    {
        answer = at_end(&standing, None, limits);
    }
    answered(host, call.event, answer)
}

/// Says at the beginning of a session what is asked.
fn context(hosts: &dyn Hosts, host: Host, deadline: u64) -> Outcome {
    let call = hosts.call();
    hosts.fired(host, "context", &call);
    let standing = hosts.standing(&call, Duration::from_secs(deadline));
    answered(host, call.event, at_start(&standing))
}

/// Answers a command that an agent is about to run.
fn guard(hosts: &dyn Hosts, host: Host) -> Outcome {
    let call = hosts.call();
    hosts.fired(host, "guard", &call);
    answered(host, call.event.clone(), before(&call))
}

/// Makes the outcome of an answer.
fn answered(host: Host, event: Option<String>, answer: Answer) -> Outcome {
    let hosted = Hosted::Answer {
        host,
        event,
        answer,
    };
    if hosted.is_remark() {
        let finding = Finding::new(&rows::DENIED, "the command would go past the gate");
        return Outcome::new(
            Word::Refused,
            vec![finding],
            Details::Host(Box::new(hosted)),
        );
    }
    done(hosted)
}

/// Makes an outcome.
fn done(hosted: Hosted) -> Outcome {
    Outcome::new(Word::Ok, Vec::new(), Details::Host(Box::new(hosted)))
}
