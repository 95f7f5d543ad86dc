//! What agent hosts read: the answers of a hook, and the settings by which a host calls one.
//!
//! Each host is given the members that it knows and no others: some refuse an object that holds more.

use serde_json::{Value, json};

use crate::model::host::{Answer, Host};

/// Seconds after which a host gives a hook up. Ours answers before that.
const TIMEOUT: u64 = 60;

/// Writes an answer as the one object that a host reads.
pub(crate) fn answer(host: Host, event: Option<&str>, answer: &Answer) -> Value {
    match answer {
        Answer::Silence => json!({}),
        Answer::Block(reason) => block(host, reason),
        Answer::LetGo(text) => let_go(host, text),
        Answer::Tell(text) => tell(host, event, text),
        Answer::Deny(reason) => deny(host, event, reason),
    }
}

/// Keeps an agent going.
fn block(host: Host, reason: &str) -> Value {
    match host {
        Host::Claude | Host::Codex | Host::Copilot | Host::Generic => {
            json!({ "decision": "block", "reason": reason })
        }
        Host::Gemini => json!({ "decision": "deny", "reason": reason }),
        Host::Cursor => json!({ "followup_message": reason }),
        // Nothing that Windsurf asks at the end of a turn holds it.
        Host::Windsurf => json!({}),
    }
}

/// Says something to the person, and holds nobody.
fn let_go(host: Host, text: &str) -> Value {
    match host {
        Host::Claude | Host::Codex | Host::Gemini | Host::Generic => {
            json!({ "systemMessage": text })
        }
        Host::Copilot | Host::Cursor | Host::Windsurf => json!({}),
    }
}

/// Tells an agent something at the beginning.
fn tell(host: Host, event: Option<&str>, text: &str) -> Value {
    match host {
        Host::Claude | Host::Codex | Host::Gemini | Host::Generic => json!({
            "hookSpecificOutput": {
                "hookEventName": event.unwrap_or("SessionStart"),
                "additionalContext": text,
            }
        }),
        Host::Copilot => json!({ "additionalContext": text }),
        Host::Cursor => json!({ "additional_context": text }),
        Host::Windsurf => json!({}),
    }
}

/// Keeps a command from being run.
fn deny(host: Host, event: Option<&str>, reason: &str) -> Value {
    match host {
        Host::Claude | Host::Codex | Host::Generic => json!({
            "hookSpecificOutput": {
                "hookEventName": event.unwrap_or("PreToolUse"),
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }
        }),
        Host::Gemini => json!({ "decision": "deny", "reason": reason }),
        Host::Copilot => json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }),
        Host::Cursor => json!({
            "permission": "deny",
            "user_message": reason,
            "agent_message": reason,
        }),
        // It listens to the exit code and to standard error alone.
        Host::Windsurf => json!({}),
    }
}

/// Writes the settings by which a host calls us.
pub(crate) fn settings(host: Host) -> Value {
    let line = |verb: &str| format!("git plan-audit host {verb} --host {}", host.as_str());
    let (hook, context, guard) = (line("hook"), line("context"), line("guard"));
    match host {
        Host::Claude | Host::Codex | Host::Generic => json!({ "hooks": {
            "Stop": [grouped(None, &hook, TIMEOUT)],
            "SubagentStop": [grouped(None, &hook, TIMEOUT)],
            "SessionStart": [grouped(None, &context, TIMEOUT)],
            "PreToolUse": [grouped(Some("Bash"), &guard, TIMEOUT)],
        }}),
        // Gemini counts in milliseconds.
        Host::Gemini => json!({ "hooks": {
            "AfterAgent": [grouped(None, &hook, TIMEOUT * 1000)],
            "SessionStart": [grouped(None, &context, TIMEOUT * 1000)],
            "BeforeTool": [grouped(Some("run_shell_command"), &guard, TIMEOUT * 1000)],
        }}),
        Host::Copilot => {
            let each =
                |line: &str| json!([{ "type": "command", "bash": line, "timeoutSec": TIMEOUT }]);
            json!({ "version": 1, "hooks": {
                "agentStop": each(&hook),
                "subagentStop": each(&hook),
                "sessionStart": each(&context),
                "preToolUse": each(&guard),
            }})
        }
        Host::Cursor => json!({ "version": 1, "hooks": {
            "stop": [{ "command": hook, "loop_limit": 3 }],
            "sessionStart": [{ "command": context }],
            "beforeShellExecution": [{ "command": guard }],
        }}),
        Host::Windsurf => json!({ "hooks": {
            "pre_run_command": [{ "command": guard, "show_output": true }],
        }}),
    }
}

/// Writes an entry of the hosts that group commands by a pattern of tools.
fn grouped(matcher: Option<&str>, line: &str, timeout: u64) -> Value {
    let hooks = json!([{ "type": "command", "command": line, "timeout": timeout }]);
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": hooks }),
        None => json!({ "hooks": hooks }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_gets_its_own_words() {
        let said = |host, answer: &Answer| super::answer(host, None, answer).to_string();
        let reason = || "r".to_owned();
        for (host, block, deny) in [
            (
                Host::Claude,
                r#"{"decision":"block","reason":"r"}"#,
                "permissionDecision",
            ),
            (
                Host::Codex,
                r#"{"decision":"block","reason":"r"}"#,
                "permissionDecision",
            ),
            (
                Host::Generic,
                r#"{"decision":"block","reason":"r"}"#,
                "permissionDecision",
            ),
            (
                Host::Copilot,
                r#"{"decision":"block","reason":"r"}"#,
                "permissionDecision",
            ),
            (Host::Gemini, r#"{"decision":"deny","reason":"r"}"#, "deny"),
            (
                Host::Cursor,
                r#"{"followup_message":"r"}"#,
                r#""permission":"deny""#,
            ),
            (Host::Windsurf, "{}", "{}"),
        ] {
            assert_eq!(said(host, &Answer::Block(reason())), block, "{host:?}");
            assert_eq!(said(host, &Answer::Silence), "{}", "{host:?}");
            let denied = said(host, &Answer::Deny(reason()));
            assert!(denied.contains(deny), "{host:?}: {denied}");
            assert!(
                settings(host).to_string().contains("plan-audit host "),
                "{host:?}"
            );
        }
    }
}
