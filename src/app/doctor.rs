//! `doctor`: whether git asks our hooks, from every work tree, and what is set so that evidence is lost.

mod canary;
mod files;
mod server;
mod settings;

use std::path::Path;
use std::rc::Rc;

use super::initialise::Initialise;
use super::session::command_lines;
use crate::engine::stop::Stop;
use crate::git::open::{Given, Repository};
use crate::model::finding::{Finding, doctor as rows};
use crate::model::gate::PushGate;
use crate::model::hook::Heard;
use crate::model::outcome::{Examined, ExaminedGate};
use crate::model::text::quoted;
pub(super) use canary::ELSEWHERE;
use canary::{Canary, Flown};

/// Examines the repository.
pub(super) fn examine(init: &Initialise<'_>) -> Result<(Examined, Vec<Finding>), Stop> {
    let repository = &init.session.repository;
    if repository.is_served() {
        return server::examine(repository);
    }
    let mut tops = repository.work_trees();
    if tops.is_empty() {
        tops.push(repository.git_dir().to_owned());
    }
    let canary = Canary::make(init)?;
    let mut gates = Vec::new();
    let mut findings = Vec::new();
    for top in tops {
        let heard = one(init, &canary, &top, &mut findings)?;
        let top = top.display().to_string();
        gates.push(ExaminedGate { top, heard });
    }
    findings.extend(settings::examine(init.session));
    let examined = Examined { gates, trust: None };
    Ok((examined, findings))
}

/// Examines one work tree; says what our hook heard of a push from there.
fn one(
    init: &Initialise<'_>,
    canary: &Canary<'_>,
    top: &Path,
    findings: &mut Vec<Finding>,
) -> Result<Heard, Stop> {
    let Some(repository) = opened(init, top)? else {
        let message = format!("{} is gone or cannot be opened", top.display());
        let finding = Finding::new(&rows::UNTRIED, message);
        findings.push(finding.hint("git worktree prune"));
        return Ok(Heard::Untried);
    };
    let mut flown = if matches!(repository.resolve("HEAD"), Ok(Some(_))) {
        canary.push(top)?
    } else {
        Flown::untried()
    };
    // Whether somebody else's hook calls ours, the push has told better than any look at a file.
    let was_asked = matches!(
        flown.heard,
        Heard::All | Heard::Unheeded | Heard::Some | Heard::Nothing
    );
    for seen in files::examine(init, &repository)? {
        if !(was_asked && seen.is_told_by_push) {
            findings.push(seen.finding);
        }
    }
    if flown.heard == Heard::All && init.session.configured.gates.push == PushGate::Off {
        flown.heard = Heard::Off;
    }
    findings.extend(of_gate(top, &flown));
    Ok(flown.heard)
}

/// Opens the repository as it is seen from a work tree; none where that is gone.
fn opened(init: &Initialise<'_>, top: &Path) -> Result<Option<Rc<Repository>>, Stop> {
    let own = &init.session.repository;
    if own.work_dir().unwrap_or(own.git_dir()) == top {
        return Ok(Some(Rc::clone(own)));
    }
    let given = Given {
        command: command_lines(init.surroundings)?,
        ..Given::default()
    };
    Ok(Repository::open_with(top, &given).ok().map(Rc::new))
}

/// Says what the push from a work tree has shown.
fn of_gate(top: &Path, flown: &Flown) -> Option<Finding> {
    let name = top.display();
    let (row, what, hint) = match flown.heard {
        Heard::All => return None,
        Heard::Off => (
            &rows::OFF,
            "asks our hook, which lets all pass: planAudit.prePush is off",
            "git config --show-origin --get-all planAudit.prePush, then --unset it there",
        ),
        Heard::Unheeded => (
            &rows::OPEN,
            "was refused by our hook and went on",
            "let what calls our hook hand on its exit code (no || true, no pipe behind it, and || exit \
             where more follows), or let git call the hook itself: git plan-audit init",
        ),
        Heard::Some => (
            &rows::PARTIAL,
            "told our hook of one reference of two",
            "let git call the hook itself: git plan-audit init",
        ),
        Heard::Nothing => (
            &rows::BLIND,
            "asked our hook and told it of no reference",
            "let what calls it hand on standard input (lefthook: use_stdin: true), or let git call \
             it itself: git plan-audit init",
        ),
        Heard::Silence => {
            let message = format!("a push from {name} did not ask our hook{}", flown.said);
            let hint = format!("cd {} && git plan-audit init", quoted(&name.to_string()));
            return Some(Finding::new(&rows::SILENT, message).hint(hint));
        }
        Heard::Untried => {
            let message = format!("no push was tried from {name}: HEAD names no commit");
            let hint = "commit something, then git plan-audit doctor";
            return Some(Finding::new(&rows::UNTRIED, message).hint(hint));
        }
    };
    Some(Finding::new(row, format!("a push from {name} {what}")).hint(hint))
}
