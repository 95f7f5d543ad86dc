//! The hooks that we have, and what one call of them gave.

use super::finding::{Finding, Severity};
use super::ids::Oid;
use super::outcome::Outcome;
use super::text::quoted;
use super::verdict::Verdict;

/// A hook of git.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Hook {
    /// Before a commit is made.
    Commit,
    /// Before a merge that had no conflict becomes a commit.
    Merge,
    /// Before something is pushed.
    Push,
}

/// What called us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    /// A hook of a clone, which `init` installs.
    Clone(Hook),
    /// On a server, before anything of a push is taken.
    Receive,
    /// On a server, before one reference of a push is taken.
    Update,
}

impl Caller {
    /// Returns git's name for the hook.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Clone(hook) => hook.as_str(),
            Self::Receive => "pre-receive",
            Self::Update => "update",
        }
    }

    /// Returns what it may refuse.
    pub(crate) const fn gated(self) -> &'static str {
        match self {
            Self::Clone(Hook::Commit | Hook::Merge) => "commit",
            Self::Clone(Hook::Push) | Self::Receive => "push",
            Self::Update => "update",
        }
    }
}

impl Hook {
    /// Every hook.
    pub(crate) const ALL: [Self; 3] = [Self::Commit, Self::Merge, Self::Push];

    /// Returns git's name for it, which is also that of its file.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "pre-commit",
            Self::Merge => "pre-merge-commit",
            Self::Push => "pre-push",
        }
    }
}

/// What one call of a hook gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hooked {
    /// What called.
    pub(crate) caller: Caller,
    /// The audit that it ran, if it ran one.
    pub(crate) audit: Option<Box<Outcome>>,
    /// What was judged of a push.
    pub(crate) references: Vec<JudgedReference>,
    /// What to type next, where it refuses.
    pub(crate) next: Option<String>,
}

impl Hooked {
    /// Tells of a hook that refuses before it has judged anything.
    pub(crate) fn refusing(caller: Caller, findings: &[Finding]) -> Self {
        Self {
            caller,
            audit: None,
            references: Vec::new(),
            next: Some(next(findings, Ran::Nothing)),
        }
    }
}

/// Whether a hook ran an audit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ran {
    /// It ran none.
    Nothing,
    /// It ran one.
    Audit,
}

/// Returns what to type after a refusal: what ends the first thing that is not well; where nothing
/// says so, what tells more of it.
pub(crate) fn next(findings: &[Finding], ran: Ran) -> String {
    let is_error = |finding: &&Finding| finding.row.severity == Severity::Error;
    let errors: Vec<&Finding> = findings.iter().filter(is_error).collect();
    if let Some(hint) = errors.iter().find_map(|finding| finding.hint.clone()) {
        return hint;
    }
    let of_plan = errors.iter().find_map(|finding| finding.plan.as_ref());
    match (of_plan, ran) {
        (_, Ran::Audit) => "mend what failed above, then git plan-audit audit".to_owned(),
        (Some(plan), Ran::Nothing) => {
            let path = quoted(&plan.path());
            format!("git plan-audit validate --plan {plan}; mend {path} and git add it")
        }
        (None, Ran::Nothing) => "git plan-audit status".to_owned(),
    }
}

/// What was judged of one reference that is pushed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JudgedReference {
    /// Its full name at the remote.
    pub(crate) name: String,
    /// What the remote has there.
    pub(crate) old: Option<Oid>,
    /// The commit that is pushed; none for a deletion, and where none is to be found.
    pub(crate) commit: Option<Oid>,
    /// What became of it.
    pub(crate) end: ReferenceEnd,
}

/// What became of one reference that is pushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReferenceEnd {
    /// It was judged.
    Judged(Verdict),
    /// It is deleted, which is not gated.
    Deleted,
    /// It holds evidence, which is not gated.
    Evidence,
    /// It is not protected.
    Unprotected,
    /// A server does not take it, whatever is proven.
    Refused,
}

impl ReferenceEnd {
    /// Returns the word for people and machines.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Judged(verdict) => verdict.as_str(),
            Self::Deleted => "deleted",
            Self::Evidence => "evidence",
            Self::Unprotected => "not protected",
            Self::Refused => "refused",
        }
    }
}

/// What our hook heard of a push that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// Every reference, and it refused the push.
    All,
    /// Every reference, and a setting lets it pass whatever is pushed.
    Off,
    /// Every reference or some; it refused, and the push went on.
    Unheeded,
    /// Some of them.
    Some,
    /// That something is pushed, and not what.
    Nothing,
    /// It was not asked.
    Silence,
    /// No push could be tried.
    Untried,
}

impl Heard {
    /// Returns the word for people and machines.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::All => "fires for every reference",
            Self::Off => "is switched off",
            Self::Unheeded => "fires and is passed over",
            Self::Some => "fires for some references",
            Self::Nothing => "fires blindly",
            Self::Silence => "does not fire",
            Self::Untried => "was not tried",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::{hook as rows, judging, plan as plan_rows};
    use crate::model::ids::PlanName;

    #[test]
    fn there_is_always_something_to_type_next() {
        let broken = Finding::new(&plan_rows::JSON_SYNTAX, "x").of_plan(&PlanName::default_plan());
        let hinted = Finding::new(&rows::UNREADABLE, "x").hint("git x");
        let warning = Finding::new(&rows::UNREAD, "x").hint("git y");
        let other = Finding::new(&judging::BROKEN, "x");
        for (findings, ran, expected) in [
            (vec![], Ran::Nothing, "git plan-audit status"),
            (vec![warning.clone()], Ran::Nothing, "git plan-audit status"),
            (vec![other.clone()], Ran::Nothing, "git plan-audit status"),
            (vec![warning, broken.clone(), hinted], Ran::Nothing, "git x"),
            (
                vec![other, broken],
                Ran::Nothing,
                "git plan-audit validate --plan default; mend .plan-auditor/plan.json and git add it",
            ),
            (
                vec![],
                Ran::Audit,
                "mend what failed above, then git plan-audit audit",
            ),
        ] {
            assert_eq!(next(&findings, ran), expected);
        }
    }
}
