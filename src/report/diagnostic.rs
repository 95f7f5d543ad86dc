//! Shows a finding as a compiler does: what, where, the line of the source with a mark, a way out.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::model::finding::{Finding, Place, Severity};
use crate::model::text;

/// How many characters of a line are shown before the mark, inside it, and after it.
const BEFORE: usize = 60;
const INSIDE: usize = 60;
const AFTER: usize = 30;

/// Renders a finding for a person; `source` is the text of the file that the finding is in.
///
/// Whatever the file holds, the output is short and moves no cursor. A source that is not the
/// file's text gives a poor mark, never a failure.
pub(crate) fn render(finding: &Finding, source: &str, colour: bool) -> String {
    let message = text::shown(&finding.message);
    let title = level(finding.row.severity)
        .primary_title(message)
        .id(finding.row.code);
    let mut group = Group::with_title(title);
    if let Some(place) = &finding.place {
        group = locate(group, place, source);
    }
    if let Some(hint) = &finding.hint {
        group = group.element(Level::HELP.message(text::shown(hint)));
    }
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    without_second_header(&text)
}

/// Takes away the line in which the library introduces a snippet as one of a second file.
///
/// The place is given apart from the snippet, for in a cut and escaped line the library would
/// count another column; what follows is always title, place, bar, second header, snippet.
fn without_second_header(text: &str) -> String {
    let lines = text.lines().enumerate();
    let kept = lines.filter(|(number, line)| *number != 3 || !line.contains(":::"));
    kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}

/// Adds file, line and column, the marked line, and the JSON path.
fn locate<'a>(group: Group<'a>, place: &Place, source: &str) -> Group<'a> {
    let path = text::shown(&place.path);
    let origin = Origin::path(path)
        .line(place.line)
        .char_column(place.column);
    let Excerpt { line, mark } = Excerpt::of(source, place);
    let snippet = Snippet::source(line).line_start(place.line).fold(false);
    let snippet = snippet.annotation(AnnotationKind::Primary.span(mark));
    let json_path = format!("at {}", text::shown(&place.json_path));
    group
        .element(origin)
        .element(snippet)
        .element(Level::NOTE.message(json_path))
}

/// One line of a source, fit to be shown, and what is marked in it.
#[derive(PartialEq, Eq, Debug)]
struct Excerpt {
    line: String,
    mark: Range<usize>,
}

impl Excerpt {
    /// Cuts the line around the mark; a mark that goes on in the next line ends with its line.
    fn of(source: &str, place: &Place) -> Self {
        let (before, rest) = source.split_at_checked(place.start).unwrap_or((source, ""));
        let length = place.end.saturating_sub(place.start);
        let marked = rest.get(..length).unwrap_or(rest);
        let (inside, ends) = first_line(marked);
        let after = if ends {
            ""
        } else {
            rest.get(inside.len()..).unwrap_or_default()
        };

        let mut line = tail(before.rsplit('\n').next().unwrap_or_default(), BEFORE);
        let start = line.len();
        line.push_str(&head(inside, INSIDE));
        let mark = start..line.len();
        line.push_str(&head(first_line(after).0, AFTER));
        Self { line, mark }
    }
}

/// Returns a text up to its first line feed, and whether there is one.
fn first_line(text: &str) -> (&str, bool) {
    text.split_once('\n')
        .map_or((text, false), |(first, _)| (first, true))
}

/// Shows the last characters of a text.
fn tail(text: &str, max: usize) -> String {
    match text.char_indices().rev().nth(max) {
        Some((at, first)) => {
            let rest = text.get(at + first.len_utf8()..).unwrap_or_default();
            format!("…{}", shown(rest))
        }
        None => shown(text),
    }
}

/// Shows the first characters of a text.
fn head(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", shown(text.get(..end).unwrap_or_default())),
        None => shown(text.strip_suffix('\r').unwrap_or(text)),
    }
}

