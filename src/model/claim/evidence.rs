//! What testing a statement gave, and on what it rests (PREFLIGHT sections 2 and 4).

use crate::model::ids::{Digest, Oid};

/// Why it cannot be said whether a statement holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Reason {
    /// No grammar reads this language.
    UnsupportedLanguage,
    /// A file is not what its language or format allows.
    ParseError,
    /// A file is no text.
    Binary,
    /// A file stands for one that is kept elsewhere.
    LfsPointer,
    /// It lies in a submodule.
    Submodule,
    /// An object is not in this clone.
    MissingObject,
    /// It is beyond a limit.
    Limit,
    /// A text is not UTF-8.
    Encoding,
    /// There are several answers.
    Ambiguous,
    /// Not all of the scope could be looked at.
    CoverageIncomplete,
    /// The run took too long.
    Budget,
}

impl Reason {
    /// Every reason with its word in records.
    pub(crate) const TABLE: [(Self, &'static str); 11] = [
        (Self::UnsupportedLanguage, "UNSUPPORTED_LANGUAGE"),
        (Self::ParseError, "PARSE_ERROR"),
        (Self::Binary, "BINARY"),
        (Self::LfsPointer, "LFS_POINTER"),
        (Self::Submodule, "SUBMODULE"),
        (Self::MissingObject, "MISSING_OBJECT"),
        (Self::Limit, "LIMIT"),
        (Self::Encoding, "ENCODING"),
        (Self::Ambiguous, "AMBIGUOUS"),
        (Self::CoverageIncomplete, "COVERAGE_INCOMPLETE"),
        (Self::Budget, "BUDGET"),
    ];

    /// Returns the word in records.
    pub(crate) fn as_str(self) -> &'static str {
        let mut rows = Self::TABLE.into_iter();
        rows.find(|(one, _)| *one == self)
            .map_or("", |(_, word)| word)
    }

    /// Reads the word in records.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut rows = Self::TABLE.into_iter();
        rows.find(|(_, word)| *word == text).map(|(one, _)| one)
    }
}

/// What is said of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tested {
    /// It is true at the commit.
    Verified,
    /// It is false at the commit.
    Disproved,
    /// It cannot be said.
    Inconclusive(Reason),
    /// Only a person can say.
    HumanRequired,
}

impl Tested {
    /// Returns the word in records.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "VERIFIED",
            Self::Disproved => "DISPROVED",
            Self::Inconclusive(_) => "INCONCLUSIVE",
            Self::HumanRequired => "HUMAN_REQUIRED",
        }
    }

    /// Returns the reason of an inconclusive result.
    pub(crate) const fn reason(self) -> Option<Reason> {
        match self {
            Self::Inconclusive(reason) => Some(reason),
            Self::Verified | Self::Disproved | Self::HumanRequired => None,
        }
    }

    /// Reads the words in records.
    pub(crate) fn parse(word: &str, reason: Option<Reason>) -> Option<Self> {
        match (word, reason) {
            ("VERIFIED", None) => Some(Self::Verified),
            ("DISPROVED", None) => Some(Self::Disproved),
            ("INCONCLUSIVE", Some(reason)) => Some(Self::Inconclusive(reason)),
            ("HUMAN_REQUIRED", None) => Some(Self::HumanRequired),
            (_, _) => None,
        }
    }
}

/// What a place says of the claim that rests on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The claim is true because of it.
    Supports,
    /// The claim is false because of it.
    Contradicts,
}

impl Side {
    /// Returns the word in records.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Contradicts => "contradicts",
        }
    }

    /// Reads the word in records.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Supports, Self::Contradicts]
            .into_iter()
            .find(|side| side.as_str() == text)
    }
}

/// A place in git that a result rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    /// Its path from the top of the tree.
    pub(crate) path: Vec<u8>,
    /// The mode of what stands there.
    pub(crate) mode: u32,
    /// The object that stands there.
    pub(crate) object: Oid,
    /// The part of the file; none where it is the whole object.
    pub(crate) range: Option<Range>,
    /// What it says of the claim.
    pub(crate) side: Side,
}

/// A part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    /// Its first byte, and the first one after it.
    pub(crate) bytes: (u64, u64),
    /// Its first and its last line, from 1.
    pub(crate) lines: (u64, u64),
    /// SHA-256 of its bytes.
    pub(crate) sha256: Digest,
}

/// A file of a scope that was not looked at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Gap {
    /// Its path from the top of the tree.
    pub(crate) path: Vec<u8>,
    /// Why.
    pub(crate) reason: Reason,
}

/// What was to be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scope {
    /// The paths or path patterns.
    pub(crate) globs: Vec<String>,
    /// How many files they name.
    pub(crate) files: u64,
    /// How many bytes of them were read.
    pub(crate) bytes: u64,
    /// The first files that were not looked at, by path.
    pub(crate) gaps: Vec<Gap>,
    /// How many more there are.
    pub(crate) more_gaps: u64,
    /// The digest over path, mode and object of every file in it.
    pub(crate) list: Digest,
}

/// What decides statements of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Evaluator {
    /// The type of claim.
    pub(crate) name: String,
    /// Counts up with every change that may change a result.
    pub(crate) version: u64,
    /// The grammars that took part; empty where none did.
    pub(crate) grammars: Vec<String>,
}

/// The evidence for one statement at one commit: whoever has the repository can make it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Evidence {
    /// The digest of the statement.
    pub(crate) claim: Digest,
    /// What decided.
    pub(crate) evaluator: Evaluator,
    /// The commit.
    pub(crate) commit: Oid,
    /// What was to be looked at.
    pub(crate) scope: Scope,
    /// The first places that the result rests on.
    pub(crate) items: Vec<Item>,
    /// How many more there are.
    pub(crate) more_items: u64,
    /// The result.
    pub(crate) tested: Tested,
}
