//! Findings about the ledger.

use super::{Effect, Row, Severity};

/// `ledger-noise`.
pub(crate) const MALFORMED: Row = Row {
    code: "ledger-noise",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Lines of the ledger are no records of this ledger, or no trusted key proves them. They are noise: anybody may write such lines, so they change nothing.",
};

/// `ledger-removed`.
pub(crate) const REMOVED: Row = Row {
    code: "ledger-removed",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A trusted record that bears on the judgement was in the ledger and is gone from its tip.",
};

/// `ledger-removed-other`.
pub(crate) const REMOVED_OTHER: Row = Row {
    code: "ledger-removed-other",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A trusted record was in the ledger and is gone from its tip; it speaks of another tree.",
};

/// `restored`.
pub(crate) const RESTORED: Row = Row {
    code: "restored",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Lines of this clone that another writer had dropped were put back.",
};

/// `ledger-replaced`.
pub(crate) const REPLACED: Row = Row {
    code: "ledger-replaced",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The ledger that this clone saw last is not among the history of the present one: lines of others may be gone.",
};

/// `ledger-not-pinned`.
pub(crate) const UNPINNED: Row = Row {
    code: "ledger-not-pinned",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Signers are listed, and neither the trust point nor this clone's own records say which ledger is that of this repository: the ledger of another one with the same signers would count.",
};

/// `ledger-anchor-missing`.
pub(crate) const ANCHOR_MISSING: Row = Row {
    code: "ledger-anchor-missing",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A trailer of a commit in the first-parent history of the trust point names a tip of the ledger that the ledger here lacks: it was rolled back, or not fetched, or the trailer is wrong.",
};

/// `anchor-unsound`.
pub(crate) const ANCHOR_UNSOUND: Row = Row {
    code: "anchor-unsound",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "There is no ledger to be named in a trailer, or something of it is missing, or others do not have it yet: a trailer would name what nobody can find.",
};

/// `ledger-rolled-back`.
pub(crate) const ROLLED_BACK: Row = Row {
    code: "ledger-rolled-back",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A record that this clone wrote is not in the ledger: it was rolled back, or another writer dropped it.",
};

/// `ledger-moved`.
pub(crate) const MOVED: Row = Row {
    code: "ledger-moved",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Records hang on another object than the one they name. They are noise.",
};

/// `ledger-unproven`.
pub(crate) const UNSOUND: Row = Row {
    code: "ledger-unproven",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Records carry no proof that fits the key they name. They are noise.",
};

/// `ledger-untrusted`.
pub(crate) const UNTRUSTED: Row = Row {
    code: "ledger-untrusted",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Records are proven by keys that nobody trusts here. They are noise.",
};

/// `ledger-foreign`.
pub(crate) const FOREIGN: Row = Row {
    code: "ledger-foreign",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Records belong to the ledger of another project. They are noise.",
};

/// `ledger-ambiguous`.
pub(crate) const AMBIGUOUS: Row = Row {
    code: "ledger-ambiguous",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Trusted records name several ledgers and none is pinned in supervisor.json at the trust point.",
};

/// `ledger-gap`.
pub(crate) const GAP: Row = Row {
    code: "ledger-gap",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The ledger lacks a record that a later one of a trusted key names, of its own chain or of another: evidence was removed.",
};

/// `ledger-fork`.
pub(crate) const FORK: Row = Row {
    code: "ledger-fork",
    severity: Severity::Error,
    effect: Effect::DoesNotCount,
    meaning: "A trusted chain was written twice from one record on: by a copied clone, or to hide something. Its records from there on do not count.",
};

/// `ledger-fork-bears`.
pub(crate) const FORK_BEARS: Row = Row {
    code: "ledger-fork-bears",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A seal or an end of a plan does not count because its chain was written twice, and no later seal or end of that plan has seen it.",
};

/// `ledger-headless`.
pub(crate) const HEADLESS: Row = Row {
    code: "ledger-headless",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "A trusted record opens a chain and is not of the kind that does.",
};