/// Escapes what moves a cursor; a tab is shown as one blank.
fn shown(text: &str) -> String {
    text::shown(&text.replace('\t', " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::plan as row;
    use crate::model::ids::PlanName;
    use crate::wire::plan;

    /// Renders the finding of a kind that a source has.
    fn rendered(source: &str, code: &str) -> String {
        let name = PlanName::default_plan();
        let findings = plan::read(&name, ".plan-auditor/plan.json", source.as_bytes()).findings;
        let finding = findings
            .iter()
            .find(|finding| finding.row.code == code)
            .unwrap();
        render(finding, source, false)
    }

    fn at(start: usize, end: usize) -> Finding {
        let place = Place {
            path: "f".to_owned(),
            line: 1,
            column: 1,
            start,
            end,
            json_path: "$".to_owned(),
        };
        Finding::new(&row::WRONG_TYPE, "x").at(place)
    }

    #[test]
    fn a_finding_shows_what_where_and_the_way_out() {
        let source = "{\n  \"task\": \"ü\",\n\t\"created\": \"soon\"\n}\n";
        insta::assert_snapshot!(rendered(source, "created-invalid"), @r#"
        error[created-invalid]: `soon` is no date or time of ISO 8601
         --> .plan-auditor/plan.json:3:13
          |
        3 |  "created": "soon"
          |             ^^^^^^
          |
          = note: at $.created
          = help: write it like 2026-11-29T16:40:00Z
        "#);
    }

    #[test]
    fn a_key_is_marked_with_a_suggestion() {
        let source = "{\n  \"taks\": \"日本\"\n}";

        insta::assert_snapshot!(rendered(source, "unknown-key"), @r#"
        error[unknown-key]: `taks` means nothing in a plan
         --> .plan-auditor/plan.json:2:3
          |
        2 |   "taks": "日本"
          |   ^^^^^^
          |
          = note: at $.taks
          = help: did you mean `task`?
        "#);
    }

    #[test]
    fn a_text_that_ends_early_is_marked_behind_its_end() {
        let source = "{\n  \"task\": \"x\"";

        insta::assert_snapshot!(rendered(source, "json-syntax"), @r#"
        error[json-syntax]: the file ends before the JSON text does
         --> .plan-auditor/plan.json:2:14
          |
        2 |   "task": "x"
          |              ^
          |
          = note: at $
        "#);
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let source = format!("[{}NaN,{}]", "1, ".repeat(300_000), "2,".repeat(300_000));

        insta::assert_snapshot!(rendered(&source, "json-not-finite"), @r"
        error[json-not-finite]: NaN is no number of JSON
         --> .plan-auditor/plan.json:1:900002
          |
        1 | …1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, NaN,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2…
          |                                                              ^^^
          |
          = note: at $
        ");
    }

    #[test]
    fn control_characters_are_shown_escaped() {
        let source = "{\"a\u{1b}[2J\u{202e}\": 1}";

        let text = rendered(source, "json-syntax");

        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        assert!(text.contains("a\\u{1b}[2J"), "{text}");
    }

    #[test]
    fn colour_is_only_there_when_asked_for() {
        let finding = at(1, 2);

        assert!(!render(&finding, "[1]", false).contains('\u{1b}'));
        assert!(render(&finding, "[1]", true).contains('\u{1b}'));
    }

    #[test]
    fn a_source_that_is_not_the_files_gives_no_failure() {
        for (start, end) in [(0, 0), (1, 2), (2, 1), (3, 99), (99, 100)] {
            assert!(render(&at(start, end), "aü\nb", false).contains("wrong-type"));
        }
    }

    #[test]
    fn a_mark_over_lines_ends_with_its_line() {
        let source = "x {\r\n  1\n}";

        let place = at(2, source.len()).place.unwrap();

        assert_eq!(
            Excerpt::of(source, &place),
            Excerpt {
                line: "x {".to_owned(),
                mark: 2..3
            }
        );
    }
}
