//! Agent hosts: what they say to a hook, what is answered, and when an agent is let go. Pure.

use super::text::shown;
use super::time::Timestamp;
use super::verdict::Verdict;

/// The most letters of a reason: hosts cut what is longer.
const MOST: usize = 2000;
/// How many findings a reason names.
const NAMED: usize = 5;
/// How long the same call is taken for one that two settings of a host made, in seconds.
const SAME: u64 = 5;

/// A program in which an agent works, and which calls hooks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Host {
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

impl Host {
    /// Every host.
    pub(crate) const ALL: [Self; 7] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Copilot,
        Self::Cursor,
        Self::Windsurf,
        Self::Generic,
    ];

    /// Returns its name on the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Windsurf => "windsurf",
            Self::Generic => "generic",
        }
    }
}

/// What a host says on standard input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Call {
    /// The event, as the host spells it.
    pub(crate) event: Option<String>,
    /// The session.
    pub(crate) session: Option<String>,
    /// The directory that the agent works in.
    pub(crate) directory: Option<String>,
    /// Whether the turn ends for another reason than that the agent is done, or agents still run.
    pub(crate) is_no_end: bool,
    /// Whether the host says that a hook kept this turn going.
    pub(crate) is_again: bool,
    /// The command that the agent is about to run.
    pub(crate) command: Option<String>,
}

/// What is known of a place where an agent works.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// No plan is there, or nothing that a plan could be in.
    NoPlan,
    /// Plans are there.
    Known(Known),
    /// Nobody could tell, and why.
    Untold(String),
}

/// Where the plans of a work tree stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// What recorded evidence says of what is on disk.
    pub(crate) verdict: Verdict,
    /// One line for each plan that binds.
    pub(crate) plans: Vec<String>,
    /// What keeps it from being proven.
    pub(crate) findings: Vec<String>,
    /// The next command.
    pub(crate) next: Option<String>,
    /// What tells one state from another.
    pub(crate) state: String,
}

/// What a clone remembers of a session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Memory {
    /// How often the agent was kept going.
    pub(crate) blocks: u32,
    /// The state the last time.
    pub(crate) state: String,
    /// When that was, in seconds since 1970.
    pub(crate) at: u64,
}

/// What is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Nothing.
    Silence,
    /// The agent is not done, and why.
    Block(String),
    /// It is let go, and what has to be said of that.
    LetGo(String),
    /// What it should know.
    Tell(String),
    /// A command is not run, and why.
    Deny(String),
}

/// Where the settings of a host lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// In the work tree, for everybody who works there.
    Project,
    /// In the home, for all that this user does.
    User,
}

impl Host {
    /// Returns the file of a host's settings, from the top of the work tree or from the home; none where a
    /// host has no such file.
    pub(crate) const fn file(self, scope: Scope) -> Option<&'static str> {
        match (self, scope) {
            (Self::Claude, _) => Some(".claude/settings.json"),
            (Self::Codex, _) => Some(".codex/hooks.json"),
            (Self::Gemini, _) => Some(".gemini/settings.json"),
            (Self::Copilot, Scope::Project) => Some(".github/hooks/plan-audit.json"),
            (Self::Copilot, Scope::User) => Some(".copilot/hooks/plan-audit.json"),
            (Self::Cursor, _) => Some(".cursor/hooks.json"),
            (Self::Windsurf, Scope::Project) => Some(".windsurf/hooks.json"),
            (Self::Windsurf, Scope::User) => Some(".codeium/windsurf/hooks.json"),
            (Self::Generic, _) => None,
        }
    }

    /// Says what a person has to know of hooks in this host.
    pub(crate) const fn note(self) -> &'static str {
        match self {
            Self::Claude => "sessions that began before read the settings anew after /hooks",
            Self::Codex => {
                "it passes over hooks that nobody trusted: open /hooks there and trust them"
            }
            Self::Gemini => "it asks before it runs hooks of a project that are new",
            Self::Copilot => {
                "in the cloud it reads .github/hooks of the default branch, and the program must be installed there"
            }
            Self::Cursor => {
                "it cannot be held at the end of a turn: what is not proven becomes the next message"
            }
            Self::Windsurf => {
                "it cannot be held at the end of a turn: commands alone are looked at"
            }
            Self::Generic => {
                "it must understand what Claude Code does: {\"decision\":\"block\",\"reason\":...}"
            }
        }
    }
}

