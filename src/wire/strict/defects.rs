//! Collects what is wrong with one file, bounded, in the order of the text.

use super::{Fault, Source, Spot};
use crate::model::finding::{Finding, Row, plan as row};
use crate::model::ids::PlanName;
use crate::model::text;

/// How many findings of one file are listed.
///
/// A file may be wrong in a million places, and whoever reads it is often not who wrote it.
pub(super) const MAX_FINDINGS: usize = 1000;

/// The findings of one file.
#[derive(Debug)]
pub(crate) struct Defects<'a> {
    source: Source<'a>,
    list: Vec<Finding>,
    more: usize,
    step: Option<u64>,
}

impl<'a> Defects<'a> {
    /// Begins without any.
    pub(crate) const fn new(source: Source<'a>) -> Self {
        Self {
            source,
            list: Vec::new(),
            more: 0,
            step: None,
        }
    }

    /// Says which step the findings that follow speak of.
    pub(crate) const fn speak_of_step(&mut self, step: Option<u64>) {
        self.step = step;
    }

    /// Says whether findings are only counted from now on.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS
    }

    /// Says whether there is a finding of a kind.
    pub(crate) fn has(&self, row: &Row) -> bool {
        self.list.iter().any(|finding| finding.row == row)
    }

    /// Says whether there is any finding.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, row: &'static Row, spot: &Spot, message: impl Into<String>) {
        self.add_hinted(row, spot, message, None);
    }

    /// Adds a finding that may name a way out.
    pub(crate) fn add_hinted(
        &mut self,
        row: &'static Row,
        spot: &Spot,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        if self.is_full() {
            self.more += 1;
            return;
        }
        let Spot { span, path } = spot;
        let place = self.source.place(span.start, span.end, path.to_string());
        let finding = Finding {
            hint,
            step: self.step,
            ..Finding::new(row, message)
        };
        self.list.push(finding.at(place));
    }

    /// Adds a finding of a text that has no tree.
    pub(super) fn add_unplaced(&mut self, fault: &Fault) {
        let place = self.source.place(fault.start, fault.end, "$".to_owned());
        let hint = fault.hint.map(str::to_owned);
        let finding = Finding {
            hint,
            ..Finding::new(fault.row, fault.message.clone())
        };
        self.list.push(finding.at(place));
    }

    /// Returns all findings of a plan in the order of its text, each once.
    pub(crate) fn finish(mut self, plan: &PlanName) -> Vec<Finding> {
        self.list
            .sort_by(|a, b| (&a.place, a.row.code).cmp(&(&b.place, b.row.code)));
        self.list
            .dedup_by(|a, b| a.place == b.place && a.row == b.row);
        if self.more > 0 {
            let message = format!("{} more findings are not listed", self.more);
            let place = self.source.place(0, 0, "$".to_owned());
            self.list
                .push(Finding::new(&row::TOO_MANY_FINDINGS, message).at(place));
        }
        self.list
            .into_iter()
            .map(|finding| finding.of_plan(plan))
            .collect()
    }
}

/// Returns a text in backticks, fit to be shown and not too long.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text, 60))
}

/// Returns a text fit to be shown, of at most `max` characters of the original.
pub(super) fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", text::shown(text.get(..end).unwrap_or_default())),
        None => text::shown(text),
    }
}
