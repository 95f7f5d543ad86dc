//! `text_present`, `text_absent`: texts and patterns in files.

use regex::{Regex, RegexBuilder};

use crate::model::claim::evidence::Reason;
use crate::model::claim::statement::Statement;
use crate::preflight::probe::{Answer, Probe, TextFile, range};

/// How large a compiled pattern may be, as for every pattern of a plan.
pub(super) const COMPILED: usize = 1 << 20;

/// What is searched for.
enum Search<'s> {
    Literal(&'s str),
    Pattern(Regex),
}

/// Decides `text_present`.
pub(in crate::preflight) fn present(probe: &mut Probe<'_>) -> Answer {
    search(probe, true)
}

/// Decides `text_absent`.
pub(in crate::preflight) fn absent(probe: &mut Probe<'_>) -> Answer {
    search(probe, false).contrary()
}

/// Searches the scope; `is_wanted` says whether what is found makes the statement hold.
fn search(probe: &mut Probe<'_>, is_wanted: bool) -> Answer {
    let Some(search) = Search::of(probe.statement()) else {
        return Answer::Unknown(Reason::Limit);
    };
    let mut is_found = false;
    for entry in &probe.scope().entries {
        let Some(file) = probe.text(entry) else {
            continue;
        };
        is_found |= search.point(probe, &file, is_wanted);
        if probe.is_full() {
            break;
        }
    }
    if is_found {
        Answer::Holds
    } else {
        probe.absent()
    }
}

impl<'s> Search<'s> {
    /// Reads what is searched for; none where the pattern is too large, which the plan reader refuses.
    fn of(statement: &'s Statement) -> Option<Self> {
        if let Some(text) = statement.optional("literal") {
            return Some(Self::Literal(text));
        }
        let pattern = RegexBuilder::new(statement.text("regex"))
            .size_limit(COMPILED)
            // A line may end as on Windows.
            .crlf(true)
            .build();
        pattern.ok().map(Self::Pattern)
    }

    /// Notes every place of a file where it is; says whether there is one.
    fn point(&self, probe: &mut Probe<'_>, file: &TextFile, holds: bool) -> bool {
        let whole = file.text();
        // The mark of the byte order is no part of the first line.
        let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        let before = whole.len() - text.len();
        let mut is_found = false;
        let mut note = |start: usize, end: usize| {
            is_found = true;
            let place = range(whole, before + start, before + end);
            probe.point(&file.entry, Some(place), holds);
        };
        match self {
            Self::Literal(literal) => text
                .match_indices(literal)
                .for_each(|(at, found)| note(at, at + found.len())),
            Self::Pattern(pattern) => pattern
                .find_iter(text)
                .for_each(|found| note(found.start(), found.end())),
        }
        is_found
    }
}
