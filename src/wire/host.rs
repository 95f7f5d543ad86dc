//! What agent hosts write to a hook, and what `status` writes of a work tree.
//!
//! A host adds members as it likes, so that what is not known is passed over, and what is no JSON says
//! nothing: a hook that fails would be taken for an answer.

use serde_json::{Map, Value};

use crate::model::host::{Call, Known, Standing};
use crate::model::text::quoted;
use crate::model::verdict::Verdict;
use crate::wire::digest::sha256;

/// Reads what a host says; what cannot be read is left out.
pub(crate) fn call(bytes: &[u8]) -> Call {
    let Some(said) = object(bytes) else {
        return Call::default();
    };
    let said = &said;
    let directory = text(said, &["cwd"])
        .or_else(|| first(said, "workspace_roots"))
        .or_else(|| first(said, "workspaceRoots"))
        .or_else(|| text(below(said, "tool_info")?, &["cwd"]));
    Call {
        event: text(
            said,
            &[
                "hook_event_name",
                "hookEventName",
                "agent_action_name",
                "hookName",
            ],
        ),
        session: text(
            said,
            &[
                "session_id",
                "sessionId",
                "conversation_id",
                "trajectory_id",
                "taskId",
            ],
        ),
        directory,
        is_no_end: is_no_end(said),
        is_again: is_again(said),
        command: command(said),
    }
}

/// Reads an object.
fn object(bytes: &[u8]) -> Option<Map<String, Value>> {
    #[expect(clippy::disallowed_methods, reason = "a host writes more than we know")]
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(members)) => Some(members),
        Ok(_) | Err(_) => None,
    }
}

/// Returns the first of these members that is a text and not empty.
fn text(said: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let mut found = names.iter().filter_map(|name| said.get(*name)?.as_str());
    found.find(|text| !text.is_empty()).map(str::to_owned)
}

/// Returns the first text of a list.
fn first(said: &Map<String, Value>, name: &str) -> Option<String> {
    let items = said.get(name)?.as_array()?;
    items.first()?.as_str().map(str::to_owned)
}

/// Returns a member that is an object.
fn below<'a>(said: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    said.get(name)?.as_object()
}

/// Says whether a turn ends otherwise than because the agent is done: it was stopped, or agents that
/// it began still run.
fn is_no_end(said: &Map<String, Value>) -> bool {
    let status = text(said, &["status"]).is_some_and(|status| status != "completed");
    let reason = text(said, &["stopReason", "stop_reason"]);
    let is_broken = |reason: String| ["aborted", "cancelled", "error"].contains(&reason.as_str());
    let running = said.get("background_tasks").and_then(Value::as_array);
    status || reason.is_some_and(is_broken) || running.is_some_and(|tasks| !tasks.is_empty())
}

/// Says whether the host tells that a hook kept this turn going.
fn is_again(said: &Map<String, Value>) -> bool {
    let flags = ["stop_hook_active", "stopHookActive"];
    let is_set = |name: &&str| said.get(*name).and_then(Value::as_bool) == Some(true);
    let loops = said.get("loop_count").and_then(Value::as_u64);
    flags.iter().any(is_set) || loops.is_some_and(|count| count > 0)
}

/// Finds the command that the agent is about to run, wherever a host puts it.
fn command(said: &Map<String, Value>) -> Option<String> {
    let named = |of: &Map<String, Value>| {
        let mut names = ["command", "command_line", "cmd"].into_iter();
        names.find_map(|name| line(of.get(name)?))
    };
    let parameters = below(said, "preToolUse").and_then(|tool| below(tool, "parameters"));
    let places = ["tool_input", "toolInput", "tool_info", "toolArgs"];
    let mut places = places.into_iter().filter_map(|name| below(said, name));
    // Copilot hands over what a tool is given as a text of JSON.
    let packed = text(said, &["toolArgs", "tool_input"]).and_then(|text| object(text.as_bytes()));
    places
        .find_map(named)
        .or_else(|| packed.as_ref().and_then(named))
        .or_else(|| parameters.and_then(named))
        .or_else(|| named(said))
}

/// Returns a command as one line: a text, or the words of one.
fn line(value: &Value) -> Option<String> {
    if let Some(words) = value.as_array() {
        let words = words.iter().filter_map(Value::as_str).map(quoted);
        return Some(words.collect::<Vec<_>>().join(" "));
    }
    value.as_str().map(str::to_owned)
}

