//! The test of one statement: what it may look at, what it found, and what that adds up to.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::data::{self, Format, Node};
use super::look::{EXECUTABLE, Entry, REGULAR, plain};
use super::scope::{self, Scoped};
use super::snapshot::{Bytes, Snapshot};
use super::syntax::{self, Facts};
use super::tree::Lack;
use crate::model::claim::evidence::{
    Evaluator, Evidence, Gap, Item, Range, Reason, Scope, Side, Tested,
};
use crate::model::claim::statement::Statement;
use crate::model::claim::types::Layer;
use crate::model::files::{LINK, SUBMODULE};
use crate::wire::claim;
use crate::wire::digest::sha256;

/// How many places and gaps evidence lists.
const LISTED: usize = 20;
/// How an LFS pointer begins.
pub(super) const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// What an evaluator says of a statement, whatever is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// It is so.
    Holds,
    /// It is not so.
    Fails,
    /// It is so (or not), but only because there was nothing to look at: never enough to verify.
    Vacuous {
        /// Whether it is so.
        holds: bool,
    },
    /// It cannot be said.
    Unknown(Reason),
    /// Only people can say.
    Human,
}

impl Answer {
    /// Returns the answer to the contrary.
    pub(super) const fn contrary(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
            Self::Vacuous { holds } => Self::Vacuous { holds: !holds },
            Self::Unknown(reason) => Self::Unknown(reason),
            Self::Human => Self::Human,
        }
    }

    /// Says whether it is so, as far as that is known.
    pub(super) const fn when(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }

    /// Meets what is expected. Nothing that was only not found because nothing was there is ever
    /// verified.
    const fn meet(self, expect: bool) -> Tested {
        let holds = match self {
            Self::Holds => true,
            Self::Fails => false,
            Self::Vacuous { holds } if holds == expect => {
                return Tested::Inconclusive(Reason::CoverageIncomplete);
            }
            Self::Vacuous { .. } => return Tested::Disproved,
            Self::Unknown(reason) => return Tested::Inconclusive(reason),
            Self::Human => return Tested::HumanRequired,
        };
        if holds == expect {
            Tested::Verified
        } else {
            Tested::Disproved
        }
    }
}

/// A text file.
#[derive(Clone, Debug)]
pub(super) struct TextFile {
    /// Where it stands.
    pub(super) entry: Entry,
    bytes: Bytes,
}

impl TextFile {
    /// Returns its text.
    pub(super) fn text(&self) -> &str {
        // Only UTF-8 becomes a text file.
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// Returns the range between two of its bytes.
    pub(super) fn range(&self, span: std::ops::Range<usize>) -> Range {
        range(self.text(), span.start, span.end)
    }
}

/// The test of one statement.
pub(super) struct Probe<'p> {
    snapshot: &'p Snapshot<'p>,
    statement: &'p Statement,
    scope: OnceCell<Rc<Scoped>>,
    gaps: Vec<Gap>,
    items: Vec<Item>,
    more_items: u64,
    grammars: BTreeSet<&'static str>,
    files_read: usize,
    bytes_read: u64,
}

impl<'p> Probe<'p> {
    /// Begins a test.
    pub(super) fn new(snapshot: &'p Snapshot<'_>, statement: &'p Statement) -> Self {
        Self {
            snapshot,
            statement,
            scope: OnceCell::new(),
            gaps: Vec::new(),
            items: Vec::new(),
            more_items: 0,
            grammars: BTreeSet::new(),
            files_read: 0,
            bytes_read: 0,
        }
    }

