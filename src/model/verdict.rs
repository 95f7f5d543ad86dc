//! Verdicts, and the rules by which several become one.

/// What is said of a commit or workspace (DESIGN section 9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verdict {
    /// No plan binds.
    NoPlan,
    /// Everything is proven.
    Pass,
    /// It cannot be said.
    Unknown,
    /// Something is not proven or does not hold.
    Fail,
}

impl Verdict {
    /// Returns the word of reports.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::NoPlan => "NO_PLAN",
            Self::Pass => "PASS",
            Self::Unknown => "UNKNOWN",
            Self::Fail => "FAIL",
        }
    }

    /// Joins verdicts: any FAIL, else any UNKNOWN, else at least one PASS, else `NO_PLAN`.
    pub(crate) fn join(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::NoPlan)
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, *};

    #[test]
    fn the_worst_verdict_wins() {
        assert_eq!(Verdict::join([]), NoPlan);
        assert_eq!(Verdict::join([NoPlan, Pass]), Pass);
        assert_eq!(Verdict::join([Pass, Unknown]), Unknown);
        assert_eq!(Verdict::join([Unknown, Fail, Pass]), Fail);
    }
}