/// `ledger-body`.
pub(crate) const BODY: Row = Row {
    code: "ledger-body",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "The body of a trusted record is not one that this version writes.",
};

/// `ledger-newer`.
pub(crate) const NEWER: Row = Row {
    code: "ledger-newer",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A trusted key wrote a record of a later version of the format: a newer tool is needed.",
};

/// `ledger-kind`.
pub(crate) const KIND: Row = Row {
    code: "ledger-kind",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A trusted key wrote a record whose kind can take evidence back and that this version cannot weigh, or whose chain was written twice.",
};

/// `ledger-missing`.
pub(crate) const MISSING: Row = Row {
    code: "ledger-missing",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Objects of the ledger are not in this clone (shallow or partial).",
};

/// `ledger-unreadable`.
pub(crate) const UNREADABLE: Row = Row {
    code: "ledger-unreadable",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Notes of the ledger cannot be read.",
};

/// `note-too-large`.
pub(crate) const TOO_LARGE: Row = Row {
    code: "note-too-large",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A note of the ledger is too large to be read.",
};

/// `ledger-not-fetched`.
pub(crate) const NOT_FETCHED: Row = Row {
    code: "ledger-not-fetched",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A remote is configured and there is no ledger here: the evidence may exist and was not fetched.",
};

/// `ledger-unmerged`.
pub(crate) const UNMERGED: Row = Row {
    code: "ledger-unmerged",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The ledger that was fetched from a remote holds evidence that the ledger here lacks: a fetch alone does not take it over.",
};

/// `ledger-counts-nobody`.
pub(crate) const NOBODY: Row = Row {
    code: "ledger-counts-nobody",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "Records are in the ledger, and none of them counts here.",
};

/// `ledger-unmerged-binding`.
pub(crate) const UNMERGED_BINDING: Row = Row {
    code: "ledger-unmerged-binding",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A remote's ledger was fetched and not taken over, and a record of it by a key that is listed says what binds or takes evidence back: what holds cannot be told here.",
};

/// `ledger-unmerged-unread`.
pub(crate) const UNMERGED_UNREAD: Row = Row {
    code: "ledger-unmerged-unread",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A remote's ledger was fetched, is not taken over, and cannot be read.",
};

/// `not-recorded`.
pub(crate) const NOT_RECORDED: Row = Row {
    code: "not-recorded",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A record could not be appended. If checks ran, what they gave waits and goes with the next append.",
};

/// `not-remembered`.
pub(crate) const NOT_REMEMBERED: Row = Row {
    code: "not-remembered",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A record is in the ledger, and this clone could not remember it outside the repository: that the ledger is rolled back later would go unnoticed.",
};

/// `not-counted`.
pub(crate) const NOT_COUNTED: Row = Row {
    code: "not-counted",
    severity: Severity::Error,
    effect: Effect::DoesNotCount,
    meaning: "What was just recorded does not count here although its key does: the chain that it goes on was written twice, or names another ledger than the one that is pinned.",
};

/// `pending-dropped`.
pub(crate) const PENDING_DROPPED: Row = Row {
    code: "pending-dropped",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A file in .git/plan-audit/pending is no record of this clone that goes on where its chain ends: somebody else put it there. It was removed, and nothing of it was recorded.",
};

/// `given-up`.
pub(crate) const GIVEN_UP: Row = Row {
    code: "given-up",
    severity: Severity::Error,
    effect: Effect::None,
    meaning: "What checks gave had waited outside the repository to be recorded, and is longer than a record may be: it was given up, so that it is not in the way of what follows.",
};

/// `ledger-kept-other`.
pub(crate) const KEPT_OTHER: Row = Row {
    code: "ledger-kept-other",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "A blob that a trusted record names is not what the record says of it: the record proves nothing.",
};

/// `ledger-kept-loose`.
pub(crate) const KEPT_LOOSE: Row = Row {
    code: "ledger-kept-loose",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A blob that a trusted record names is no note of itself at the tip: only the history of the ledger keeps it.",
};