/// What a command for hosts gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Hosted {
    /// What a host reads.
    Answer {
        /// The host.
        host: Host,
        /// The event that it named.
        event: Option<String>,
        /// The answer.
        answer: Answer,
    },
    /// Settings of a host.
    Settings(HostSettings),
    /// What is set up.
    States(Vec<HostState>),
}

impl Hosted {
    /// Says whether it goes to standard error: Windsurf reads that alone where it is told no.
    pub(crate) const fn is_remark(&self) -> bool {
        match self {
            Self::Answer { host, answer, .. } => {
                matches!((host, answer), (Host::Windsurf, Answer::Deny(_)))
            }
            Self::Settings(_) | Self::States(_) => false,
        }
    }
}

/// Settings of a host, as they are or would be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HostSettings {
    /// The host.
    pub(crate) host: Host,
    /// Whose they are.
    pub(crate) scope: Scope,
    /// The file; none where the host has none that is known.
    pub(crate) path: Option<String>,
    /// All of it.
    pub(crate) text: String,
    /// Whether it was written; it is not where all was there.
    pub(crate) is_written: bool,
    /// Whether it was only to be shown.
    pub(crate) is_shown: bool,
}

/// What is set up for a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HostState {
    /// The host.
    pub(crate) host: Host,
    /// Files that call us, each with the events that do.
    pub(crate) files: Vec<(String, Vec<String>)>,
    /// When it called us last, here or elsewhere, and for which event.
    pub(crate) fired: Option<(Timestamp, String)>,
}

/// Answers an agent that says it is done. The memory is none where none can be kept.
///
/// A host that only asks whether a hook kept the turn going cannot tell work from talk: so we count,
/// and let go where nothing changed since we spoke.
pub(crate) fn at_end(
    standing: &Standing,
    memory: Option<&mut Memory>,
    (now, most, call): (u64, u32, &Call),
) -> Answer {
    let (reason, state) = match standing {
        Standing::NoPlan => return Answer::Silence,
        Standing::Known(known) => match known.verdict {
            Verdict::NoPlan => return Answer::Silence,
            Verdict::Pass => {
                // What comes next is new work.
                memory.map(std::mem::take);
                return Answer::Silence;
            }
            Verdict::Unknown | Verdict::Fail => (reason(known), known.state.clone()),
        },
        Standing::Untold(why) => (untold(why), why.clone()),
    };
    let Some(memory) = memory else {
        return if call.is_again {
            Answer::LetGo(unverified("what happened before is not known", &reason))
        } else {
            Answer::Block(reason)
        };
    };
    let is_same = memory.blocks > 0 && memory.state == state;
    if is_same && now.saturating_sub(memory.at) < SAME {
        return Answer::Block(reason);
    }
    if is_same {
        return Answer::LetGo(unverified("nothing changed since the last time", &reason));
    }
    if memory.blocks >= most {
        let why = format!("it was kept going {most} times");
        return Answer::LetGo(unverified(&why, &reason));
    }
    *memory = Memory {
        blocks: memory.blocks + 1,
        state,
        at: now,
    };
    Answer::Block(reason)
}

/// Says why an agent is not done: the verdict, what keeps it from being proven, one command.
fn reason(known: &Known) -> String {
    let mut lines = vec![format!(
        "git plan-audit: {}: the plan is not proven for what is on disk.",
        known.verdict.as_str()
    )];
    let said = known.plans.iter().chain(&known.findings);
    lines.extend(said.take(NAMED).map(|line| format!("- {}", shown(line))));
    if let Some(next) = &known.next {
        lines.push(format!("Next: {}", shown(next)));
    }
    cut(&lines.join("\n"))
}

/// Says that nobody could tell.
fn untold(why: &str) -> String {
    let why = shown(why);
    cut(&format!(
        "git plan-audit: UNKNOWN: nobody could tell whether the plan is proven: {why}\n\
         Next: git plan-audit status"
    ))
}

/// Says that an agent is let go without proof.
fn unverified(why: &str, reason: &str) -> String {
    cut(&format!(
        "NOT VERIFIED: the agent is let go, because {why}. A push is still judged.\n{reason}"
    ))
}