    /// Returns what is stated.
    pub(super) const fn statement(&self) -> &'p Statement {
        self.statement
    }

    /// Returns the commit and its objects.
    pub(super) const fn snapshot(&self) -> &'p Snapshot<'p> {
        self.snapshot
    }

    /// Returns what is in the scope: the files of `paths`, else those of `path` and `schema`, else none.
    pub(super) fn scope(&self) -> Rc<Scoped> {
        let list = || {
            let globs = self.statement.texts("paths");
            if !globs.is_empty() {
                let list = || scope::of_globs(self.snapshot, globs);
                return self.snapshot.scoped(globs, list);
            }
            let fields = ["path", "schema"].into_iter();
            let paths: Vec<&str> = fields
                .filter_map(|field| self.statement.optional(field))
                .collect();
            let is_of_people = self.statement.kind.layer == Layer::People;
            Rc::new(if is_of_people {
                scope::of_nothing()
            } else if paths.is_empty() {
                scope::of_commit(self.snapshot)
            } else {
                scope::of_paths(self.snapshot, &paths)
            })
        };
        Rc::clone(self.scope.get_or_init(list))
    }

    /// Returns the first thing that is missing from the scope; as one reason where all are alike.
    pub(super) fn gap(&self) -> Option<Reason> {
        let scope = self.scope();
        let mut reasons = scope.gaps.iter().chain(&self.gaps).map(|gap| gap.reason);
        let first = reasons.next()?;
        if reasons.all(|reason| reason == first) {
            Some(first)
        } else {
            Some(Reason::CoverageIncomplete)
        }
    }

    /// Concludes that nothing of what was looked for is there, as far as all was looked at.
    pub(super) fn absent(&self) -> Answer {
        match self.gap() {
            Some(reason) => Answer::Unknown(reason),
            None if self.scope().entries.is_empty() => Answer::Vacuous { holds: false },
            None => Answer::Fails,
        }
    }

    /// Notes a place that says that the statement holds, or that it does not.
    pub(super) fn point(&mut self, entry: &Entry, range: Option<Range>, holds: bool) {
        if self.items.len() >= LISTED {
            self.more_items = self.more_items.saturating_add(1);
            return;
        }
        let side = if holds == self.statement.expect {
            Side::Supports
        } else {
            Side::Contradicts
        };
        self.items.push(Item {
            path: entry.path.clone(),
            mode: entry.mode,
            object: entry.id,
            range,
            side,
        });
    }

    /// Says whether no more places are listed.
    pub(super) const fn is_full(&self) -> bool {
        self.items.len() >= LISTED
    }

    /// Notes that a file was not looked at.
    pub(super) fn leave_out(&mut self, path: &[u8], reason: Reason) {
        self.gaps.push(Gap {
            path: path.to_vec(),
            reason,
        });
    }

    /// Reads a file as text; what is none is a gap.
    pub(super) fn text(&mut self, entry: &Entry) -> Option<TextFile> {
        match self.read_text(entry) {
            Ok(bytes) => Some(TextFile {
                entry: entry.clone(),
                bytes,
            }),
            Err(reason) => {
                self.leave_out(&entry.path, reason);
                None
            }
        }
    }

    /// Reads what the syntax of a file says; what cannot be parsed is a gap.
    pub(super) fn facts(&mut self, entry: &Entry) -> Option<(TextFile, Rc<Facts>)> {
        let Some(grammar) = syntax::grammar_of(&entry.path) else {
            self.leave_out(&entry.path, Reason::UnsupportedLanguage);
            return None;
        };
        let file = self.text(entry)?;
        self.grammars.insert(grammar.name);
        match self.snapshot.facts(&entry.id, grammar, file.text()) {
            Ok(facts) => Some((file, facts)),
            Err(reason) => {
                self.leave_out(&entry.path, reason);
                None
            }
        }
    }

    /// Reads the document that a field of the statement names; none where it is not there, and what
    /// cannot be read is a gap. Without a format it is that of `format`, else that of the file's name.
    pub(super) fn document(
        &mut self,
        field: &str,
        format: Option<Format>,
    ) -> Option<(TextFile, Node)> {
        let path = plain(self.statement.optional(field)?);
        let scope = self.scope();
        let entry = scope.entries.iter().find(|entry| entry.path == path)?;
        let stated = self.statement.optional("format").and_then(Format::parse);
        let Some(format) = format.or(stated).or_else(|| Format::of(&entry.path)) else {
            self.leave_out(&entry.path, Reason::UnsupportedLanguage);
            return None;
        };
        let file = self.text(entry)?;
        match data::read(format, file.text()) {
            Ok(node) => Some((file, node)),
            Err(reason) => {
                self.leave_out(&entry.path, reason);
                None
            }
        }
    }

    /// Reads the bytes of a text.
    fn read_text(&mut self, entry: &Entry) -> Result<Bytes, Reason> {
        let bytes = self.bytes(entry)?;
        if bytes.starts_with(LFS) {
            return Err(Reason::LfsPointer);
        }
        if bytes.contains(&0) {
            return Err(Reason::Binary);
        }
        if std::str::from_utf8(&bytes).is_err() {
            return Err(Reason::Encoding);
        }
        Ok(bytes)
    }

    /// Reads the bytes of a regular file within the limits.
    pub(super) fn bytes(&mut self, entry: &Entry) -> Result<Bytes, Reason> {
        match entry.mode {
            REGULAR | EXECUTABLE => {}
            SUBMODULE => return Err(Reason::Submodule),
            LINK if self.leads_into_scope(entry) => return Ok(Rc::default()),
            _ => return Err(Reason::CoverageIncomplete),
        }
        if self.snapshot.is_late() {
            return Err(Reason::Budget);
        }
        let limits = self.snapshot.limits();
        let left = limits.bytes.saturating_sub(self.bytes_read);
        if self.files_read >= limits.files || left == 0 {
            return Err(Reason::Limit);
        }
        let most = limits.file.min(left);
        let bytes = self.snapshot.blob(&entry.id, most).map_err(Lack::reason)?;
        self.files_read += 1;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.bytes_read = self.bytes_read.saturating_add(length);
        Ok(bytes)
    }

    /// Says whether a link leads to a file that is looked at anyway.
    fn leads_into_scope(&self, link: &Entry) -> bool {
        const LONGEST: u64 = 4096;
        let Ok(target) = self.snapshot.blob(&link.id, LONGEST) else {
            return false;
        };
        let Some(path) = resolved(&link.path, &target) else {
            return false;
        };
        let is_it =
            |entry: &Entry| entry.path == path && [REGULAR, EXECUTABLE].contains(&entry.mode);
        self.scope().entries.iter().any(is_it)
    }

    /// Returns what decides.
    pub(super) fn evaluator(&self, version: u64) -> Evaluator {
        Evaluator {
            name: self.statement.kind.name.to_owned(),
            version,
            grammars: self.grammars.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// Makes the evidence.
    pub(super) fn finish(self, answer: Answer, version: u64) -> Evidence {
        let scope = self.scope();
        let mut gaps: Vec<Gap> = scope.gaps.iter().chain(&self.gaps).cloned().collect();
        gaps.sort();
        let more_gaps = gaps.len().saturating_sub(LISTED);
        gaps.truncate(LISTED);
        Evidence {
            claim: claim::digest(self.statement),
            evaluator: self.evaluator(version),
            commit: self.snapshot.commit().id,
            scope: Scope {
                globs: scope.globs.clone(),
                files: u64::try_from(scope.entries.len()).unwrap_or(u64::MAX),
                bytes: self.bytes_read,
                gaps,
                more_gaps: u64::try_from(more_gaps).unwrap_or(u64::MAX),
                list: scope.list,
            },
            items: self.items,
            more_items: self.more_items,
            tested: answer.meet(self.statement.expect),
        }
    }
}

/// Returns where a link leads, without going through another one; none where that is out of the tree.
fn resolved(link: &[u8], target: &[u8]) -> Option<Vec<u8>> {
    if target.first() == Some(&b'/') {
        return None;
    }
    let mut parts: Vec<&[u8]> = link.split(|byte| *byte == b'/').collect();
    parts.pop();
    for part in target.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join(&b'/'))
}

/// Returns the range of a text between two of its bytes.
pub(super) fn range(text: &str, start: usize, end: usize) -> Range {
    let bytes = text.as_bytes();
    let end = end.min(bytes.len());
    let start = start.min(end);
    let inside = bytes.get(start..end).unwrap_or_default();
    let before = bytes.get(..start).unwrap_or_default();
    let first = count_lines(before) + 1;
    // The line break at the end of a range is still of its last line.
    let body = inside.strip_suffix(b"\n").unwrap_or(inside);
    let number = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
    Range {
        bytes: (number(start), number(end)),
        lines: (number(first), number(first + count_lines(body))),
        sha256: sha256(inside),
    }
}

/// Counts line breaks.
fn count_lines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count() - 1
}
