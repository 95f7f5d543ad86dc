//! Signing commits of the ledger by git's own means: `git commit-tree -S`, in a repository of its own.
//!
//! Which key signs, and in which format, is as git resolves it for the repository. Which program signs is
//! not the repository's to say: git there reads the configuration of the user and of the system alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::initialise::clean::lay_out;
use super::session::Session;
use super::surroundings::Surroundings;
use crate::git::notes::SignsCommits;
use crate::local::private::PrivateDirectory;
use crate::model::settings::Settings;
use crate::model::text::shown;
use crate::proc::{Interrupts, ToolOutput, ToolSpec, file, tool};

/// How long a signature may take: a person may be asked for a passphrase or a touch.
const PATIENCE: Duration = Duration::from_mins(2);
/// How much git may write, in bytes.
const MAX_OUTPUT: usize = 1024 * 1024;

/// Variables that would lead git elsewhere.
const ELSEWHERE: [&str; 8] = [
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Signs commits of one repository.
#[derive(Debug)]
pub(super) struct CommitSigning {
    /// Git; none where PATH has none.
    git: Option<PathBuf>,
    /// What it sees.
    environment: BTreeMap<OsString, OsString>,
    /// Where it runs: paths of keys may begin there.
    directory: PathBuf,
    /// Where the repository of its own is made.
    scratch: Result<PathBuf, String>,
    /// The work trees, in none of which that may lie.
    work_trees: Vec<PathBuf>,
    /// The kind of the ids.
    hash: &'static str,
    /// Whether we were told to stop.
    interrupts: Interrupts,
    /// Why the last commit is not signed.
    unsigned: RefCell<Option<String>>,
}

impl CommitSigning {
    /// Takes what the user asks for; none where commits of the ledger are not to be signed.
    pub(super) fn of(
        session: &Session,
        surroundings: &Surroundings,
        interrupts: &Interrupts,
    ) -> Option<Self> {
        if !is_asked_for(&session.configured) {
            return None;
        }
        let repository = &session.repository;
        let search = surroundings.variable("PATH").unwrap_or_default();
        let directories: Vec<PathBuf> = std::env::split_paths(search).collect();
        let directory = repository.work_dir().unwrap_or(repository.git_dir());
        let places = session.places.as_ref();
        Some(Self {
            git: file::find("git", &directories),
            environment: environment(session, surroundings),
            directory: directory.to_owned(),
            scratch: places
                .map(|places| places.checkouts.clone())
                .map_err(Clone::clone),
            work_trees: repository.work_trees(),
            hash: repository.hash_kind_name(),
            interrupts: interrupts.clone(),
            unsigned: RefCell::new(None),
        })
    }

    /// Says why the last commit is not signed, once; none where it is.
    pub(super) fn unsigned(&self) -> Option<String> {
        self.unsigned.take()
    }

    /// Makes the signed commit, or says why it cannot be made.
    fn try_sign(&self, commit: &[u8]) -> Result<Vec<u8>, String> {
        let text = std::str::from_utf8(commit).map_err(|_| "it is not UTF-8".to_owned())?;
        let parts = Parts::of(text).ok_or("it is no commit")?;
        let folder = self.scratch.as_ref().map_err(Clone::clone)?;
        let own = PrivateDirectory::make(folder, &self.work_trees).map_err(told)?;
        lay_out(own.path(), self.hash).map_err(told)?;
        let mut line = vec!["commit-tree", "-S", "-F", "-"];
        line.extend(parts.parents.iter().flat_map(|parent| ["-p", parent]));
        line.push(parts.tree);
        let id = self.git(own.path(), &parts, &line, parts.message)?;
        let id = String::from_utf8_lossy(&id);
        let signed = self.git(own.path(), &parts, &["cat-file", "commit", id.trim()], "")?;
        let holds = std::str::from_utf8(&signed)
            .ok()
            .and_then(Parts::of)
            .is_some_and(|made| made.says_as(&parts) && made.is_signed);
        if holds {
            Ok(signed)
        } else {
            Err("git wrote another commit".to_owned())
        }
    }

    /// Runs git in the repository of its own.
    fn git(
        &self,
        own: &Path,
        parts: &Parts<'_>,
        line: &[&str],
        input: &str,
    ) -> Result<Vec<u8>, String> {
        let mut environment = self.environment.clone();
        environment.insert("GIT_DIR".into(), own.into());
        for (who, [name, email, date]) in [("AUTHOR", parts.author), ("COMMITTER", parts.committer)]
        {
            environment.insert(format!("GIT_{who}_NAME").into(), name.into());
            environment.insert(format!("GIT_{who}_EMAIL").into(), email.into());
            environment.insert(format!("GIT_{who}_DATE").into(), format!("@{date}").into());
        }
        let settings = [
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "i18n.commitEncoding=UTF-8",
        ];
        let spec = ToolSpec {
            program: self.git.clone().ok_or("there is no git in PATH")?,
            args: settings.iter().chain(line).map(OsString::from).collect(),
            directory: self.directory.clone(),
            environment,
            input: input.as_bytes().to_vec(),
            timeout: PATIENCE,
            max_output: MAX_OUTPUT,
        };
        let said = tool(&spec, &self.interrupts).map_err(told)?;
        if said.code == Some(0) {
            Ok(said.output)
        } else {
            Err(last_words(&said))
        }
    }
}

impl SignsCommits for CommitSigning {
    fn signed(&self, commit: &[u8]) -> Option<Vec<u8>> {
        let made = self.try_sign(commit);
        *self.unsigned.borrow_mut() = made.as_ref().err().cloned();
        made.ok()
    }
}

/// Says whether commits of the ledger are to be signed: `planAudit.signNotes` says so, else
/// `commit.gpgSign` does.
fn is_asked_for(configured: &Settings) -> bool {
    let own = configured.sign_notes.value();
    let asked = own.or(configured.sign_commits.value());
    asked.is_some_and(|asked| asked.value)
}

/// Returns what git sees: our own variables, where the objects are, and which key signs.
fn environment(session: &Session, surroundings: &Surroundings) -> BTreeMap<OsString, OsString> {
    let mut seen = surroundings.variables.clone();
    for name in ELSEWHERE {
        seen.remove(OsStr::new(name));
    }
    let objects = session.repository.common_dir().join("objects");
    for (name, value) in [
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects.as_os_str()),
        ("GIT_NO_LAZY_FETCH", OsStr::new("1")),
        ("GIT_NO_REPLACE_OBJECTS", OsStr::new("1")),
        ("LC_ALL", OsStr::new("C.UTF-8")),
    ] {
        seen.insert(name.into(), value.to_owned());
    }
    let count = surroundings.variable("GIT_CONFIG_COUNT");
    let mut count = count
        .and_then(|count| count.to_str()?.parse::<usize>().ok())
        .unwrap_or_default();
    let configured = &session.configured;
    for (key, setting) in [
        ("user.signingKey", &configured.signing_key),
        ("gpg.format", &configured.signing_format),
    ] {
        if let Some(found) = setting.value() {
            seen.insert(format!("GIT_CONFIG_KEY_{count}").into(), key.into());
            let value = found.value.clone();
            seen.insert(format!("GIT_CONFIG_VALUE_{count}").into(), value.into());
            count += 1;
        }
    }
    seen.insert("GIT_CONFIG_COUNT".into(), count.to_string().into());
    seen
}

