//! What checks that did not pass may have missed of the environment.

use std::collections::BTreeSet;

use crate::model::check::{End, Met, PATH_ENTRY};
use crate::model::finding::{Finding, auditing, judging as rows};
use crate::model::outcome::{AuditedCheck, AuditedStep};

/// How many names are listed where no output speaks of one.
const LISTED: usize = 8;

/// Says once what was withheld from checks that did not pass.
pub(in crate::engine) fn findings(steps: &[AuditedStep]) -> Vec<Finding> {
    let checks = steps.iter().flat_map(AuditedStep::all_checks);
    let checks: Vec<&AuditedCheck> = checks.filter(|check| may_have_missed(check)).collect();
    let all = checks.iter().flat_map(|check| &check.withheld);
    let all: BTreeSet<&str> = all.map(String::as_str).collect();
    let entries: Vec<&str> = all
        .iter()
        .filter_map(|each| each.strip_prefix(PATH_ENTRY))
        .collect();
    let names: Vec<&str> = all
        .iter()
        .copied()
        .filter(|each| !each.starts_with(PATH_ENTRY))
        .collect();
    let mut findings = Vec::new();
    if !entries.is_empty() {
        let message = format!(
            "not searched for programs, since they lie in the work tree or are relative: {}",
            entries.join(", ")
        );
        let hint = "name the program by its path from the top of the tree, as in [\".venv/bin/python3\", ...]; a \
                    private checkout has no ignored files";
        findings.push(Finding::new(&auditing::PATH_ENTRIES, message).hint(hint));
    }
    if !names.is_empty() {
        let message = format!(
            "withheld from the checks that did not pass: {}",
            told(&names, &checks)
        );
        let hint = "a check may name what it needs in `env`";
        findings.push(Finding::new(&rows::WITHHELD, message).hint(hint));
    }
    findings
}

/// Says whether a check did not pass for a reason that a variable could mend.
fn may_have_missed(check: &AuditedCheck) -> bool {
    match check.result.end {
        End::TimedOut | End::OutputLimit | End::Interrupted | End::Blocked | End::AskedTerminal => {
            false
        }
        End::Exited(_)
        | End::Signalled(_)
        | End::CouldNotStart(_)
        | End::Found
        | End::NotFound(_) => check.met != Met::Passed,
    }
}

/// Lists the names of which the checks' own output speaks, else the first ones.
fn told(names: &[&str], checks: &[&AuditedCheck]) -> String {
    let is_spoken_of = |name: &&&str| checks.iter().any(|check| has_word(&check.tail, name));
    let spoken_of: Vec<&str> = names.iter().filter(is_spoken_of).copied().collect();
    if !spoken_of.is_empty() {
        return spoken_of.join(", ");
    }
    let (first, more) = names.split_at(names.len().min(LISTED));
    let first = first.join(", ");
    match more.len() {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Says whether a text holds a name as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..);
        let after = after.and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::CheckResult;
    use crate::model::place::Lies;

    fn check(met: Met, tail: &str, withheld: &[&str]) -> AuditedCheck {
        AuditedCheck {
            label: "x".to_owned(),
            met,
            result: CheckResult::of(End::Exited(1)),
            tail: tail.to_owned(),
            withheld: withheld.iter().map(|each| (*each).to_owned()).collect(),
            lies: Lies::default(),
        }
    }

    fn said(checks: Vec<AuditedCheck>) -> Vec<String> {
        let step = AuditedStep {
            id: 1,
            title: "x".to_owned(),
            met: Met::Failed,
            required: Vec::new(),
            checks,
            outputs: Vec::new(),
        };
        let found = findings(&[step]);
        found.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn what_the_output_speaks_of_is_named_alone() {
        let failed = check(
            Met::Failed,
            "  | DB_URL is not set",
            &["DB", "DB_URL", "EDITOR"],
        );

        let lines = said(vec![failed]);

        assert_eq!(
            lines,
            ["withheld from the checks that did not pass: DB_URL"]
        );
    }

    #[test]
    fn else_the_first_are_named_and_the_rest_is_counted() {
        let names = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"];

        let lines = said(vec![check(Met::Unknown, "", &names)]);

        assert!(
            lines[0].ends_with("A, B, C, D, E, F, G, H and 2 more"),
            "{lines:?}"
        );
    }

    #[test]
    fn entries_of_the_path_are_told_apart() {
        let lines = said(vec![check(
            Met::Failed,
            "",
            &["A", "PATH entry /r/.venv/bin"],
        )]);

        assert!(lines[0].ends_with(": /r/.venv/bin"), "{lines:?}");
        assert!(lines[1].ends_with(": A"), "{lines:?}");
    }

    #[test]
    fn of_a_check_that_was_ended_nothing_is_said() {
        let mut ended = check(Met::Failed, "A", &["A"]);
        ended.result = CheckResult::of(End::TimedOut);

        assert_eq!(said(vec![ended]), [""; 0]);
    }

    #[test]
    fn of_checks_that_passed_nothing_is_said() {
        assert_eq!(said(vec![check(Met::Passed, "A", &["A"])]), [""; 0]);
    }
}
