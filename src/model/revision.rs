//! Revisions as people write them.

/// What may follow a branch in `@{…}` without asking its reflog.
const BESIDE: [&str; 3] = ["u}", "upstream}", "push}"];

/// A name that several commits have: whoever may push a tag or a branch could say which is meant.
#[derive(Debug, thiserror::Error)]
#[error("{name} names several commits: {}", candidates.join(", "))]
pub(crate) struct Several {
    /// The name as given.
    pub(crate) name: String,
    /// The references that it may mean, in full, or the id of which it is the beginning.
    pub(crate) candidates: Vec<String>,
}

/// Says what a revision asks where the answer is nowhere proven; none where it names a commit by
/// an id, a reference or a parent.
///
/// A reflog is a text file that anybody may have written, and messages say what anybody wishes.
pub(crate) fn unproven(revision: &str) -> Option<&'static str> {
    let asks_reflog = |after: &str| !BESIDE.iter().any(|known| after.starts_with(known));
    if revision.split("@{").skip(1).any(asks_reflog) {
        Some("a reflog")
    } else if revision.starts_with(":/") || revision.contains("^{/") {
        Some("the messages of commits")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reflog_and_messages_prove_nothing() {
        for (revision, is_proven) in [
            ("HEAD~1", true),
            ("@", true),
            ("a@b^2", true),
            ("main@{u}", true),
            ("@{upstream}~1", true),
            ("@{push}", true),
            ("HEAD^{commit}", true),
            ("HEAD@{0}", false),
            ("@{1}", false),
            ("main@{yesterday}", false),
            ("@{-1}", false),
            ("main~1@{2}", false),
            ("side@{u}@{1}", false),
            (":/one", false),
            ("HEAD^{/one}", false),
        ] {
            assert_eq!(unproven(revision).is_none(), is_proven, "{revision}");
        }
    }
}
