//! Opening a repository: found as git finds it, refused when it is not ours to judge.

use std::path::Path;

/// An open repository; replace objects and grafts are off.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The handle of gix.
    pub(super) gix: gix::Repository,
}

/// Why a repository cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    /// There is none.
    #[error("not a git repository (or any of its parents): {dir}")]
    NotFound {
        /// Where it was looked for.
        dir: String,
        /// Why.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Repository {
    /// Opens the repository that git would use in `dir`, honouring GIT_DIR and its kind.
    pub(crate) fn open(dir: &Path) -> Result<Self, OpenError> {
        let gix = gix::ThreadSafeRepository::discover_with_environment_overrides(dir)
            .map_err(|cause| OpenError::NotFound {
                dir: dir.display().to_string(),
                cause: Box::new(cause),
            })?
            .to_thread_local();
        Ok(Self { gix })
    }
}
