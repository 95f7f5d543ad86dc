//! A push that harms nobody: a dry run, into an empty repository of our own, through the hooks that git
//! runs for this user. Our hook notes what it was told and refuses: a push that goes through all the
//! same shows a gate that is none.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::initialise::Initialise;
use crate::app::pushed::CANARY;
use crate::app::session::local;
use crate::engine::stop::{Stop, causes};
use crate::local::file::{make_directory, read, write_plain};
use crate::local::private::PrivateDirectory;
use crate::local::random;
use crate::model::hook::Heard;
use crate::model::pushed::trial;
use crate::model::text::shown;
use crate::proc::{ToolSpec, file, tool};

/// How long a push may take: the hooks of others run too.
const PATIENCE: Duration = Duration::from_mins(10);
/// How much git and those hooks may write, in bytes.
const MAX_OUTPUT: usize = 16 << 20;
/// What is pushed.
const REFERENCES: [&str; 2] = [
    "refs/heads/plan-audit-canary-1",
    "refs/heads/plan-audit-canary-2",
];
/// The words of the push. Nothing of what else is configured is pushed along.
const PUSH: [&str; 6] = [
    "push",
    "--dry-run",
    "--no-signed",
    "--no-follow-tags",
    "--recurse-submodules=no",
    "--",
];

/// Variables that would lead git to another repository than that of the work tree.
pub(in crate::app) const ELSEWHERE: [&str; 8] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
];

/// A place to push to.
pub(super) struct Canary<'a> {
    init: &'a Initialise<'a>,
    directory: PrivateDirectory,
    program: PathBuf,
    /// What only our hook can have noted, since it was drawn just now.
    word: String,
}

/// What became of a push.
pub(super) struct Flown {
    /// What our hook heard.
    pub(super) heard: Heard,
    /// What git said, where our hook heard nothing; safe to show.
    pub(super) said: String,
}

impl Flown {
    /// Says that none was tried.
    pub(super) const fn untried() -> Self {
        Self {
            heard: Heard::Untried,
            said: String::new(),
        }
    }
}

impl<'a> Canary<'a> {
    /// Makes the repository to push to.
    pub(super) fn make(init: &'a Initialise<'a>) -> Result<Self, Stop> {
        let repository = &init.session.repository;
        let places = init.session.places()?;
        let directory = PrivateDirectory::make(&places.checkouts, &repository.work_trees());
        let directory = directory.map_err(local)?;
        let remote = directory.path().join("remote.git");
        for part in ["objects", "refs"] {
            make_directory(&remote.join(part)).map_err(local)?;
        }
        let kind = repository.hash_kind_name();
        let config = match kind {
            "sha1" => "[core]\n\tbare = true\n\trepositoryFormatVersion = 0\n".to_owned(),
            _ => format!(
                "[core]\n\tbare = true\n\trepositoryFormatVersion = 1\n\
                 [extensions]\n\tobjectFormat = {kind}\n"
            ),
        };
        for (name, text) in [
            ("config", config.as_str()),
            ("HEAD", "ref: refs/heads/none\n"),
        ] {
            write_plain(&remote.join(name), text.as_bytes()).map_err(local)?;
        }
        let search = init.surroundings.variable("PATH").unwrap_or_default();
        let directories: Vec<_> = std::env::split_paths(search).collect();
        let program = file::find("git", &directories)
            .ok_or_else(|| Stop::broken("find git in PATH")("it is not there".into()))?;
        let word = u128::from_ne_bytes(random::bytes().map_err(local)?);
        Ok(Self {
            init,
            directory,
            program,
            word: format!("{word:032x}"),
        })
    }

    /// Pushes from a work tree.
    pub(super) fn push(&self, top: &Path) -> Result<Flown, Stop> {
        let seen = self.directory.path().join("seen");
        write_plain(&seen, trial(&self.word).as_bytes()).map_err(local)?;
        let remote = self.directory.path().join("remote.git");
        let mut args: Vec<OsString> = PUSH.iter().map(OsString::from).collect();
        args.push(remote.into_os_string());
        args.extend(REFERENCES.iter().map(|name| format!("HEAD:{name}").into()));
        let spec = ToolSpec {
            program: self.program.clone(),
            args,
            directory: top.to_owned(),
            environment: self.environment(&seen),
            input: Vec::new(),
            timeout: PATIENCE,
            max_output: MAX_OUTPUT,
        };
        let ran = tool(&spec, self.init.interrupts);
        let (went, said) = match ran {
            Ok(ran) => (ran.code == Some(0), last_line(&ran.errors)),
            Err(error) if self.init.interrupts.came().is_some() => {
                return Err(Stop::broken("try a push")(error.into()));
            }
            Err(error) => (false, causes(&error)),
        };
        let noted = read(&seen).map_err(local)?.unwrap_or_default();
        let heard = heard(&self.word, &String::from_utf8_lossy(&noted), went);
        let said = if said.is_empty() {
            said
        } else {
            format!("; git said: {}", shown(&said))
        };
        Ok(Flown { heard, said })
    }

    /// Returns what git sees: what the user has, and where to note what is heard.
    fn environment(&self, seen: &Path) -> BTreeMap<OsString, OsString> {
        let mut environment = self.init.surroundings.variables.clone();
        for name in ELSEWHERE {
            environment.remove(OsStr::new(name));
        }
        environment.insert(CANARY.into(), seen.into());
        environment.insert("GIT_TERMINAL_PROMPT".into(), "0".into());
        environment
    }
}

/// Says what was heard, from what our hook noted, and whether the push went through all the same.
fn heard(word: &str, noted: &str, went: bool) -> Heard {
    let said = noted.lines().filter_map(|line| line.strip_prefix(word));
    let said: Vec<&str> = said.filter_map(|line| line.strip_prefix(' ')).collect();
    let count = REFERENCES.iter().filter(|name| said.contains(name)).count();
    match (said.is_empty(), count) {
        (true, _) => Heard::Silence,
        (false, _) if went => Heard::Unheeded,
        (false, 0) => Heard::Nothing,
        (false, 1) => Heard::Some,
        (false, _) => Heard::All,
    }
}

/// Returns the last line that says something.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().rev();
    let line = lines.find(|line| !line.trim().is_empty());
    line.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_tells_what_was_heard() {
        let [one, two] = REFERENCES;
        for (noted, went, expected) in [
            (String::new(), true, Heard::Silence),
            (String::new(), false, Heard::Silence),
            (format!("{one}\n{two}\n"), false, Heard::Silence),
            (format!("v {one}\nv {two}\n"), false, Heard::Silence),
            ("w nothing\n".to_owned(), false, Heard::Nothing),
            (format!("w {one}\n"), false, Heard::Some),
            (format!("w {two}\nw {one}\n"), false, Heard::All),
            (format!("w {two}\nw {one}\n"), true, Heard::Unheeded),
            ("w nothing\n".to_owned(), true, Heard::Unheeded),
        ] {
            let noted = trial("w") + &noted;
            assert_eq!(heard("w", &noted, went), expected, "{noted} {went}");
        }
    }
}