/// `ledger-stray`.
pub(crate) const STRAY: Row = Row {
    code: "ledger-stray",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The notes tree holds what is no note: other names, links, directories. It is noise and is carried along.",
};

/// `ledger-waiting`.
pub(crate) const WAITING: Row = Row {
    code: "ledger-waiting",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "What an earlier command could not append, or what a killed run left, waits beside the ledger.",
};

/// `ledger-waiting-unreadable`.
pub(crate) const WAITING_UNREADABLE: Row = Row {
    code: "ledger-waiting-unreadable",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "What waits beside the ledger cannot be read, and is in the way of the next append.",
};

/// `ledger-locked`.
pub(crate) const LOCKED: Row = Row {
    code: "ledger-locked",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A lock file of git stays and is in the way of the next append: a git process is at work, or one died.",
};

/// `notes-unsigned`.
pub(crate) const NOTES_UNSIGNED: Row = Row {
    code: "notes-unsigned",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A commit of the ledger was to be signed by git's own means and could not be. Its records are proven all the same.",
};

/// `ledger-unshared`.
pub(crate) const UNSHARED: Row = Row {
    code: "ledger-unshared",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The remote has no ledger, as far as this clone knows: another clone that runs `init` before this one was sent draws another one.",
};

/// `evidence-unsent`.
pub(crate) const UNSENT: Row = Row {
    code: "evidence-unsent",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The remote lacks evidence that is here, as far as this clone knows.",
};

/// `ledger-disputed`.
pub(crate) const DISPUTED: Row = Row {
    code: "ledger-disputed",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Keys that count recorded in another ledger than the one that this clone stands on, and none is pinned: who has recorded nothing cannot tell which one counts.",
};

/// `stands-elsewhere`.
pub(crate) const ELSEWHERE: Row = Row {
    code: "stands-elsewhere",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "This clone stands on another ledger than the one that counts: what it recorded counts for nothing.",
};

/// `foreign-sent`.
pub(crate) const FOREIGN_SENT: Row = Row {
    code: "foreign-sent",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Records of another ledger than the one that counts are in the ledger that was sent.",
};

/// `ledger-revoked`.
pub(crate) const REVOKED: Row = Row {
    code: "ledger-revoked",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Records were taken back by a `revoke` that counts: they do not count any more.",
};

/// `revoke-unapproved`.
pub(crate) const REVOKE_UNAPPROVED: Row = Row {
    code: "revoke-unapproved",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A `revoke` has no effect: somebody may approve here, and nobody approved it.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &MALFORMED,
    &REMOVED,
    &REMOVED_OTHER,
    &RESTORED,
    &REPLACED,
    &UNPINNED,
    &ANCHOR_MISSING,
    &ANCHOR_UNSOUND,
    &ROLLED_BACK,
    &MOVED,
    &UNSOUND,
    &UNTRUSTED,
    &FOREIGN,
    &AMBIGUOUS,
    &GAP,
    &FORK,
    &FORK_BEARS,
    &HEADLESS,
    &BODY,
    &NEWER,
    &KIND,
    &MISSING,
    &UNREADABLE,
    &TOO_LARGE,
    &NOT_FETCHED,
    &UNMERGED,
    &NOBODY,
    &UNMERGED_BINDING,
    &UNMERGED_UNREAD,
    &NOT_RECORDED,
    &NOT_REMEMBERED,
    &NOT_COUNTED,
    &PENDING_DROPPED,
    &GIVEN_UP,
    &KEPT_OTHER,
    &KEPT_LOOSE,
    &STRAY,
    &WAITING,
    &WAITING_UNREADABLE,
    &LOCKED,
    &NOTES_UNSIGNED,
    &UNSHARED,
    &UNSENT,
    &DISPUTED,
    &ELSEWHERE,
    &FOREIGN_SENT,
    &REVOKED,
    &REVOKE_UNAPPROVED,
];