/// What a commit says.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Parts<'a> {
    tree: &'a str,
    parents: Vec<&'a str>,
    /// Name, email, and time with zone.
    author: [&'a str; 3],
    committer: [&'a str; 3],
    is_signed: bool,
    message: &'a str,
}

impl<'a> Parts<'a> {
    /// Takes a commit apart; none where it is not one that this tool or git writes.
    fn of(commit: &'a str) -> Option<Self> {
        let (header, message) = commit.split_once("\n\n")?;
        let mut lines = header.lines();
        let tree = lines.next()?.strip_prefix("tree ")?;
        let rest: Vec<&str> = lines.collect();
        let one = |name: &str| rest.iter().find_map(|line| line.strip_prefix(name));
        let parents = rest.iter().filter_map(|line| line.strip_prefix("parent "));
        Some(Self {
            tree,
            parents: parents.collect(),
            author: person(one("author ")?)?,
            committer: person(one("committer ")?)?,
            is_signed: one("gpgsig ").or(one("gpgsig-sha256 ")).is_some(),
            message,
        })
    }

    /// Says whether it is of the same trees and says the same. Names may be spelled as git cleans them.
    fn says_as(&self, other: &Self) -> bool {
        self.tree == other.tree && self.parents == other.parents && self.message == other.message
    }
}

/// Takes a name, an email, and a time with its zone apart.
fn person(text: &str) -> Option<[&str; 3]> {
    let (name, rest) = text.split_once(" <")?;
    let (email, time) = rest.split_once("> ")?;
    Some([name, email, time])
}

/// Says what keeps a signature from being made.
fn told(error: impl std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Returns what git and the signer said, on one line.
fn last_words(said: &ToolOutput) -> String {
    let errors = String::from_utf8_lossy(&said.errors);
    let lines = errors
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let text = lines.map(shown).collect::<Vec<_>>().join("; ");
    if text.is_empty() {
        "git said nothing".to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_taken_apart_and_compared_without_its_signature() {
        let plain =
            "tree 1\nparent 2\nparent 3\nauthor A. <a@b> 1 +0000\ncommitter C <> 2 -0100\n\nx\n";
        let signed = plain.replace("\n\nx", "\ngpgsig -----BEGIN\n \n -----END\n\nx");
        let signed = signed.replace("A. <", "A <");

        let (plain, signed) = (Parts::of(plain).unwrap(), Parts::of(&signed).unwrap());

        assert_eq!(plain.author, ["A.", "a@b", "1 +0000"]);
        assert_eq!(plain.committer, ["C", "", "2 -0100"]);
        assert_eq!(plain.parents, ["2", "3"]);
        assert!(signed.says_as(&plain) && signed.is_signed && !plain.is_signed);
        assert!(
            !Parts {
                tree: "4",
                ..signed
            }
            .says_as(&plain)
        );
        assert_eq!(Parts::of("blob"), None);
    }
}
