//! What is asked of a private checkout, and why there is none.

use super::files::Files;
use super::ids::Oid;
use super::repository::PlanFile;

/// What is checked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    /// Where its files are listed.
    pub(crate) source: Source,
    /// The tree that the checkout must give.
    pub(crate) tree: Oid,
    /// The commit that the audit hangs on; none before the first.
    pub(crate) head: Option<Oid>,
}

/// Where the files of a checkout are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// In the index: its tree need not be an object.
    Index,
    /// In the objects of the tree.
    Tree,
}

/// What is staged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Staged {
    /// The tree that committing it would give.
    pub(crate) tree: Oid,
    /// The plan files in it, `default` first, then by name.
    pub(crate) plans: Vec<PlanFile>,
    /// Its files; left out where no plan asks for any.
    pub(crate) files: Files,
}

/// What a checkout lacks that its tree names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lack {
    /// The path, as `text::path` shows it.
    pub(crate) path: String,
    /// What it is and why it is not there.
    pub(crate) why: String,
    /// The command that ends it.
    pub(crate) remedy: String,
}

/// Why there is no checkout.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckoutError {
    /// The place where it would lie is not private.
    #[error("there is no private place for a checkout")]
    Place {
        /// Why.
        #[source]
        cause: Cause,
    },
    /// Files that cannot be written as git would write them.
    #[error("a private checkout cannot hold {}", few(paths))]
    Unserved {
        /// Paths with the reason, sorted.
        paths: Vec<String>,
    },
    /// A tree that git would not have written.
    #[error("{what}: no checkout is made of it")]
    Unfit {
        /// What is wrong.
        what: String,
    },
    /// Objects that are not in this clone, or not what their ids say.
    #[error("not in this clone, or damaged: {}", few(objects))]
    Missing {
        /// Paths or ids.
        objects: Vec<String>,
    },
    /// What is staged is no longer what was looked at.
    #[error("what is staged changed meanwhile")]
    Changed,
    /// We were told to stop.
    #[error("interrupted while the checkout was made")]
    Stopped,
    /// Something else went wrong.
    #[error("cannot make a private checkout")]
    Broken {
        /// Why.
        #[source]
        cause: Cause,
    },
}

/// What is below an error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Joins the first few of a list, and counts the rest.
fn few(all: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown = all.iter().take(SHOWN).cloned().collect::<Vec<_>>();
    match all.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl CheckoutError {
    /// Wraps a cause.
    pub(crate) fn broken(cause: impl Into<Cause>) -> Self {
        Self::Broken {
            cause: cause.into(),
        }
    }
}
