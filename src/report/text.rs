//! The view for people: results first, findings after, the verdict in the last lines.

mod audit;
mod diagnostic_list;
mod judged;
mod ledger;
mod run;
mod state;

use std::fmt::Write as _;

use crate::model::finding::{Finding, Severity};
use crate::model::outcome::{Demonstrated, Details, Initialised, Outcome, ReadPlan, Sealed};

/// Writes an outcome.
pub(crate) fn render(outcome: &Outcome) -> String {
    match &outcome.details {
        Details::None => findings(&outcome.findings),
        Details::Init(init) => initialised(init) + &findings(&outcome.findings),
        Details::Validate(plans) => validated(plans, &outcome.findings),
        Details::Seal(seal) => findings(&outcome.findings) + &sealed(seal),
        Details::Audit(audited) => audit::render(audited, outcome),
        Details::Run(ran) => run::render(ran, outcome),
        Details::Verify(commit) => judged::commit(commit, &outcome.findings),
        Details::Status(status) => judged::status(status, &outcome.findings),
        Details::Log(entries) => ledger::log(entries) + &findings(&outcome.findings),
        Details::Show(shown) => ledger::shown(shown),
        Details::Fingerprint(state) => state::render(state),
        Details::Demo(demo) => demonstrated(demo),
    }
}

/// Paints a text in one of the eight colours that every terminal has; the screen takes them away
/// where they do not belong.
fn painted(text: &str, code: u8) -> String {
    format!("\u{1b}[1;{code}m{text}\u{1b}[0m")
}

/// Paints the word of a verdict or result.
fn verdict(word: &str) -> String {
    let code = match word {
        "PASS" | "OK" | "passed" => 32,
        "FAIL" | "REFUSED" | "failed" => 31,
        _ => 33,
    };
    painted(word, code)
}

/// Writes findings, the loudest last, so that what matters stands by the verdict.
fn findings(findings: &[Finding]) -> String {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.row.severity));
    sorted.into_iter().map(finding).collect()
}

/// Writes one finding.
fn finding(finding: &Finding) -> String {
    let code = match finding.row.severity {
        Severity::Error => 31,
        Severity::Warning => 33,
        Severity::Info => 36,
    };
    let head = format!("{}[{}]", finding.row.severity.as_str(), finding.row.code);
    let mut text = painted(&head, code);
    let message = crate::model::text::shown(&finding.message);
    let _ = write!(text, ": {}{message}", about(finding));
    if let Some(place) = &finding.place {
        let _ = write!(
            text,
            "\n  at {}:{}:{}",
            place.path, place.line, place.column
        );
    }
    if let Some(hint) = &finding.hint {
        let _ = write!(text, "\n  hint: {}", crate::model::text::shown(hint));
    }
    text.push('\n');
    text
}

/// Names the step that a finding speaks of.
fn about(finding: &Finding) -> String {
    match (&finding.plan, finding.step) {
        (Some(plan), Some(step)) => format!("plan {plan}, step {step}: "),
        (_, _) => String::new(),
    }
}

/// Writes what `init` did, in at most twelve lines.
fn initialised(init: &Initialised) -> String {
    let shown = crate::model::text::shown;
    let mut text = format!("key     {} ({})\n", init.writer, shown(&init.key));
    let _ = writeln!(text, "ledger  {}", init.ledger);
    if init.wrote.is_empty() {
        text.push_str("wrote   nothing: everything was there\n");
    }
    for line in &init.wrote {
        let _ = writeln!(text, "wrote   {}", shown(line));
    }
    let _ = writeln!(text, "undo    {}", shown(&init.undo));
    let _ = writeln!(text, "next    {}", shown(&init.next));
    text
}

/// Writes what was read, with every defect at its place.
fn validated(plans: &[ReadPlan], all: &[Finding]) -> String {
    let mut text = String::new();
    for plan in plans {
        let own: Vec<&Finding> = all
            .iter()
            .filter(|finding| finding.plan.as_ref() == Some(&plan.name))
            .collect();
        text.push_str(&diagnostic_list::render(plan, &own));
        let errors = own
            .iter()
            .filter(|each| each.row.severity == Severity::Error)
            .count();
        let line = match plan.contract {
            Some(digest) => format!(
                "plan {}: valid, {} steps, {} checks, contract {}",
                plan.name,
                plan.steps,
                plan.checks,
                digest.short()
            ),
            None => format!("plan {} ({}): {errors} errors", plan.name, plan.path),
        };
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Writes what `seal` did.
fn sealed(seal: &Sealed) -> String {
    let what = if seal.already {
        "was sealed before"
    } else {
        "sealed"
    };
    format!(
        "plan {}: {what}, contract {}, record {}\nnext    git plan-audit audit --plan {}\n",
        seal.plan,
        seal.contract.short(),
        seal.record.short(),
        seal.plan
    )
}

/// Writes where `demo` leaves the repository; the story itself was told as it happened.
fn demonstrated(demo: &Demonstrated) -> String {
    format!(
        "\n{} commands were run; the repository is at {}\n",
        demo.steps.len(),
        demo.directory
    )
}
