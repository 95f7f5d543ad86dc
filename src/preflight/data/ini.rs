//! INI files, in what git, configparser and their like have in common.
//!
//! Where they differ (continued lines, comments behind values, quotes, interpolation, the case of
//! names, sections that come twice) a value is open, or the whole file is.

use super::{Kind, Map, Members, Node, Value};
use crate::model::claim::evidence::Reason;

/// The section that some readers let all others inherit from.
const INHERITED: &str = "DEFAULT";

/// What some readers strip, expand, or take for the beginning of a comment.
const SPECIAL: [char; 8] = ['"', '\'', '\\', '%', '$', '`', ';', '#'];

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Node, Reason> {
    let mut reader = Reader {
        root: named(),
        section: None,
        indent: 0,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line, start)?;
        start += line.len();
    }
    reader.close()?;
    let mut map = reader.root.map;
    inherit(&mut map);
    Ok(Node {
        span: 0..text.len(),
        value: Value::Map(map),
    })
}

/// Begins a map whose names some readers fold.
fn named() -> Members {
    Members {
        map: Map {
            ignores_case: true,
            ..Map::default()
        },
        ..Members::default()
    }
}

/// Where there is something to inherit, no section is known to lack a key.
fn inherit(root: &mut Map) {
    let is_it = |name: &str| name.eq_ignore_ascii_case(INHERITED);
    if !root.members.iter().any(|(name, _)| is_it(name)) {
        return;
    }
    for (name, node) in &mut root.members {
        if let Value::Map(section) = &mut node.value {
            section.is_open |= !is_it(name);
        }
    }
}

/// Reads line by line.
struct Reader {
    root: Members,
    section: Option<(String, usize, Members)>,
    /// How far the last key was indented.
    indent: usize,
}

impl Reader {
    /// Reads one line.
    fn line(&mut self, line: &str, start: usize) -> Result<(), Reason> {
        let body = line.trim();
        if body.is_empty() || body.starts_with([';', '#']) {
            return Ok(());
        }
        let indent = line.len() - line.trim_start().len();
        if let Some(rest) = body.strip_prefix('[') {
            // What follows a section on its line is a key to some.
            let name = rest.strip_suffix(']').ok_or(Reason::Ambiguous)?;
            self.close()?;
            self.section = Some((name.to_owned(), start + indent, named()));
            self.indent = usize::MAX;
            return Ok(());
        }
        if self.indent != usize::MAX && indent > self.indent {
            // To some it continues the line before.
            return Err(Reason::Ambiguous);
        }
        self.indent = indent;
        let end = start + line.trim_end().len();
        let (key, node) = member(body, end);
        let is_shared = divides_alike(body);
        let members = self.members();
        members.map.is_open |= !is_shared;
        members.add(key, node)
    }

    /// Returns where keys go now.
    fn members(&mut self) -> &mut Members {
        match &mut self.section {
            Some((_, _, members)) => members,
            None => &mut self.root,
        }
    }

    /// Ends the section.
    fn close(&mut self) -> Result<(), Reason> {
        let Some((name, start, members)) = self.section.take() else {
            return Ok(());
        };
        let value = Value::Map(members.map);
        let end = start + name.len() + 2;
        let span = start..end;
        self.root.add(&name, Node { span, value })
    }
}

/// Says whether all readers divide a line at the same place: with both signs, the first counts to
/// some, and only `=` to others.
fn divides_alike(body: &str) -> bool {
    let divided = body.split_once(':');
    divided.is_none_or(|(key, value)| key.contains('=') || !value.contains('='))
}

/// Reads a key and its value; `end` is where the line ends.
fn member(body: &str, end: usize) -> (&str, Node) {
    let Some((key, value)) = body.split_once(['=', ':']) else {
        // A key alone is true to some, and nothing to others.
        let span = end - body.len()..end;
        let value = Value::Open;
        return (body, Node { span, value });
    };
    let value = value.trim();
    let span = end - value.len()..end;
    let is_plain = divides_alike(body) && !value.contains(SPECIAL);
    let node = if is_plain {
        Node::scalar(span, Kind::Text, value)
    } else {
        let value = Value::Open;
        Node { span, value }
    };
    (key.trim(), node)
}
