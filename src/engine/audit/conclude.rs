//! What an audit comes to, and what a person must know of it.

use super::remedy::remedy;
use super::watch::When;
use super::{Ran, Touch, withheld};
use crate::engine::append::{Appended, uncounted};
use crate::engine::judge::Judge;
use crate::engine::judge::bounds::weighed;
use crate::engine::ports::Lack;
use crate::engine::run_steps::result_of;
use crate::engine::usable::{Unfit, informative, listed, unfit_place, unfit_state};
use crate::model::check::Met;
use crate::model::finding::{
    Effect, Finding, checkout as checkout_rows, judging as rows, lineage as lineage_rows,
    state as state_rows,
};
use crate::model::ids::{Oid, PlanName};
use crate::model::outcome::{
    Audited, AuditedCheck, AuditedPlan, AuditedStep, Details, Outcome, Word,
};
use crate::model::recompute;
use crate::model::record::{AuditPlace, StepResult};
use crate::model::state::{Control, Flag, Noted, State};
use crate::model::verdict::Verdict;

/// Makes the outcome of an audit.
pub(super) fn conclude(
    judge: &Judge<'_>,
    ran: Ran,
    recorded: Result<Appended, Box<Finding>>,
    mut findings: Vec<Finding>,
) -> Outcome {
    let verdicts: Vec<Verdict> = verdicts(&ran).collect();
    let is_idle =
        |finding: &Finding| [&rows::KEY_UNLISTED, &rows::KEY_REVOKED].contains(&finding.row);
    let counts = !findings.iter().any(is_idle);
    let told = recorded.as_ref().ok().filter(|_| counts);
    let uncounted = told.and_then(|appended| uncounted(judge, appended));
    let changes = changes(ran.place, &ran.before, &ran.after);
    let mut unfit = unfit_state(&ran.after, &judge.demands());
    unfit.extend(unfit_place(ran.place, &judge.demands()));
    let is_staged = ran
        .after
        .staged_tree
        .is_none_or(|tree| tree == ran.after.tree);
    let is_usable = told.is_some()
        && uncounted.is_none()
        && changes.is_empty()
        && unfit.is_empty()
        && is_staged;
    for (ready, results) in ran.ready.iter().zip(&ran.results) {
        findings.extend(check_findings(&ran, &ready.plan.name, results));
    }
    findings.extend(withheld::findings(&ran.results.concat()));
    findings.extend(ground_findings(&ran));
    findings.extend(state_findings(&ran, &unfit, is_staged));
    findings.extend((!changes.is_empty()).then(|| changed(&changes)));
    findings.extend(uncounted);
    let is_recorded = recorded.is_ok();
    let (records, trouble) = match recorded {
        Ok(appended) => (appended.records, appended.told),
        Err(finding) => (Vec::new(), vec![*finding]),
    };
    findings.extend(trouble);
    let overall = Verdict::join(verdicts.iter().copied().chain(of_whole(&findings)));
    // What is not recorded is not said (D24): whatever the checks gave, it must be run again.
    let recorded = is_recorded.then_some(overall);
    let overall = recorded.unwrap_or(Verdict::Unknown);
    let mut records = records.into_iter();
    let plans = ran.ready.into_iter().zip(ran.results).zip(verdicts);
    let plans = plans.map(|((ready, results), verdict)| AuditedPlan {
        usable: is_usable
            && !ran.bounds.iter().any(|found| of(found, &ready.plan.name))
            && !is_spent(&findings, &ready.plan.name),
        name: ready.plan.name,
        verdict,
        contract: ready.sealable.digest,
        record: records.next(),
        steps: results,
    });
    let plans = plans.collect();
    let details = Audited {
        place: ran.place,
        plans,
        tree: ran.after.tree,
        state: Some(ran.after),
    };
    Outcome::new(overall.into(), findings, Details::Audit(Box::new(details)))
}

/// Says whether a plan is closed for good, as the findings have it.
fn is_spent(findings: &[Finding], name: &PlanName) -> bool {
    let mut of_plan = findings
        .iter()
        .filter(|each| each.plan.as_ref() == Some(name));
    of_plan.any(|each| *each.row == lineage_rows::SPENT)
}

/// Returns what findings that speak of no plan make of the whole, as `verify` has it.
fn of_whole(findings: &[Finding]) -> impl Iterator<Item = Verdict> {
    let whole = findings.iter().filter(|finding| finding.plan.is_none());
    whole.filter_map(|finding| match finding.row.effect {
        Effect::Fail => Some(Verdict::Fail),
        Effect::Unknown => Some(Verdict::Unknown),
        Effect::None | Effect::DoesNotCount | Effect::Refused => None,
    })
}

/// Makes the outcome of an audit that no plan asks for.
pub(super) fn no_plan(
    place: AuditPlace,
    (tree, state): (Oid, Option<State>),
    mut findings: Vec<Finding>,
) -> Outcome {
    findings.push(Finding::new(&rows::NO_PLAN_FOUND, "no plan binds here"));
    let details = Audited {
        place,
        plans: Vec::new(),
        tree,
        state,
    };
    Outcome::new(Word::NoPlan, findings, Details::Audit(Box::new(details)))
}

