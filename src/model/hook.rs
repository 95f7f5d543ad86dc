//! The hooks that we have, and what one call of them gave.

use super::ids::Oid;
use super::outcome::Outcome;
use super::verdict::Verdict;

/// A hook of git.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Hook {
    /// Before a commit is made.
    Commit,
    /// Before a merge that had no conflict becomes a commit.
    Merge,
    /// Before something is pushed.
    Push,
}

impl Hook {
    /// Every hook.
    pub(crate) const ALL: [Self; 3] = [Self::Commit, Self::Merge, Self::Push];

    /// Returns git's name for it, which is also that of its file.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "pre-commit",
            Self::Merge => "pre-merge-commit",
            Self::Push => "pre-push",
        }
    }
}

/// What one call of a hook gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hooked {
    /// The hook.
    pub(crate) hook: Hook,
    /// The audit that it ran, if it ran one.
    pub(crate) audit: Option<Box<Outcome>>,
    /// What was judged of a push.
    pub(crate) references: Vec<JudgedReference>,
    /// What to type next, where it refuses.
    pub(crate) next: Option<String>,
}

/// What was judged of one reference that is pushed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JudgedReference {
    /// Its full name at the remote.
    pub(crate) name: String,
    /// What the remote has there.
    pub(crate) old: Option<Oid>,
    /// The commit that is pushed; none for a deletion, and where none is to be found.
    pub(crate) commit: Option<Oid>,
    /// What became of it.
    pub(crate) end: ReferenceEnd,
}

/// What became of one reference that is pushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReferenceEnd {
    /// It was judged.
    Judged(Verdict),
    /// It is deleted, which is not gated.
    Deleted,
    /// It holds evidence, which is not gated.
    Evidence,
    /// It is not protected.
    Unprotected,
}

impl ReferenceEnd {
    /// Returns the word for people and machines.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Judged(verdict) => verdict.as_str(),
            Self::Deleted => "deleted",
            Self::Evidence => "evidence",
            Self::Unprotected => "not protected",
        }
    }
}

/// What our hook heard of a push that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// Every reference, and it refused the push.
    All,
    /// Every reference, and a setting lets it pass whatever is pushed.
    Off,
    /// Every reference or some; it refused, and the push went on.
    Unheeded,
    /// Some of them.
    Some,
    /// That something is pushed, and not what.
    Nothing,
    /// It was not asked.
    Silence,
    /// No push could be tried.
    Untried,
}

impl Heard {
    /// Returns the word for people and machines.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::All => "fires for every reference",
            Self::Off => "is switched off",
            Self::Unheeded => "fires and is passed over",
            Self::Some => "fires for some references",
            Self::Nothing => "fires blindly",
            Self::Silence => "does not fire",
            Self::Untried => "was not tried",
        }
    }
}
