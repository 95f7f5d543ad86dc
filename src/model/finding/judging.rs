//! Findings of a judgement.

use super::{Effect, Row, Severity};

/// `draft`.
pub(crate) const DRAFT: Row = Row {
    code: "draft",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A plan binds and its contract has no seal by a trusted key.",
};

/// `draft-at-base`.
pub(crate) const DRAFT_AT_BASE: Row = Row {
    code: "draft-at-base",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A plan has no seal, and the trust point holds the same plan: it does not count.",
};

/// `draft-was-sealed`.
pub(crate) const DRAFT_WAS_SEALED: Row = Row {
    code: "draft-was-sealed",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A plan that the trust point holds has a seal by a key that does not count (any more): it binds nobody.",
};

/// `plan-invalid`.
pub(crate) const PLAN_INVALID: Row = Row {
    code: "plan-invalid",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A plan file is no valid plan.",
};

/// `plan-removed`.
pub(crate) const PLAN_REMOVED: Row = Row {
    code: "plan-removed",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A sealed plan was removed.",
};

/// `seal-broken`.
pub(crate) const SEAL_BROKEN: Row = Row {
    code: "seal-broken",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A plan file had another sealed contract earlier on this line of work, and the present contract does not continue it.",
};

/// `range-unproven`.
pub(crate) const RANGE_UNPROVEN: Row = Row {
    code: "range-unproven",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Commits of a range below its tip have no evidence; the tip alone was counted.",
};

/// `no-evidence`.
pub(crate) const NO_EVIDENCE: Row = Row {
    code: "no-evidence",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "No usable audit names this tree and contract.",
};

/// `audit-failed`.
pub(crate) const AUDIT_FAILED: Row = Row {
    code: "audit-failed",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A usable audit of this tree and contract failed.",
};

/// `failure-unseen`.
pub(crate) const FAILURE_UNSEEN: Row = Row {
    code: "failure-unseen",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "An audit of this tree and contract passed; another one failed that does not count (its place was odd, a check changed a tracked file, or its chain was written twice) and that the first has not seen.",
};

/// `concurrent`.
pub(crate) const CONCURRENT: Row = Row {
    code: "concurrent",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Several audits of this tree and contract are current; all of them must have passed.",
};

/// `no-trust-root`.
pub(crate) const NO_TRUST_ROOT: Row = Row {
    code: "no-trust-root",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A plan binds and there is no key whose evidence could count.",
};

/// `signers-unused`.
pub(crate) const SIGNERS_UNUSED: Row = Row {
    code: "signers-unused",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Lines of allowed_signers are not used.",
};

/// `trust-changed`.
pub(crate) const TRUST_CHANGED: Row = Row {
    code: "trust-changed",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Keys, settings or policies differ from those at the trust point, and nobody who is listed there has approved it.",
};

/// `trust-behind`.
pub(crate) const TRUST_BEHIND: Row = Row {
    code: "trust-behind",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Keys, settings or policies changed at the trust point since this line of work left it, which never touched them: those at the trust point count.",
};

/// `trust-changed-unlisted`.
pub(crate) const TRUST_CHANGED_UNLISTED: Row = Row {
    code: "trust-changed-unlisted",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Keys, settings or policies differ from those at the trust point, where nobody is listed.",
};

/// `trust-point-parent`.
pub(crate) const TRUST_PARENT: Row = Row {
    code: "trust-point-parent",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The judged commit is the trust point itself: its first parent says who counts, and may have come with the same push.",
};

/// `settings-invalid`.
pub(crate) const SETTINGS_INVALID: Row = Row {
    code: "settings-invalid",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "supervisor.json at the trust point cannot be read, a value in it is none of those that it may have, or a setting of git has a value that no evidence could meet.",
};

/// `profile-unsupported`.
pub(crate) const PROFILE: Row = Row {
    code: "profile-unsupported",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The strict profile asks for judgements that this version cannot make.",
};

/// `policies-unsupported`.
pub(crate) const POLICIES: Row = Row {
    code: "policies-unsupported",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The trust point holds policies, which this version cannot judge.",
};

/// `history-missing`.
pub(crate) const HISTORY: Row = Row {
    code: "history-missing",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Commits that are needed to know earlier contracts are not in this clone (shallow).",
};

/// `setting-ignored`.
pub(crate) const SETTING_IGNORED: Row = Row {
    code: "setting-ignored",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A setting that could widen trust is set in the repository itself and is not used.",
};

/// `objects-replaced`.
pub(crate) const OBJECTS_REPLACED: Row = Row {
    code: "objects-replaced",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Replace refs or grafts make git show other objects here than the true ones, which are judged.",
};

/// `merge-under-way`.
pub(crate) const MERGING: Row = Row {
    code: "merge-under-way",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A merge is under way; contracts that were sealed on the merged side bind the workspace too.",
};

