//! Findings: what a reader should know, each with a stable code, an effect and a way out.
//!
//! The rows of the table live beside the area they speak of, one file each; `docs/reference/findings.md`
//! lists them all, which a test demands.

pub(crate) mod auditing;
pub(crate) mod bounds;
pub(crate) mod checkout;
pub(crate) mod claims;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod hook;
pub(crate) mod host;
pub(crate) mod judging;
pub(crate) mod ledger;
pub(crate) mod lineage;
pub(crate) mod plan;
pub(crate) mod receive;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod state;
pub(crate) mod sync;

use super::ids::PlanName;

/// How loud a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Severity {
    /// Something does not hold.
    Error,
    /// Something may not be what it seems.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// Returns the word of the machine output.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// What a finding does to a verdict (DESIGN 7.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// The evidence it speaks of does not count.
    DoesNotCount,
    /// The verdict is UNKNOWN.
    Unknown,
    /// The verdict is FAIL.
    Fail,
    /// The command does nothing.
    Refused,
}

impl Effect {
    /// Says whether it does anything.
    pub(crate) const fn is_felt(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Returns the words of the machine output.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::DoesNotCount => "does not count",
            Self::Unknown => "UNKNOWN",
            Self::Fail => "FAIL",
            Self::Refused => "REFUSED",
        }
    }
}

/// One kind of finding: a row of the table.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// Its stable name.
    pub(crate) code: &'static str,
    /// How loud it is.
    pub(crate) severity: Severity,
    /// What it does to a verdict.
    pub(crate) effect: Effect,
    /// What it means, for the reference.
    pub(crate) meaning: &'static str,
}

/// Where in a file a finding lies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// The file from the top of the tree.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in characters, from 1.
    pub(crate) column: usize,
    /// First byte of the marked text in the file.
    pub(crate) start: usize,
    /// First byte after the marked text.
    pub(crate) end: usize,
    /// Path of the value as JSON path, such as `$.steps[0].id`; `$` is the root.
    pub(crate) json_path: String,
}

/// One thing that a reader should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    /// Its kind.
    pub(crate) row: &'static Row,
    /// The plan it speaks of.
    pub(crate) plan: Option<PlanName>,
    /// The step it speaks of.
    pub(crate) step: Option<u64>,
    /// Where it lies.
    pub(crate) place: Option<Place>,
    /// What is the matter, for a person; safe to print.
    pub(crate) message: String,
    /// A command that ends it, or a sentence.
    pub(crate) hint: Option<String>,
}

impl Finding {
    /// Makes a finding of a kind.
    pub(crate) fn new(row: &'static Row, message: impl Into<String>) -> Self {
        Self {
            row,
            plan: None,
            step: None,
            place: None,
            message: message.into(),
            hint: None,
        }
    }

    /// Names the command that ends it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the plan it speaks of.
    pub(crate) fn of_plan(mut self, plan: &PlanName) -> Self {
        self.plan = Some(plan.clone());
        self
    }

    /// Names the step it speaks of.
    pub(crate) fn of_step(mut self, step: u64) -> Self {
        self.step = Some(step);
        self
    }

    /// Says where it lies.
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Row, auditing, bounds, checkout, claims, doctor, export, hook, host, judging, ledger,
        lineage, plan, receive, review, run, state, sync,
    };

    /// Every row of the table.
    fn all() -> impl Iterator<Item = &'static Row> {
        let areas = [
            plan::ALL,
            state::ALL,
            checkout::ALL,
            claims::ALL,
            auditing::ALL,
            bounds::ALL,
            ledger::ALL,
            lineage::ALL,
            export::ALL,
            judging::ALL,
            run::ALL,
            hook::ALL,
            host::ALL,
            receive::ALL,
            review::ALL,
            sync::ALL,
            doctor::ALL,
        ];
        areas.into_iter().flatten().copied()
    }

    #[test]
    fn every_code_is_used_once() {
        let mut codes: Vec<&str> = all().map(|row| row.code).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();

        assert_eq!(codes.len(), count);
    }

    #[test]
    fn the_reference_lists_every_row_as_it_is() {
        let reference = include_str!("../../docs/reference/findings.md");
        for row in all() {
            let line = format!(
                "| `{}` | {} | {} | {} |",
                row.code,
                row.severity.as_str(),
                row.effect.as_str(),
                row.meaning
            );
            assert!(
                reference.contains(&line),
                "docs/reference/findings.md lacks: {line}"
            );
        }
    }
}