/// Reads the JSON of `status`.
pub(crate) fn standing(bytes: &[u8]) -> Standing {
    let Some(said) = object(bytes) else {
        return Standing::Untold("status said nothing that can be read".to_owned());
    };
    let errors = errors(&said);
    if said.get("exit").and_then(Value::as_u64) != Some(0) {
        return unanswered(&said, errors);
    }
    let none = Map::new();
    let plans = below(&said, "plans").unwrap_or(&none);
    let binding: Vec<(&String, Verdict, &Value)> = plans
        .iter()
        .map(|(name, plan)| (name, verdict(plan.get("outcome")), plan))
        .filter(|(_, verdict, plan)| {
            // Of another plan's work this one asks nothing, but what it has is told.
            let is_left_out = plan.get("left_out").and_then(Value::as_bool) == Some(true);
            *verdict != Verdict::NoPlan && (*verdict == Verdict::Pass || !is_left_out)
        })
        .collect();
    if binding.is_empty() {
        return Standing::NoPlan;
    }
    let own = binding.iter().map(|(_, verdict, _)| *verdict);
    let whole = effects(&said);
    let open = binding
        .iter()
        .find(|(_, verdict, _)| *verdict != Verdict::Pass);
    let next = open.or(binding.first()).and_then(|(_, _, plan)| next(plan));
    let verdict = Verdict::join(own.chain(whole));
    let plans = binding.iter();
    let plans = plans.map(|(name, verdict, plan)| described(name, *verdict, plan));
    let plans: Vec<String> = plans.collect();
    let state = state(&said, &plans);
    Standing::Known(Known {
        verdict,
        plans,
        findings: errors.into_iter().chain(disqualifying(&said)).collect(),
        next,
        state,
    })
}

/// Returns the next command for a plan. What a plan asks for is sealed by a person's leave.
fn next(plan: &Value) -> Option<String> {
    let next = plan.get("next")?.as_str()?;
    let is_draft = plan.get("standing").and_then(Value::as_str) == Some("draft");
    Some(if is_draft {
        format!("ask the person whether this plan may be sealed; if so: {next}")
    } else {
        next.to_owned()
    })
}

/// Lists what the warnings say that keep an audit from counting.
fn disqualifying(said: &Map<String, Value>) -> Vec<String> {
    let is_meant = |finding: &&Map<String, Value>| {
        let member = |name: &str| finding.get(name).and_then(Value::as_str);
        member("severity") == Some("warning") && member("effect") == Some("does not count")
    };
    let meant = findings(said).filter(is_meant);
    meant
        .filter_map(|finding| text(finding, &["message"]))
        .collect()
}

/// Tells one state from another: by what is on disk, and by what is said of it.
fn state(said: &Map<String, Value>, plans: &[String]) -> String {
    let tree = text(said, &["tree"]).unwrap_or_default();
    let messages = findings(said).filter_map(|finding| text(finding, &["message"]));
    let all = std::iter::once(tree)
        .chain(plans.iter().cloned())
        .chain(messages);
    sha256(all.collect::<Vec<_>>().join("\0").as_bytes()).to_string()
}

/// Says what an answer other than a result means.
fn unanswered(said: &Map<String, Value>, errors: Vec<String>) -> Standing {
    let codes = findings(said).filter_map(|finding| finding.get("code")?.as_str());
    let is_nowhere = |code: &str| code == "bare";
    let is_no_repository = |error: &String| error.starts_with("not a git repository");
    let mut codes = codes;
    if codes.any(is_nowhere) || errors.iter().any(is_no_repository) {
        return Standing::NoPlan;
    }
    let first = errors.into_iter().next();
    Standing::Untold(first.unwrap_or_else(|| "status gave no answer".to_owned()))
}

/// Lists the findings.
fn findings(said: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let all = said.get("findings").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_object)
}

/// Lists what the findings that are errors say.
fn errors(said: &Map<String, Value>) -> Vec<String> {
    let errors = findings(said)
        .filter(|finding| finding.get("severity").and_then(Value::as_str) == Some("error"));
    errors
        .filter_map(|finding| text(finding, &["message"]))
        .collect()
}

/// Lists what findings of the whole do to its verdict.
fn effects(said: &Map<String, Value>) -> Vec<Verdict> {
    let whole = findings(said).filter(|finding| !finding.contains_key("plan"));
    let effect = |finding: &Map<String, Value>| match finding.get("effect")?.as_str()? {
        "FAIL" => Some(Verdict::Fail),
        "UNKNOWN" => Some(Verdict::Unknown),
        _ => None,
    };
    whole.filter_map(effect).collect()
}

/// Reads a verdict; another word is one that cannot be told.
fn verdict(value: Option<&Value>) -> Verdict {
    let all = [
        Verdict::NoPlan,
        Verdict::Pass,
        Verdict::Unknown,
        Verdict::Fail,
    ];
    let word = value.and_then(Value::as_str).unwrap_or_default();
    let found = all.into_iter().find(|verdict| verdict.as_str() == word);
    found.unwrap_or(Verdict::Unknown)
}