/// `no-approver`.
pub(crate) const NO_APPROVER: Row = Row {
    code: "no-approver",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "No key is listed as an approver.",
};

/// `worktree-place`.
pub(crate) const WORKTREE_PLACE: Row = Row {
    code: "worktree-place",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The checks ran in a work tree: ignored files of that machine took part.",
};

/// `hmac-only`.
pub(crate) const HMAC_ONLY: Row = Row {
    code: "hmac-only",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The evidence rests on a shared HMAC key: it proves nothing to those who have not the key.",
};

/// `unsealed`.
pub(crate) const UNSEALED: Row = Row {
    code: "unsealed",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A plan has no seal: nothing unsealed is ever executed.",
};

/// `edited-after-seal`.
pub(crate) const EDITED: Row = Row {
    code: "edited-after-seal",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A plan differs from its sealed contract.",
};

/// `plan-ignored`.
pub(crate) const IGNORED_PLAN: Row = Row {
    code: "plan-ignored",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "Git ignores the plan file, so no commit could hold it.",
};

/// `request-unsupported`.
pub(crate) const REQUEST: Row = Row {
    code: "request-unsupported",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A request is active, and this version cannot check a plan against one.",
};

/// `tool-missing`.
pub(crate) const TOOL_MISSING: Row = Row {
    code: "tool-missing",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A program of required_tools is not found.",
};

/// `no-plan`.
pub(crate) const NO_PLAN_FOUND: Row = Row {
    code: "no-plan",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "No plan binds here.",
};

/// `which-plan`.
pub(crate) const MANY_PLANS: Row = Row {
    code: "which-plan",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "There are several plans and none was named.",
};

/// `unknown-plan`.
pub(crate) const UNKNOWN_PLAN: Row = Row {
    code: "unknown-plan",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "No plan has this name.",
};

/// `check-failed`.
pub(crate) const CHECK_FAILED: Row = Row {
    code: "check-failed",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A check did not give its expected result.",
};

/// `check-not-run`.
pub(crate) const CHECK_NOT_RUN: Row = Row {
    code: "check-not-run",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A check could not start or was not run to its end.",
};

/// `check-leaked`.
pub(crate) const CHECK_LEAKED: Row = Row {
    code: "check-leaked",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A check left a process behind, which was ended.",
};

/// `changed-during-audit`.
pub(crate) const CHANGED: Row = Row {
    code: "changed-during-audit",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Something changed while the checks ran, so no state was audited as a whole.",
};

/// `no-revision`.
pub(crate) const NO_REVISION: Row = Row {
    code: "no-revision",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A revision names no commit in this repository.",
};

/// `not-initialised`.
pub(crate) const NOT_INITIALISED: Row = Row {
    code: "not-initialised",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "This clone has no instance and no key yet, so it cannot record anything.",
};

/// `broken`.
pub(crate) const BROKEN: Row = Row {
    code: "broken",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Something that was needed could not be read or written.",
};

/// `occupied`.
pub(crate) const OCCUPIED: Row = Row {
    code: "occupied",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A file or directory that was to be written is there already.",
};

/// `key-unusable`.
pub(crate) const KEY: Row = Row {
    code: "key-unusable",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A key that is configured cannot be used.",
};

/// `key-gone`.
pub(crate) const KEY_GONE: Row = Row {
    code: "key-gone",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A key that this clone has used cannot be read: what it proved does not count here.",
};

/// `setting-unknown`.
pub(crate) const SETTING_UNKNOWN: Row = Row {
    code: "setting-unknown",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A planAudit setting has a name that this tool does not know.",
};

/// `setting-unserved`.
pub(crate) const SETTING_UNSERVED: Row = Row {
    code: "setting-unserved",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A planAudit setting asks for something that this version does not do.",
};

/// `repository-refused`.
pub(crate) const REPOSITORY: Row = Row {
    code: "repository-refused",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "There is no repository here, or one that this tool does not judge.",
};

/// `local-file`.
pub(crate) const LOCAL_FILE: Row = Row {
    code: "local-file",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A local file of this tool cannot be used.",
};

/// `seal-not-seen`.
pub(crate) const UNSEEN: Row = Row {
    code: "seal-not-seen",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "No seal of a plan is to be seen, and evidence may be missing here.",
};

/// `key-unlisted`.
pub(crate) const KEY_UNLISTED: Row = Row {
    code: "key-unlisted",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "This clone records with a key that does not count here: what it records proves nothing to others.",
};

/// `key-revoked`.
pub(crate) const KEY_REVOKED: Row = Row {
    code: "key-revoked",
    severity: Severity::Error,
    effect: Effect::DoesNotCount,
    meaning: "The key of this clone was taken back: nothing that it records from then on counts.",
};

