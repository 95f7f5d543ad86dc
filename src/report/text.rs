//! The view for people: results first, findings after, the verdict in the last lines.

mod audit;
mod checked;
mod claims;
mod diagnostic_list;
mod hook;
mod host;
mod judged;
mod ledger;
mod lineage;
mod review;
mod run;
mod state;
mod sync;

use std::fmt::Write as _;

use crate::model::finding::{Finding, Severity, lineage as lineage_rows};
use crate::model::outcome::{
    Deinitialised, Demonstrated, Details, Examined, Initialised, Outcome, ReadPlan,
};
use crate::model::text::{counted, quoted};

/// Writes an outcome.
pub(crate) fn render(outcome: &Outcome) -> String {
    let first = outcome.findings.iter().filter(|finding| is_first(finding));
    first.map(finding).collect::<String>() + &body(outcome)
}

/// Writes what comes after the findings that stand before everything.
fn body(outcome: &Outcome) -> String {
    match &outcome.details {
        Details::None => findings(&outcome.findings),
        Details::Init(init) => findings(&outcome.findings) + &initialised(init),
        Details::Doctor(examined) => examined_text(examined) + &findings(&outcome.findings),
        Details::Deinit(done) => deinitialised(done) + &findings(&outcome.findings),
        Details::Validate(plans) => validated(plans, &outcome.findings),
        Details::Seal(seal) => findings(&outcome.findings) + &lineage::sealed(seal),
        Details::Diff(plans) => findings(&outcome.findings) + &lineage::compared(plans),
        Details::Close(closed) => findings(&outcome.findings) + &lineage::closed(closed),
        // A program takes the line into a message, so that nothing else may stand here.
        Details::Anchor(anchored) => format!("{}\n", anchored.line),
        Details::Export(document) => document.text.clone(),
        Details::Sync(synced) => findings(&outcome.findings) + &sync::synced(synced),
        Details::Audit(audited) => audit::render(audited, outcome),
        Details::Run(ran) => run::render(ran, outcome),
        Details::Verify(commits) => judged::commits(commits, outcome),
        Details::Preflight(found) => claims::preflighted(found, outcome),
        Details::Questions(questions) => {
            claims::questions(questions) + &findings(&outcome.findings)
        }
        Details::Answer(given) => findings(&outcome.findings) + &claims::answered(given),
        Details::Lint(plans) => claims::linted(plans) + &findings(&outcome.findings),
        Details::Explain(types) => claims::explained(types),
        Details::Status(status) => judged::status(status, &outcome.findings),
        Details::Log(log) => ledger::log(log) + &findings(&outcome.findings),
        Details::Show(shown) => ledger::shown(shown),
        Details::Review(reviewed) => review::reviewed(reviewed),
        Details::Decided(decided) => findings(&outcome.findings) + &review::decided(decided),
        Details::Revoke(revocation) => findings(&outcome.findings) + &checked::revoked(revocation),
        Details::Fsck(ledger) => checked::checked(ledger, outcome),
        Details::Fingerprint(state) => state::render(state),
        Details::Hook(hooked) => hook::render(hooked, outcome),
        Details::Host(hosted) => findings(&outcome.findings) + &host::render(hosted),
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
        "PASS" | "OK" | "passed" | "approved" => 32,
        "FAIL" | "REFUSED" | "failed" | "rejected" => 31,
        _ => 33,
    };
    painted(word, code)
}

/// Writes findings, the loudest last, so that what matters stands by the verdict.
fn findings(findings: &[Finding]) -> String {
    let others = findings.iter().filter(|finding| !is_first(finding));
    let mut sorted: Vec<&Finding> = others.collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.row.severity));
    sorted.into_iter().map(finding).collect()
}

/// Says whether a finding stands before everything else: that a contract was sealed anew must not
/// be read over (DESIGN section 4).
fn is_first(finding: &Finding) -> bool {
    let first = [
        &lineage_rows::GENERATION_REFUSED,
        &lineage_rows::GENERATION_UNAPPROVED,
        &lineage_rows::GENERATION,
    ];
    first.contains(&finding.row)
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
    for each in &init.by_hand {
        let _ = writeln!(text, "add     to {}:", shown(&each.file));
        for line in &each.lines {
            let _ = writeln!(text, "            {line}");
        }
    }
    let _ = writeln!(text, "undo    {}", shown(&init.undo));
    let _ = writeln!(text, "next    {}", shown(&init.next));
    text
}

/// Writes what `doctor` found of the gates.
fn examined_text(examined: &Examined) -> String {
    let shown = crate::model::text::shown;
    let gates = examined.gates.iter().map(|gate| {
        let heard = gate.heard.as_str();
        format!("gate    {}: {heard}\n", shown(&gate.top))
    });
    let mut text: String = gates.collect();
    if let Some(trust) = &examined.trust {
        let _ = writeln!(text, "trust   evidence counts from {trust}");
    }
    text
}

/// Writes what `deinit` took out, and what is left.
fn deinitialised(done: &Deinitialised) -> String {
    let shown = crate::model::text::shown;
    let mut text = String::new();
    if done.removed.is_empty() {
        text.push_str("removed nothing: there was nothing\n");
    }
    for line in &done.removed {
        let _ = writeln!(text, "removed {}", shown(line));
    }
    for line in &done.left {
        let _ = writeln!(text, "left    {}", shown(line));
    }
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
                "plan {}: valid, {}, {}, contract {}",
                plan.name,
                counted(plan.steps, "step"),
                counted(plan.checks, "check"),
                digest.short()
            ),
            None => format!(
                "plan {} ({}): {}",
                plan.name,
                plan.path,
                counted(errors, "error")
            ),
        };
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Writes what `demo` leaves, how to look at it and how to remove it; the story itself was told as it
/// happened.
fn demonstrated(demo: &Demonstrated) -> String {
    let (repository, home) = (quoted(&demo.directory), quoted(&demo.home));
    format!(
        "\n{} commands were run; the repository is at {}, its key and settings at {}\n\
         look    env -u XDG_CONFIG_HOME -u XDG_STATE_HOME HOME={home} git -C {repository} \
         plan-audit log\n\
         remove  rm -rf {repository} {home}\n",
        demo.steps.len(),
        demo.directory,
        demo.home
    )
}
