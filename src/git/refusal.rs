//! Why a repository is not opened, and what a person can do about it.

/// A cause below an error.
pub(crate) type Cause = Box<dyn std::error::Error + Send + Sync>;

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
        cause: Cause,
    },
    /// Its format version is none of ours.
    #[error("repository format version {version} of {git_dir} is not supported")]
    Format {
        /// The repository.
        git_dir: String,
        /// What its configuration says.
        version: String,
    },
    /// It uses an extension that we do not serve.
    #[error("extension {extension} of {git_dir} is not supported")]
    Extension {
        /// The repository.
        git_dir: String,
        /// Name and value, as `name=value`.
        extension: String,
    },
    /// It belongs to somebody else.
    #[error("dubious ownership in repository at '{path}'")]
    Ownership {
        /// What `safe.directory` would have to name.
        path: String,
    },
    /// Its configuration cannot be read.
    #[error("cannot read the configuration {path}: {why}")]
    Configuration {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// Something else stands in the place of a file that git must open.
    #[error("{path} {why}")]
    Obstacle {
        /// Where.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// What leads to it can be read in two ways.
    #[error("it is not certain that git would use the repository {found} here")]
    Disputed {
        /// The repository that was found.
        found: String,
    },
    /// The environment or `core.worktree` names a work tree that this directory is not in.
    #[error("{dir} is outside of the work tree {work_dir}")]
    Elsewhere {
        /// Where we were started.
        dir: String,
        /// The work tree.
        work_dir: String,
    },
    /// What came with a push cannot be opened.
    #[error("cannot open the objects that came with the push")]
    Incoming {
        /// Why.
        #[source]
        cause: std::io::Error,
    },
}

impl OpenError {
    /// Returns what a person can do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { .. } => Some("git init".to_owned()),
            Self::Format { .. } | Self::Configuration { .. } | Self::Incoming { .. } => None,
            Self::Disputed { .. } => Some("git rev-parse --absolute-git-dir".to_owned()),
            Self::Obstacle { path, .. } => Some(format!("ls -l {}", quoted(path))),
            Self::Extension { .. } => Some(
                "this version serves repositories with ref storage `files` and one object format"
                    .to_owned(),
            ),
            Self::Ownership { path } => Some(format!(
                "git config --global --add safe.directory {}",
                quoted(path)
            )),
            Self::Elsewhere { work_dir, .. } => {
                Some(format!("cd {}, or unset GIT_DIR", quoted(work_dir)))
            }
        }
    }
}

/// Quotes a path for a shell where it needs it.
pub(super) fn quoted(path: &str) -> String {
    shell_words::quote(path).into_owned()
}