/// `key-unknown`.
pub(crate) const KEY_UNKNOWN: Row = Row {
    code: "key-unknown",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A key is to be taken back that is not listed and has recorded nothing here: it may be misspelled.",
};

/// `no-home`.
pub(crate) const NO_HOME: Row = Row {
    code: "no-home",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "There is no home directory, so this clone's own keys are not known.",
};

/// `clone-moved`.
pub(crate) const COPIED: Row = Row {
    code: "clone-moved",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "This clone was copied or moved, or was given the id of another one: its instance and keys are not those of this place.",
};

/// `clone-exchanged`.
pub(crate) const EXCHANGED: Row = Row {
    code: "clone-exchanged",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Another clone recorded at this path: the repository was replaced, and whom a person accepted there is not known of this one.",
};

/// `instance-gone`.
pub(crate) const INSTANCE_GONE: Row = Row {
    code: "instance-gone",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "This clone has recorded before, as it knows outside the repository, and the file that says who it is is gone or was written for another place.",
};

/// `other-ledger`.
pub(crate) const OTHER_LEDGER: Row = Row {
    code: "other-ledger",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The instance of this clone names another ledger than the one that is pinned, or that its own records name: what it would record would count for nothing.",
};

/// `not-supported-yet`.
pub(crate) const NOT_BUILT_NOTE: Row = Row {
    code: "not-supported-yet",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A plan uses a part of the format that this version does not judge yet: it can be read and not sealed.",
};

/// `withheld`.
pub(crate) const WITHHELD: Row = Row {
    code: "withheld",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Environment variables were set here and withheld from the checks.",
};

/// `lock-unusable`.
pub(crate) const LOCK: Row = Row {
    code: "lock-unusable",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The audit lock of this worktree cannot be used.",
};

/// `signers-not-accepted`.
pub(crate) const SIGNERS_NEW: Row = Row {
    code: "signers-not-accepted",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The signers and settings at the trust point are not those that this clone accepted: a person must look at them.",
};

/// `trust-point-uncertain`.
pub(crate) const TRUST_UNCERTAIN: Row = Row {
    code: "trust-point-uncertain",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Nothing says that the branch which stands for the trust point is the one that the project means: whoever may push a new branch could have made it.",
};

/// `audit-running`.
pub(crate) const AUDIT_RUNNING: Row = Row {
    code: "audit-running",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "Another audit or run of this worktree goes on.",
};

/// `unknown-record`.
pub(crate) const UNKNOWN_RECORD: Row = Row {
    code: "unknown-record",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "No record, or more than one, begins with the id that was given.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &NO_REVISION,
    &NOT_INITIALISED,
    &UNKNOWN_RECORD,
    &AUDIT_RUNNING,
    &SIGNERS_NEW,
    &TRUST_UNCERTAIN,
    &UNSEEN,
    &KEY_UNLISTED,
    &KEY_REVOKED,
    &KEY_UNKNOWN,
    &NO_HOME,
    &COPIED,
    &EXCHANGED,
    &INSTANCE_GONE,
    &OTHER_LEDGER,
    &NOT_BUILT_NOTE,
    &WITHHELD,
    &LOCK,
    &KEY,
    &KEY_GONE,
    &SETTING_UNKNOWN,
    &SETTING_UNSERVED,
    &REPOSITORY,
    &LOCAL_FILE,
    &OCCUPIED,
    &BROKEN,
    &DRAFT,
    &DRAFT_AT_BASE,
    &DRAFT_WAS_SEALED,
    &PLAN_INVALID,
    &PLAN_REMOVED,
    &SEAL_BROKEN,
    &RANGE_UNPROVEN,
    &NO_EVIDENCE,
    &AUDIT_FAILED,
    &FAILURE_UNSEEN,
    &CONCURRENT,
    &NO_TRUST_ROOT,
    &SIGNERS_UNUSED,
    &TRUST_CHANGED,
    &TRUST_BEHIND,
    &TRUST_CHANGED_UNLISTED,
    &TRUST_PARENT,
    &SETTINGS_INVALID,
    &PROFILE,
    &POLICIES,
    &HISTORY,
    &SETTING_IGNORED,
    &OBJECTS_REPLACED,
    &MERGING,
    &NO_APPROVER,
    &WORKTREE_PLACE,
    &HMAC_ONLY,
    &UNSEALED,
    &EDITED,
    &IGNORED_PLAN,
    &REQUEST,
    &TOOL_MISSING,
    &NO_PLAN_FOUND,
    &MANY_PLANS,
    &UNKNOWN_PLAN,
    &CHECK_FAILED,
    &CHECK_NOT_RUN,
    &CHECK_LEAKED,
    &CHANGED,
];
