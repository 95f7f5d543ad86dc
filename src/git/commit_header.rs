//! What a commit's header says of history, read as git reads it.
//!
//! Old imports, and whoever may push, leave commits in which a person or a date is not as it should
//! be. Git reads `tree` and `parent` of them all the same and takes such a date for 0; a reader that
//! refuses the whole commit makes all that comes after it unreadable for ever.

use gix::ObjectId;
use gix::bstr::ByteSlice as _;

use super::ids::from_gix;
use crate::model::ids::Oid;
use crate::model::repository::ANCHOR;

/// A commit as far as history and judgements rest on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// The tree.
    pub(super) tree: ObjectId,
    /// The parents, in order.
    pub(super) parents: Vec<ObjectId>,
    /// When it was committed, in seconds since 1970; 0 where that is no date.
    pub(super) time: i64,
}

impl Header {
    /// Reads the header of a commit; none where git would call the commit bogus: it must begin with
    /// one tree and all its parents, each a whole id of this format.
    pub(super) fn parse(bytes: &[u8], format: gix::hash::Kind) -> Option<Self> {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
        let tree = id(lines.next()?.strip_prefix(b"tree ")?, format)?;
        let mut parents = Vec::new();
        while let Some(parent) = lines.peek().and_then(|line| line.strip_prefix(b"parent ")) {
            parents.push(id(parent, format)?);
            lines.next();
        }
        let mut next = |word: &[u8]| lines.next().filter(|line| line.starts_with(word));
        let committer = next(b"author").and_then(|_| next(b"committer"));
        let time = committer.and_then(date).unwrap_or_default();
        Some(Self {
            tree,
            parents,
            time,
        })
    }

    /// Writes a commit that says the same of history, and nothing else, for readers that are strict.
    pub(super) fn plain(&self) -> Vec<u8> {
        let mut text = format!("tree {}\n", self.tree);
        for parent in &self.parents {
            text.extend(["parent ", &parent.to_string(), "\n"]);
        }
        for who in ["author", "committer"] {
            text.extend([who, " a <a> ", &self.time.to_string(), " +0000\n"]);
        }
        text.push('\n');
        text.into_bytes()
    }
}

/// Returns the first line of a commit's message that is not blank.
pub(super) fn subject(bytes: &[u8]) -> String {
    let message = bytes.find(b"\n\n").and_then(|at| bytes.get(at..));
    let mut lines = message.unwrap_or_default().lines();
    let subject = lines.find(|line| !line.trim().is_empty());
    subject.unwrap_or_default().to_str_lossy().into_owned()
}

/// Returns the tips of the ledger that trailers of a commit's message name: in its last paragraph, and
/// not where that is the first.
pub(super) fn anchors(bytes: &[u8], format: gix::hash::Kind) -> Vec<Oid> {
    let message = bytes.find(b"\n\n").and_then(|at| bytes.get(at + 2..));
    let message = message.unwrap_or_default().trim();
    let Some(start) = message.rfind("\n\n") else {
        return Vec::new();
    };
    let lines = message.get(start..).unwrap_or_default().lines();
    let named = lines.filter_map(|line| {
        let (key, value) = line.split_once_str(":")?;
        let is_ours = key.trim().eq_ignore_ascii_case(ANCHOR.as_bytes());
        let id = ObjectId::from_hex(value.trim()).ok()?;
        (is_ours && id.kind() == format).then(|| from_gix(&id))
    });
    named.collect()
}

/// Reads an id that stands alone up to the end of its line.
fn id(rest: &[u8], format: gix::hash::Kind) -> Option<ObjectId> {
    let hex = rest.strip_suffix(b"\n")?;
    let id = ObjectId::from_hex(hex).ok()?;
    (id.kind() == format).then_some(id)
}