/// Describes where a plan stands.
fn described(name: &str, verdict: Verdict, plan: &Value) -> String {
    let standing = plan
        .get("standing")
        .and_then(Value::as_str)
        .unwrap_or("unknown");
    let why = plan.get("unusable").and_then(Value::as_str);
    let why = why.map_or_else(String::new, |why| {
        format!("; its last audit does not count: {why}")
    });
    let is_audited = plan.get("audited").and_then(Value::as_bool) == Some(true);
    let said = match verdict {
        Verdict::Fail if standing == "sealed" && why.is_empty() && !is_audited => {
            "not audited yet as it is on disk"
        }
        Verdict::Pass | Verdict::Fail | Verdict::Unknown | Verdict::NoPlan => verdict.as_str(),
    };
    format!("plan {name} ({standing}): {said}{why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_says_the_same_in_its_own_words() {
        for text in [
            r#"{"session_id":"s","cwd":"/w","hook_event_name":"Stop","stop_hook_active":true}"#,
            r#"{"sessionId":"s","cwd":"/w","hookEventName":"Stop","stopHookActive":true,"stopReason":"end_turn"}"#,
            r#"{"conversation_id":"s","workspace_roots":["/w"],"hook_event_name":"Stop","status":"completed","loop_count":2}"#,
            r#"{"trajectory_id":"s","tool_info":{"cwd":"/w"},"agent_action_name":"Stop","stop_hook_active":true}"#,
        ] {
            let call = call(text.as_bytes());

            assert_eq!(call.session.as_deref(), Some("s"), "{text}");
            assert_eq!(call.directory.as_deref(), Some("/w"), "{text}");
            assert_eq!(call.event.as_deref(), Some("Stop"), "{text}");
            assert!(call.is_again && !call.is_no_end, "{text}");
        }
    }

    #[test]
    fn a_command_is_found_wherever_a_host_puts_it() {
        for text in [
            r#"{"tool_input":{"command":"git push"}}"#,
            r#"{"tool_input":{"command":["git","push"]}}"#,
            r#"{"toolArgs":"{\"command\":\"git push\"}"}"#,
            r#"{"toolArgs":{"command":"git push"}}"#,
            r#"{"command":"git push"}"#,
            r#"{"tool_info":{"command_line":"git push"}}"#,
            r#"{"preToolUse":{"toolName":"x","parameters":{"command":"git push"}}}"#,
        ] {
            assert_eq!(
                call(text.as_bytes()).command.as_deref(),
                Some("git push"),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_object_says_nothing() {
        for text in ["", "x", "[]", "{\"a\":", "null", "\"Stop\""] {
            assert_eq!(call(text.as_bytes()), Call::default(), "{text}");
        }
        assert_eq!(
            call(br#"{"cwd":1,"session_id":null,"tool_input":"x"}"#),
            Call::default()
        );
    }

    #[test]
    fn a_turn_that_was_stopped_or_goes_on_elsewhere_is_no_end() {
        for text in [
            r#"{"status":"aborted"}"#,
            r#"{"status":"error"}"#,
            r#"{"stopReason":"cancelled"}"#,
            r#"{"background_tasks":[{"id":1}]}"#,
        ] {
            assert!(call(text.as_bytes()).is_no_end, "{text}");
        }
        assert!(!call(br#"{"background_tasks":[]}"#).is_no_end);
    }

    #[test]
    fn plans_that_bind_are_joined_with_what_is_wrong_with_the_whole() {
        let read = |text: &str| standing(text.as_bytes());
        let plan =
            |outcome: &str| format!(r#"{{"standing":"sealed","outcome":"{outcome}","next":"n"}}"#);
        let said = |outcome: &str, effect: &str| {
            format!(
                r#"{{"exit":0,"plans":{{"a":{}}},"findings":[{{"code":"c","severity":"error","effect":"{effect}","message":"m"}}]}}"#,
                plan(outcome)
            )
        };
        for (outcome, effect, expected) in [
            ("PASS", "none", Verdict::Pass),
            ("PASS", "UNKNOWN", Verdict::Unknown),
            ("PASS", "FAIL", Verdict::Fail),
            ("FAIL", "none", Verdict::Fail),
            ("new word", "none", Verdict::Unknown),
        ] {
            let Standing::Known(known) = read(&said(outcome, effect)) else {
                panic!()
            };
            assert_eq!(known.verdict, expected, "{outcome} {effect}");
            assert_eq!(known.next.as_deref(), Some("n"));
        }
        assert_eq!(read(&said("NO_PLAN", "FAIL")), Standing::NoPlan);
        let refused = |code: &str, message: &str| {
            read(&format!(
                r#"{{"exit":2,"findings":[{{"code":"{code}","severity":"error","message":"{message}"}}]}}"#
            ))
        };
        assert_eq!(refused("bare", "x"), Standing::NoPlan);
        assert_eq!(
            refused("repository", "not a git repository: /"),
            Standing::NoPlan
        );
        assert_eq!(
            refused("repository", "dubious"),
            Standing::Untold("dubious".to_owned())
        );
        assert!(matches!(read("nonsense"), Standing::Untold(_)));
    }
}