/// Says at the beginning of a session what an agent should know.
pub(crate) fn at_start(standing: &Standing) -> Answer {
    let known = match standing {
        Standing::NoPlan => return Answer::Silence,
        Standing::Untold(why) => return Answer::Tell(untold(why)),
        Standing::Known(known) => known,
    };
    let mut lines = vec![
        "This repository has a plan of git plan-audit: work is done when its sealed checks have passed \
         on exactly what is committed, and a push is refused until then."
            .to_owned(),
    ];
    let said = known.plans.iter().chain(&known.findings);
    lines.extend(said.take(NAMED).map(|line| format!("- {}", shown(line))));
    if let Some(next) = &known.next {
        lines.push(format!("Next: {}", shown(next)));
    }
    Answer::Tell(cut(&lines.join("\n")))
}

/// Answers a command that an agent is about to run.
pub(crate) fn before(call: &Call) -> Answer {
    let found = call.command.as_deref().and_then(super::guard::bypass);
    found.map_or(Answer::Silence, |what| {
        Answer::Deny(cut(&format!(
            "git plan-audit refuses this command, because it would go past the gate: {}. Make the plan's checks \
             pass instead (git plan-audit status says what is next), or ask the person you work for. This is a seat \
             belt that reads the text of a command; the push is judged whatever is typed.",
            shown(&what)
        )))
    })
}

/// Cuts a text where hosts would.
fn cut(text: &str) -> String {
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MOST - 1).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(verdict: Verdict, state: &str) -> Standing {
        Standing::Known(Known {
            verdict,
            plans: vec!["plan default: sealed, FAIL".to_owned()],
            findings: vec!["x".repeat(900); 9],
            next: Some("git plan-audit audit".to_owned()),
            state: state.to_owned(),
        })
    }

    fn asked(standing: &Standing, memory: &mut Memory, now: u64) -> Answer {
        at_end(standing, Some(memory), (now, 3, &Call::default()))
    }

    #[test]
    fn what_is_proven_or_has_no_plan_is_silent() {
        let mut memory = Memory::default();
        for standing in [
            Standing::NoPlan,
            known(Verdict::Pass, "a"),
            known(Verdict::NoPlan, "a"),
        ] {
            assert_eq!(asked(&standing, &mut memory, 1), Answer::Silence);
        }
        assert_eq!(memory, Memory::default());
    }

    #[test]
    fn an_agent_is_kept_going_as_often_as_it_makes_progress_and_three_times_at_most() {
        let mut memory = Memory::default();
        for (at, state) in [(100, "a"), (200, "b"), (300, "c")] {
            let answer = asked(&known(Verdict::Fail, state), &mut memory, at);
            assert!(matches!(answer, Answer::Block(_)), "{answer:?}");
        }

        let answer = asked(&known(Verdict::Fail, "d"), &mut memory, 400);

        let Answer::LetGo(text) = answer else {
            panic!()
        };
        assert!(
            text.starts_with("NOT VERIFIED: ") && text.contains("3 times"),
            "{text}"
        );
    }

    #[test]
    fn no_progress_lets_go_and_a_second_hook_of_one_call_does_not() {
        let mut memory = Memory::default();
        let standing = known(Verdict::Unknown, "a");

        assert!(matches!(
            asked(&standing, &mut memory, 100),
            Answer::Block(_)
        ));
        assert!(matches!(
            asked(&standing, &mut memory, 102),
            Answer::Block(_)
        ));
        assert!(matches!(
            asked(&standing, &mut memory, 120),
            Answer::LetGo(_)
        ));
        assert_eq!(memory.blocks, 1);
    }

    #[test]
    fn without_a_memory_the_word_of_the_host_ends_it() {
        let untold = Standing::Untold("it took too long".to_owned());
        let again = Call {
            is_again: true,
            ..Call::default()
        };

        let first = at_end(&untold, None, (1, 3, &Call::default()));
        let second = at_end(&untold, None, (1, 3, &again));

        assert!(matches!(first, Answer::Block(_)) && matches!(second, Answer::LetGo(_)));
    }

    #[test]
    fn a_reason_begins_with_the_verdict_and_is_short() {
        let Answer::Block(text) = asked(&known(Verdict::Fail, "a"), &mut Memory::default(), 1)
        else {
            panic!()
        };

        assert!(text.starts_with("git plan-audit: FAIL: "), "{text}");
        assert!(text.chars().count() <= MOST);
    }
}