/// Reads the date behind the last `>` of a line.
fn date(line: &[u8]) -> Option<i64> {
    let behind = line.rsplit_once_str(b">")?.1.trim_start();
    let digits = behind.split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const PARENT: &str = "1111111111111111111111111111111111111111";

    fn parse(text: &str) -> Option<Header> {
        Header::parse(text.as_bytes(), gix::hash::Kind::Sha1)
    }

    fn header(time: i64) -> Header {
        Header {
            tree: ObjectId::from_hex(TREE.as_bytes()).unwrap(),
            parents: vec![ObjectId::from_hex(PARENT.as_bytes()).unwrap()],
            time,
        }
    }

    #[test]
    fn tree_and_parents_are_read_whoever_wrote_the_commit() {
        for (people, time) in [
            ("author a <a> 1 +0000\ncommitter a <a> 2 +0000\n\nx\n", 2),
            ("author a <a> 1 +0000\ncommitter a> <b>> 3\n\nx\n", 3),
            ("author a\ncommitter a <a> 4 +0000\n\n", 4),
            ("author a <a> 1 +0000\n\nx\n", 0),
            ("author a <a> 1 +0000\ncommitter a <a> soon\n\n", 0),
            (
                "author a <a> 1 +0000\ncommitter a <a> 99999999999999999999 +0000\n\n",
                0,
            ),
            ("\ncommitter a <a> 5 +0000\n", 0),
            ("", 0),
        ] {
            let text = format!("tree {TREE}\nparent {PARENT}\n{people}");
            assert_eq!(parse(&text), Some(header(time)), "{people}");
        }
    }

    #[test]
    fn a_commit_that_git_calls_bogus_is_none() {
        for text in [
            String::new(),
            format!("tree {TREE}"),
            format!("tree {TREE}0\n"),
            format!("tree {TREE} \n"),
            format!("parent {PARENT}\ntree {TREE}\n"),
            format!("tree {TREE}\nparent {TREE}0\n"),
            format!("tree {TREE}\nparent \n"),
            format!("tree {}\n", "1".repeat(64)),
        ] {
            assert_eq!(parse(&text), None, "{text}");
        }
    }

    #[test]
    fn parents_stand_before_all_else() {
        let text =
            format!("tree {TREE}\nauthor a <a> 1 +0000\nparent {PARENT}\n\nparent {PARENT}\n");

        assert!(parse(&text).unwrap().parents.is_empty());
    }

    #[test]
    fn what_strict_readers_are_shown_says_the_same() {
        let plain = header(7).plain();

        assert_eq!(parse(std::str::from_utf8(&plain).unwrap()), Some(header(7)));
        assert!(gix::objs::CommitRef::from_bytes(&plain, gix::hash::Kind::Sha1).is_ok());
    }

    #[test]
    fn an_anchor_stands_in_the_last_paragraph_of_a_message() {
        let id = Oid::parse(PARENT).unwrap();
        let ours = format!("Plan-Audit-Ledger: {PARENT}");
        for (message, expected) in [
            (format!("Merge\n\n{ours}\n"), vec![id]),
            (
                format!("Merge\n\nReviewed-by: a\nplan-audit-ledger:  {PARENT} \n\n"),
                vec![id],
            ),
            (format!("Merge\n\n{ours}\n{ours}"), vec![id, id]),
            (format!("Merge\n\n{ours}\n\nMore words.\n"), vec![]),
            (format!("{ours}\n"), vec![]),
            (format!("Merge\n\n{ours}1\n"), vec![]),
            (
                format!("Merge\n\n{}\n", ours.to_uppercase().replace(": 1", ": x")),
                vec![],
            ),
            (
                format!("Merge\n\nPlan-Audit-Ledger: {}\n", "1".repeat(64)),
                vec![],
            ),
            (String::new(), vec![]),
        ] {
            let commit = format!("tree {TREE}\nauthor a <a> 1 +0000\n\n{message}");

            let found = anchors(commit.as_bytes(), gix::hash::Kind::Sha1);

            assert_eq!(found, expected, "{message}");
        }
    }

    #[test]
    fn the_subject_is_the_first_line_with_words() {
        assert_eq!(subject(b"tree x\n\n\n \n  a b\nc\n"), "  a b");
        assert_eq!(subject(b"tree x\n"), "");
    }
}