/// Returns the verdict of each plan: a change during the audit is a FAIL.
pub(super) fn verdicts(ran: &Ran) -> impl Iterator<Item = Verdict> {
    let is_steady = ran.place.is_steady(&ran.before, &ran.after);
    ran.ready
        .iter()
        .zip(&ran.results)
        .map(move |(ready, results)| {
            let steps: Vec<StepResult> = results.iter().map(result_of).collect();
            let verdict = recompute::audit(&ready.sealable.contract, &steps);
            let own = ran
                .bounds
                .iter()
                .filter(|found| of(found, &ready.plan.name));
            let verdict = weighed(verdict, own);
            if is_steady { verdict } else { Verdict::Fail }
        })
}

/// Says whether what was found keeps an audit of a plan from being a PASS.
fn of(found: &Finding, plan: &PlanName) -> bool {
    let is_against = matches!(found.row.effect, Effect::Fail | Effect::Unknown);
    is_against && found.plan.as_ref() == Some(plan)
}

/// Names what differs between two states.
fn changes(place: AuditPlace, before: &State, after: &State) -> Vec<String> {
    let facts = [
        ("tracked files", before.tree != after.tree),
        (
            "content",
            before.tree == after.tree && before.content != after.content,
        ),
        ("the index", before.index != after.index),
        ("HEAD", before.head != after.head),
        ("the branch", before.branch != after.branch),
        ("untracked files", before.untracked != after.untracked),
    ];
    let mut found: Vec<String> = facts
        .into_iter()
        .filter(|(_, differs)| *differs)
        .map(|(name, _)| name.to_owned())
        .collect();
    let flags = place.changed_flags(before, after);
    found.extend(flags.map(|flag| format!("flag {}", flag.as_str())));
    found.extend(control_changes(&before.control, &after.control));
    let files = before.changed_files(after);
    found.extend((files.count > 0).then(|| listed(&files)));
    found
}

/// Names what steers git and differs.
fn control_changes(before: &Control, after: &Control) -> impl Iterator<Item = String> {
    [
        ("git configuration", before.config != after.config),
        ("hooks", before.hooks != after.hooks),
        ("info/", before.info != after.info),
        ("refs/replace", before.replace != after.replace),
    ]
    .into_iter()
    .filter(|(_, differs)| *differs)
    .map(|(name, _)| name.to_owned())
}

/// Says that something changed while the checks ran.
fn changed(changes: &[String]) -> Finding {
    let message = format!("changed while the checks ran: {}", changes.join(", "));
    Finding::new(&rows::CHANGED, message)
        .hint("let checks write only ignored files, stop what else writes here, then audit again")
}

/// Says what is odd about the states, and whether the record can prove a commit.
fn state_findings(ran: &Ran, unfit: &[Unfit], is_staged: bool) -> Vec<Finding> {
    let (place, state) = (ran.place, &ran.after);
    let findings = unfit.iter().map(|unfit| unfit_finding(place, unfit));
    let mut findings: Vec<Finding> = findings.collect();
    if !is_staged {
        let message =
            "what is staged differs from what is on disk: this audit proves what is on disk";
        let finding = Finding::new(&state_rows::UNSTAGED, message);
        // Where git is told not to see modes, `git add` stages none.
        findings.push(if state.flags.contains_key(&Flag::Modes) {
            finding
        } else {
            finding.hint("git add -u")
        });
    }
    let states = [&ran.after, &ran.before];
    // In a checkout only its own checks can have made them.
    if place == AuditPlace::Worktree {
        let hiding = states.into_iter().find(|state| state.hidden.count > 0);
        findings.extend(hiding.map(hidden));
    }
    let notes = informative(states).into_iter();
    let notes = notes.filter(|(flag, _)| *flag != Flag::Touched);
    findings.extend(notes.map(|(flag, noted)| {
        let message = format!("{}: {}", flag.as_str(), listed(noted));
        Finding::new(&state_rows::FLAG_INFO, message)
    }));
    findings
}

/// Says what is hidden, and by which rules.
fn hidden(state: &State) -> Finding {
    let rules = &state.aside.hidden_by;
    let by = (rules.count > 0).then(|| format!(" (by {})", listed(rules)));
    let message = format!(
        "hidden by rules that are not tracked: {}{}",
        listed(&state.hidden),
        by.unwrap_or_default()
    );
    Finding::new(&state_rows::HIDDEN, message)
        .hint("they take no part in the state; a tracked .gitignore would say so to all")
}

