//! The canonical form of evidence: what anybody who has the repository can make again, byte for byte.
//!
//! Reading is strict by one rule: the value is written again and must be the same bytes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::body::NotABody;
use super::canonical;
use super::digest::{Label, labelled};
use super::path::TreePath;
use super::text::{Spelled, Text};
use crate::model::claim::evidence::{
    Evaluator, Evidence, Gap, Item, Range, Reason, Scope, Side, Tested,
};
use crate::model::ids::{Digest, Oid};

/// The modes that a tree has for what it holds.
const MODES: [u32; 5] = [0o040_000, 0o100_644, 0o100_755, 0o120_000, 0o160_000];

/// A path of a tree; `.` is its top.
struct Place(Vec<u8>);

/// How the top of a tree is written.
const TOP: &str = ".";

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        TreePath(self.0.clone()).fmt(f)
    }
}

impl Spelled for Place {
    fn spelled(text: &str) -> Option<Self> {
        if text == TOP {
            return Some(Self(TOP.as_bytes().to_vec()));
        }
        TreePath::spelled(text).map(|path| Self(path.0))
    }
}

/// Evidence as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    claim_digest: Text<Digest>,
    commit: Text<Oid>,
    evaluator: EvaluatorMembers,
    items: Vec<ItemMembers>,
    more_items: u64,
    outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    scope: ScopeMembers,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EvaluatorMembers {
    grammars: Vec<String>,
    name: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopeMembers {
    bytes: u64,
    files: u64,
    globs: Vec<String>,
    list_digest: Text<Digest>,
    more_skipped: u64,
    skipped: Vec<GapMembers>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GapMembers {
    path: Text<Place>,
    reason: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemMembers {
    mode: String,
    object: Text<Oid>,
    path: Text<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<RangeMembers>,
    role: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RangeMembers {
    bytes: (u64, u64),
    lines: (u64, u64),
    sha256: Text<Digest>,
}

/// Writes evidence in RFC 8785 form.
pub(crate) fn write(evidence: &Evidence) -> Result<String, NotABody> {
    to_text(&members(evidence))
}

/// Returns the id of evidence: the labelled digest of its canonical form.
pub(crate) fn id(text: &str) -> Digest {
    labelled(Label::Evidence, text.as_bytes())
}

/// Writes a list of evidence, as the blob of a `claims` record holds it.
pub(crate) fn write_all(list: &[Evidence]) -> Result<String, NotABody> {
    to_text(&list.iter().map(members).collect::<Vec<_>>())
}

/// Reads a list of evidence; the bytes must be those that [`write_all`] gives for it.
#[expect(
    clippy::disallowed_methods,
    reason = "this is wire; the bytes are compared"
)]
pub(crate) fn read_all(bytes: &[u8]) -> Result<Vec<Evidence>, NotABody> {
    let list: Vec<Members> = serde_json::from_slice(bytes).map_err(|_| NotABody)?;
    if to_text(&list)?.as_bytes() != bytes {
        return Err(NotABody);
    }
    list.into_iter().map(Members::into_evidence).collect()
}

/// Writes a value in RFC 8785 form.
fn to_text<T: Serialize>(value: &T) -> Result<String, NotABody> {
    let value = serde_json::to_value(value).map_err(|_| NotABody)?;
    canonical::write(&value).map_err(|_| NotABody)
}

/// Takes evidence apart.
fn members(evidence: &Evidence) -> Members {
    let Evidence {
        claim,
        evaluator,
        commit,
        scope,
        items,
        more_items,
        tested,
    } = evidence;
    Members {
        claim_digest: Text(*claim),
        commit: Text(*commit),
        evaluator: EvaluatorMembers {
            grammars: evaluator.grammars.clone(),
            name: evaluator.name.clone(),
            version: evaluator.version,
        },
        items: items.iter().map(item).collect(),
        more_items: *more_items,
        outcome: tested.as_str().to_owned(),
        reason: tested.reason().map(|reason| reason.as_str().to_owned()),
        scope: ScopeMembers {
            bytes: scope.bytes,
            files: scope.files,
            globs: scope.globs.clone(),
            list_digest: Text(scope.list),
            more_skipped: scope.more_gaps,
            skipped: scope.gaps.iter().map(gap).collect(),
        },
    }
}

/// Takes a place apart.
fn item(item: &Item) -> ItemMembers {
    ItemMembers {
        mode: format!("{:06o}", item.mode),
        object: Text(item.object),
        path: Text(Place(item.path.clone())),
        range: item.range.map(|range| RangeMembers {
            bytes: range.bytes,
            lines: range.lines,
            sha256: Text(range.sha256),
        }),
        role: item.side.as_str().to_owned(),
    }
}

/// Takes a gap apart.
fn gap(gap: &Gap) -> GapMembers {
    GapMembers {
        path: Text(Place(gap.path.clone())),
        reason: gap.reason.as_str().to_owned(),
    }
}

impl Members {
    /// Puts evidence together.
    fn into_evidence(self) -> Result<Evidence, NotABody> {
        let reason = match &self.reason {
            Some(word) => Some(Reason::parse(word).ok_or(NotABody)?),
            None => None,
        };
        let items = self.items.into_iter().map(ItemMembers::into_item);
        let gaps = self.scope.skipped.into_iter().map(GapMembers::into_gap);
        Ok(Evidence {
            claim: self.claim_digest.0,
            evaluator: Evaluator {
                name: self.evaluator.name,
                version: self.evaluator.version,
                grammars: self.evaluator.grammars,
            },
            commit: self.commit.0,
            scope: Scope {
                globs: self.scope.globs,
                files: self.scope.files,
                bytes: self.scope.bytes,
                gaps: gaps.collect::<Result<_, _>>()?,
                more_gaps: self.scope.more_skipped,
                list: self.scope.list_digest.0,
            },
            items: items.collect::<Result<_, _>>()?,
            more_items: self.more_items,
            tested: Tested::parse(&self.outcome, reason).ok_or(NotABody)?,
        })
    }
}

impl ItemMembers {
    /// Puts a place together.
    fn into_item(self) -> Result<Item, NotABody> {
        let mut modes = MODES.into_iter();
        let mode = modes.find(|known| format!("{known:06o}") == self.mode);
        Ok(Item {
            path: self.path.0.0,
            mode: mode.ok_or(NotABody)?,
            object: self.object.0,
            range: self.range.map(|range| Range {
                bytes: range.bytes,
                lines: range.lines,
                sha256: range.sha256.0,
            }),
            side: Side::parse(&self.role).ok_or(NotABody)?,
        })
    }
}

impl GapMembers {
    /// Puts a gap together.
    fn into_gap(self) -> Result<Gap, NotABody> {
        Ok(Gap {
            path: self.path.0.0,
            reason: Reason::parse(&self.reason).ok_or(NotABody)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evidence in which every member says something.
    fn evidence() -> Evidence {
        let oid = Oid::parse(&"1".repeat(40)).unwrap();
        Evidence {
            claim: Digest::ZERO,
            evaluator: Evaluator {
                name: "text_present".to_owned(),
                version: 1,
                grammars: vec!["rust 0.24".to_owned()],
            },
            commit: oid,
            scope: Scope {
                globs: vec!["**".to_owned()],
                files: 2,
                bytes: 3,
                gaps: vec![Gap {
                    path: b"a\xff".to_vec(),
                    reason: Reason::Binary,
                }],
                more_gaps: 4,
                list: Digest::ZERO,
            },
            items: vec![Item {
                path: b"b".to_vec(),
                mode: 0o100_644,
                object: oid,
                range: Some(Range {
                    bytes: (1, 2),
                    lines: (3, 3),
                    sha256: Digest::ZERO,
                }),
                side: Side::Supports,
            }],
            more_items: 0,
            tested: Tested::Inconclusive(Reason::Ambiguous),
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let text = write_all(&[evidence(), evidence()]).unwrap();

        assert_eq!(read_all(text.as_bytes()), Ok(vec![evidence(), evidence()]));
    }

    #[test]
    fn every_member_that_is_flipped_makes_another_id() {
        let text = write(&evidence()).unwrap();
        let flips = [
            ("\"bytes\":3", "\"bytes\":4"),
            ("\"commit\":\"1", "\"commit\":\"2"),
            ("rust 0.24", "rust 0.25"),
            ("\"version\":1", "\"version\":2"),
            ("\"mode\":\"100644\"", "\"mode\":\"100755\""),
            ("\"lines\":[3,3]", "\"lines\":[3,4]"),
            ("\"role\":\"supports\"", "\"role\":\"contradicts\""),
            ("AMBIGUOUS", "LIMIT"),
            ("BINARY", "ENCODING"),
            ("\"more_skipped\":4", "\"more_skipped\":5"),
        ];
        for (from, to) in flips {
            let flipped = text.replacen(from, to, 1);
            assert_ne!(flipped, text, "{from}");
            assert_ne!(id(&flipped), id(&text), "{from}");
        }
    }

    #[test]
    fn what_would_not_be_written_is_refused() {
        let text = write_all(&[evidence()]).unwrap();
        for (from, to) in [
            ("\"outcome\":\"INCONCLUSIVE\"", "\"outcome\":\"VERIFIED\""),
            ("\"outcome\":\"INCONCLUSIVE\"", "\"outcome\":\"FINE\""),
            ("\"reason\":\"AMBIGUOUS\",", ""),
            ("BINARY", "BORING"),
            ("100644", "100600"),
            ("supports", "likes"),
            ("[{", "[ {"),
            ("\"more_items\":0", "\"more_items\":0,\"x\":1"),
        ] {
            let other = text.replacen(from, to, 1);
            assert_ne!(other, text, "{from}");
            assert_eq!(read_all(other.as_bytes()), Err(NotABody), "{to}");
        }
    }
}
