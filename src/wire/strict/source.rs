//! Lines and columns of a text.

use crate::model::finding::Place;

/// A text that is read, with the starts of its lines.
#[derive(Clone, Debug)]
pub(crate) struct Source<'a> {
    path: &'a str,
    text: &'a str,
    line_starts: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Takes a text and the path of the file that holds it.
    pub(crate) fn new(path: &'a str, text: &'a str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after).collect();
        Self {
            path,
            text,
            line_starts,
        }
    }

    /// Returns the text.
    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the place of a byte range: line and column of its first character, both from 1.
    pub(crate) fn place(&self, start: usize, end: usize, json_path: String) -> Place {
        let line = self
            .line_starts
            .partition_point(|&line_start| line_start <= start);
        let line_start = self
            .line_starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(0);
        let before = self.text.get(line_start..start).unwrap_or_default();
        Place {
            path: self.path.to_owned(),
            line,
            column: before.chars().count() + 1,
            start,
            end,
            json_path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_line_feeds() {
        let source = Source::new("f", "ü{\r\n 日x\n");

        let at = |start| {
            let place = source.place(start, start, String::new());
            (place.line, place.column)
        };

        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(9), (2, 3));
        assert_eq!(at(11), (3, 1));
    }
}
