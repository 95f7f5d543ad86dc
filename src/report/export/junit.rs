//! `JUnit` XML as CI systems read it: a suite for each plan, and one for what is said of the commit.

use std::fmt::Write as _;

use crate::model::check::Met;
use crate::model::export::{Exported, ExportedCheck, ExportedPlan};
use crate::model::finding::Finding;
use crate::model::ids::PlanName;
use crate::model::outcome::JudgedPlan;
use crate::model::text::shown;
use crate::model::verdict::Verdict;

/// The longest text of a failure, in characters: readers cut off, or refuse, what is longer.
const LONGEST: usize = 16_000;

/// What became of a case.
enum Became {
    Passed,
    Failed(String),
    Error(String),
    Skipped(String),
}

/// One case of a suite.
struct Case {
    class: String,
    name: String,
    milliseconds: u64,
    file: Option<String>,
    became: Became,
}

/// One suite.
struct Suite {
    name: String,
    properties: Vec<(&'static str, String)>,
    cases: Vec<Case>,
}

/// Writes the document.
pub(super) fn document(exported: &Exported) -> String {
    let plans = exported.judged.plans.iter().zip(&exported.plans);
    let mut suites: Vec<Suite> = plans
        .map(|(judged, plan)| of_plan(judged, plan, &exported.findings))
        .collect();
    suites.push(of_commit(exported));
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"git plan-audit\"",
    );
    text.push_str(&counts(suites.iter().flat_map(|suite| &suite.cases)));
    text.push_str(">\n");
    let time = exported.now.to_string();
    text.extend(suites.iter().map(|each| suite(each, &time)));
    text.push_str("</testsuites>\n");
    text
}

/// Makes the suite of a plan: its checks, and its verdict as a case of its own, so that none is lost
/// where no check failed.
fn of_plan(judged: &JudgedPlan, plan: &ExportedPlan, findings: &[Finding]) -> Suite {
    let name = &judged.name;
    let own: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.plan.as_ref() == Some(name))
        .collect();
    let mut cases: Vec<Case> = plan
        .checks
        .iter()
        .map(|check| of_check(name, check))
        .collect();
    cases.push(Case {
        class: format!("plan.{name}"),
        name: format!("verdict of plan {name}"),
        milliseconds: 0,
        file: Some(name.path()),
        became: became(
            judged.verdict,
            &format!("plan {name} is {}", judged.word()),
            &own,
        ),
    });
    let contract = plan
        .contract
        .iter()
        .map(|digest| ("contract.sha256", digest.to_string()));
    let records = plan
        .records
        .iter()
        .map(|record| ("record", record.to_string()));
    Suite {
        name: format!("plan {name}"),
        properties: contract.chain(records).collect(),
        cases,
    }
}

/// Makes the suite of the commit: the verdict of the whole.
fn of_commit(exported: &Exported) -> Suite {
    let judged = &exported.judged;
    let whole: Vec<&Finding> = exported
        .findings
        .iter()
        .filter(|finding| finding.plan.is_none())
        .collect();
    let name = format!("verdict of commit {}", judged.commit);
    let said = format!("commit {} is {}", judged.commit, judged.verdict.as_str());
    Suite {
        name: format!("commit {}", judged.commit.short()),
        properties: vec![
            ("commit", judged.commit.to_string()),
            ("tree", judged.tree.to_string()),
            ("trust", judged.trust.clone()),
        ],
        cases: vec![Case {
            class: "commit".to_owned(),
            name,
            milliseconds: 0,
            file: None,
            became: became(judged.verdict, &said, &whole),
        }],
    }
}

/// Makes the case of a check.
fn of_check(plan: &PlanName, check: &ExportedCheck) -> Case {
    let ended = check.ended.clone();
    Case {
        class: format!("plan.{plan}.step-{}", check.step),
        name: check.name.clone(),
        milliseconds: check.duration_ms,
        file: Some(plan.path()),
        became: match check.met {
            Some(Met::Passed) => Became::Passed,
            Some(Met::Failed) => Became::Failed(format!("{}: {ended}", check.title)),
            Some(Met::Unknown) => Became::Error(format!("{}: {ended}", check.title)),
            None => Became::Skipped(ended),
        },
    }
}