/// Says why a record of this state proves no commit.
pub(in crate::engine) fn unfit_finding(place: AuditPlace, unfit: &Unfit) -> Finding {
    match unfit {
        Unfit::Untracked(noted) => {
            let message = format!("{} untracked: {}", noted.count, listed(noted));
            Finding::new(&state_rows::UNTRACKED, message).hint(match place {
                AuditPlace::Worktree => {
                    "git add them, list them in a tracked .gitignore, or remove them"
                }
                AuditPlace::Checkout => {
                    "the checks made them in the checkout: list them in a tracked .gitignore"
                }
            })
        }
        Unfit::Flagged(flag, noted) => {
            let mut finding = Finding::new(&state_rows::FLAG, unfit.to_string());
            finding.hint = remedy(*flag, noted);
            finding
        }
        Unfit::OtherPlace => Finding::new(&checkout_rows::OTHER_PLACE, unfit.to_string())
            .hint("git plan-audit audit --checkout"),
        Unfit::Changed | Unfit::OtherTree | Unfit::OtherPlatform => {
            Finding::new(&state_rows::FLAG, unfit.to_string())
        }
    }
}

/// Says what was left behind, what is odd about the programs that ran, what the place lacks, and what
/// was touched.
fn ground_findings(ran: &Ran) -> impl Iterator<Item = Finding> {
    let orphans = ran.orphans.iter().map(orphans);
    let lacks = ran.lacks.iter().map(lack);
    let touched = ran.touches.iter().map(|touch| touched(ran.place, touch));
    let programs = ran.programs.iter().cloned();
    orphans.chain(programs).chain(lacks).chain(touched)
}

/// Says what a checkout lacks.
fn lack(lack: &Lack) -> Finding {
    Finding::new(&checkout_rows::LACKS, lack.why.clone()).hint(lack.remedy.clone())
}

/// Says which files were touched, and while which step ran.
fn touched(place: AuditPlace, touch: &Touch) -> Finding {
    let paths = listed(&Noted::of(&touch.paths));
    let row = match place {
        AuditPlace::Worktree => &state_rows::TOUCHED,
        AuditPlace::Checkout => &checkout_rows::TOUCHED,
    };
    let when = match &touch.when {
        When::During(plan, steps) => match steps.as_slice() {
            [step] => format!("while step {step} of plan {plan} ran"),
            several => format!(
                "while steps {} of plan {plan} ran side by side",
                numbers(several)
            ),
        },
        When::Afterwards => "after the last step".to_owned(),
        When::Meanwhile => "while the checks ran, in a step that is not known since there are too \
                            many files to look at them after each"
            .to_owned(),
    };
    let message = format!("files were rewritten or replaced {when}: {paths}");
    let finding = Finding::new(row, message)
        .hint("let checks leave tracked files alone: copy them, or write only ignored files");
    match &touch.when {
        When::During(plan, steps) => match steps.as_slice() {
            [step] => finding.of_plan(plan).of_step(*step),
            // Which of them it was, nobody can say.
            _ => finding.of_plan(plan),
        },
        When::Afterwards | When::Meanwhile => finding,
    }
}

/// Lists the numbers of steps.
fn numbers(steps: &[u64]) -> String {
    let numbers: Vec<String> = steps.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

/// Says that steps which ran side by side left processes behind, of which none is told whose.
fn orphans(plan: &PlanName) -> Finding {
    let message = "steps that ran side by side left a process behind that hid where it came from; it was ended";
    Finding::new(&rows::CHECK_LEAKED, message)
        .hint("git plan-audit audit --jobs 1 tells which check it was")
        .of_plan(plan)
}

/// Says which checks did not give their expected result.
fn check_findings(ran: &Ran, plan: &PlanName, steps: &[AuditedStep]) -> Vec<Finding> {
    let absent = absent(ran);
    let of_step = |step: &AuditedStep| {
        let found = step
            .all_checks()
            .filter_map(|check| check_finding(check, absent.as_deref()));
        found
            .map(|finding| finding.of_plan(plan).of_step(step.id))
            .collect::<Vec<_>>()
    };
    steps.iter().flat_map(of_step).collect()
}

/// Says what a failing check may have missed in this place; nothing for a work tree.
fn absent(ran: &Ran) -> Option<String> {
    match ran.place {
        AuditPlace::Worktree => None,
        AuditPlace::Checkout => {
            let mut text = "a checkout has no ignored files and no .git".to_owned();
            let paths = listed(&Noted::of(ran.lacks.iter().map(|lack| &lack.path)));
            if !paths.is_empty() {
                text.push_str(", and this one lacks ");
                text.push_str(&paths);
            }
            Some(text)
        }
    }
}

/// Says what a check gave instead.
pub(in crate::engine) fn check_finding(
    check: &AuditedCheck,
    absent: Option<&str>,
) -> Option<Finding> {
    let end = crate::model::check::describe(&check.result);
    let message = format!("{}: {end}", check.label);
    let hinted = |finding: Finding| match absent {
        Some(absent) => finding.hint(absent),
        None => finding,
    };
    match check.met {
        Met::Failed => Some(hinted(Finding::new(&rows::CHECK_FAILED, message))),
        Met::Unknown => Some(hinted(Finding::new(&rows::CHECK_NOT_RUN, message))),
        Met::Passed if check.result.leaked => {
            let message = format!("{}: left a process behind, which was ended", check.label);
            Some(Finding::new(&rows::CHECK_LEAKED, message))
        }
        Met::Passed => None,
    }
}
