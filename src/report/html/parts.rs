//! Parts that stand everywhere in the page: words with a mark, foreign text, people, findings.

use maud::{Markup, html};

use crate::model::change::{Change, Class};
use crate::model::check::Met;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Evidence;
use crate::model::text::shown;

/// A word that says how something stands: its sign, its text, its colour. The sign is for the eye
/// alone; no colour says what the text does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word<'a> {
    sign: &'static str,
    text: &'a str,
    class: &'static str,
}

/// Returns the word of a verdict.
pub(super) fn of_verdict(text: &str) -> Word<'_> {
    let (sign, class) = match text {
        "PASS" => ("✓", "good"),
        "FAIL" => ("✗", "bad"),
        "UNKNOWN" => ("?", "doubt"),
        _ => ("–", "none"),
    };
    Word { sign, text, class }
}

/// Returns the word for whether something is met; none where nobody looked.
pub(super) const fn of_met(met: Option<Met>) -> Word<'static> {
    let Some(met) = met else {
        return Word {
            sign: "–",
            text: "not audited",
            class: "none",
        };
    };
    let (sign, class) = match met {
        Met::Passed => ("✓", "good"),
        Met::Failed => ("✗", "bad"),
        Met::Unknown => ("?", "doubt"),
    };
    Word {
        sign,
        text: met.word(),
        class,
    }
}

/// Returns the word for a decision that counts, or does not.
pub(super) const fn of_decision(is_approval: bool, counts: bool) -> Word<'static> {
    match (is_approval, counts) {
        (true, true) => Word {
            sign: "✓",
            text: "approved",
            class: "good",
        },
        (false, true) => Word {
            sign: "✗",
            text: "rejected",
            class: "bad",
        },
        (true, false) => Word {
            sign: "–",
            text: "approved, does not count",
            class: "none",
        },
        (false, false) => Word {
            sign: "–",
            text: "rejected, does not count",
            class: "none",
        },
    }
}

/// Returns the word for the class of a difference.
const fn of_class(class: Class) -> Word<'static> {
    let (sign, style) = match class {
        Class::Neutral => ("–", "none"),
        Class::Strengthening => ("✓", "good"),
        Class::Weakening | Class::ScopeChange => ("!", "bad"),
    };
    Word {
        sign,
        text: class.as_str(),
        class: style,
    }
}

/// Writes a word with its sign.
pub(super) fn mark(word: Word<'_>) -> Markup {
    html! {
        span class=(format!("word {}", word.class)) {
            span aria-hidden="true" { (word.sign) " " } (word.text)
        }
    }
}

/// Writes text of the repository or of a record in one line; whatever its direction, it keeps to itself.
pub(super) fn foreign(text: &str) -> Markup {
    html! { bdi { (shown(text)) } }
}

/// Writes text of the repository or of a record with the lines that it has.
pub(super) fn prose(text: &str) -> Markup {
    let lines: Vec<&str> = text.trim().lines().collect();
    html! {
        @for (place, line) in lines.iter().enumerate() {
            @if place > 0 { br; }
            (foreign(line))
        }
    }
}

/// Writes text of the repository or of a record as code.
pub(super) fn code(text: &str) -> Markup {
    html! { code { (foreign(text)) } }
}

/// Writes who recorded something: the name that the list of signers gives, and the key.
pub(super) fn who(evidence: &Evidence) -> Markup {
    html! {
        @if let Some(name) = &evidence.principals { (foreign(name)) br; }
        code { (evidence.writer) }
    }
}

/// Writes when something was recorded.
pub(super) fn time(evidence: &Evidence) -> Markup {
    html! { time datetime=(evidence.time) { (evidence.time) } }
}

/// Writes one finding as an item of a list.
pub(super) fn finding(finding: &Finding) -> Markup {
    let severity = finding.row.severity;
    let class = match severity {
        Severity::Error => "bad",
        Severity::Warning => "doubt",
        Severity::Info => "none",
    };
    let sign = match severity {
        Severity::Error => "✗",
        Severity::Warning => "!",
        Severity::Info => "i",
    };
    let word = Word {
        sign,
        text: severity.as_str(),
        class,
    };
    html! {
        li class=(severity.as_str()) {
            (mark(word)) " " code { (finding.row.code) } " "
            @if let Some(step) = finding.step { "step " (step) ": " }
            (foreign(&finding.message))
            @if let Some(hint) = &finding.hint { p.hint { "Hint: " (foreign(hint)) } }
        }
    }
}

/// Writes differences as a table.
pub(super) fn changes(changes: &[Change], caption: &str) -> Markup {
    let side = |text: &Option<String>| text.as_deref().map(code);
    let rows = html! {
        thead { tr { th scope="col" { "What it means" } th scope="col" { "Where" } th scope="col" { "Before and after" } } }
        tbody {
            @for each in changes {
                tr {
                    td.word-cell { (mark(of_class(each.class))) }
                    th scope="row" { (foreign(&each.member)) }
                    td {
                        @if let Some(before) = side(&each.before) { del aria-label="before" { (before) } }
                        @if each.before.is_some() && each.after.is_some() { br; }
                        @if let Some(after) = side(&each.after) { ins aria-label="after" { (after) } }
                    }
                }
            }
        }
    };
    table(caption, &rows)
}

/// Wraps rows into a table with a caption, which can be moved sideways with the keyboard.
pub(super) fn table(caption: &str, rows: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(shown(caption)) tabindex="0" {
            table { caption { (foreign(caption)) } (rows) }
        }
    }
}