/// Says what a verdict is as a case.
fn became(verdict: Verdict, said: &str, findings: &[&Finding]) -> Became {
    let told = findings.iter().map(|finding| {
        let hint = finding.hint.as_ref().map(|hint| format!(" (hint: {hint})"));
        let (code, message) = (finding.row.code, &finding.message);
        format!("\n{code}: {message}{}", hint.unwrap_or_default())
    });
    let text = format!("{said}{}", told.collect::<String>());
    match verdict {
        Verdict::Pass => Became::Passed,
        Verdict::Fail => Became::Failed(text),
        Verdict::Unknown => Became::Error(text),
        Verdict::NoPlan => Became::Skipped(text),
    }
}

/// Writes a suite.
fn suite(suite: &Suite, time: &str) -> String {
    let mut text = format!(
        " <testsuite name=\"{}\"{} timestamp=\"{}\">\n",
        escaped(&suite.name),
        counts(suite.cases.iter()),
        time.trim_end_matches('Z')
    );
    text.push_str("  <properties>\n");
    for (name, value) in &suite.properties {
        let value = escaped(value);
        let _ = writeln!(text, "   <property name=\"{name}\" value=\"{value}\"/>");
    }
    text.push_str("  </properties>\n");
    text.extend(suite.cases.iter().map(case));
    text.push_str(" </testsuite>\n");
    text
}

/// Writes a case.
fn case(case: &Case) -> String {
    let file = case
        .file
        .as_ref()
        .map(|file| format!(" file=\"{}\"", escaped(file)));
    let head = format!(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{}\"{}",
        escaped(&case.class),
        escaped(&case.name),
        seconds(case.milliseconds),
        file.unwrap_or_default()
    );
    let (element, text) = match &case.became {
        Became::Passed => return head + "/>\n",
        Became::Failed(text) => ("failure", text),
        Became::Error(text) => ("error", text),
        Became::Skipped(text) => ("skipped", text),
    };
    let first = escaped(text.lines().next().unwrap_or_default());
    let kind = if element == "skipped" {
        ""
    } else {
        " type=\"plan-audit\""
    };
    let all: Vec<String> = text.lines().map(escaped).collect();
    let all = all.join("\n");
    format!("{head}>\n   <{element} message=\"{first}\"{kind}>{all}</{element}>\n  </testcase>\n")
}

/// Writes the counts of cases as attributes.
fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut tests, mut failures, mut errors, mut skipped, mut milliseconds) = (0, 0, 0, 0, 0_u64);
    for case in cases {
        tests += 1;
        milliseconds = milliseconds.saturating_add(case.milliseconds);
        match case.became {
            Became::Passed => {}
            Became::Failed(_) => failures += 1,
            Became::Error(_) => errors += 1,
            Became::Skipped(_) => skipped += 1,
        }
    }
    let time = seconds(milliseconds);
    format!(
        " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time}\""
    )
}

/// Writes milliseconds as seconds.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000)
}

/// Escapes a text for XML 1.0: controls as for people, then what is markup, and the two characters that
/// no document may hold.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in shown(text).chars().take(LONGEST) {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_text_becomes_markup_or_is_none_of_xml() {
        let hostile = "a<b>&\"]]>\u{0}\u{1b}[31m\u{ffff}\u{202e}\n\u{fc}";

        let text = escaped(hostile);

        assert!(text.starts_with("a&lt;b&gt;&amp;&quot;]]&gt;"), "{text}");
        assert!(text.ends_with('\u{fc}'), "{text}");
        let is_odd = |each: char| {
            each.is_control() || matches!(each, '<' | '>' | '"' | '\u{ffff}' | '\u{202e}')
        };
        assert!(!text.chars().any(is_odd), "{text}");
    }
}
