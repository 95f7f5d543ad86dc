//! Steps that are under way, written down before they start: what a killed run leaves behind.
//!
//! The file of a step is locked while its run lives. One that is there and not locked tells of a run
//! that was killed. Anybody who can write to the git directory can write one, so that it may only
//! count against a step, never for it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag};
use serde::{Deserialize, Serialize};

use super::file::{make_directory, unreadable, unwritable};
use super::places::Places;
use super::{LocalError, file};
use crate::engine::ports::{Noticed, Run};
use crate::model::ids::{AttemptId, Digest, PlanName};
use crate::model::record::Intent;
use crate::wire::own;
use crate::wire::text::Text;

/// How many files are looked at; nobody has so many steps under way.
const MOST: usize = 1000;
/// How often a file is made anew that somebody takes away before it is locked.
const TRIES: u32 = 10;

/// An intent as a file holds it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    v: own::First,
    plan: Text<PlanName>,
    contract: Text<Digest>,
    attempt: Text<AttemptId>,
    step: u64,
}

/// A step that is under way: its file is locked until this is dropped.
#[derive(Debug)]
pub(crate) struct UnderWay {
    path: PathBuf,
    /// Held for what its drop does.
    _held: Flock<File>,
}

impl UnderWay {
    /// Forgets the step, whose result is recorded.
    pub(crate) fn close(self) -> Result<(), LocalError> {
        file::remove(&self.path)
    }
}

/// Writes down, durably, that a step is about to start.
pub(crate) fn begin(places: &Places, intent: &Intent) -> Result<UnderWay, LocalError> {
    let directory = places.common.join("intents");
    make_directory(&directory)?;
    demand_directory(&directory)?;
    let path = directory.join(format!("{}-{}.json", intent.attempt, intent.step));
    let bytes = own::write(&Members {
        v: own::First,
        plan: Text(intent.plan.clone()),
        contract: Text(intent.contract),
        attempt: Text(intent.attempt),
        step: intent.step,
    })
    .map_err(|error| unwritable(&path, io::Error::other(error)))?;
    let held = locked(&path).map_err(|error| unwritable(&path, error))?;
    write(&held, &directory, &bytes).map_err(|error| unwritable(&path, error))?;
    Ok(UnderWay { path, _held: held })
}

/// Demands a directory that is no link.
fn demand_directory(path: &Path) -> Result<(), LocalError> {
    let entry = fs::symlink_metadata(path).map_err(|error| unreadable(path, error))?;
    if entry.is_dir() {
        return Ok(());
    }
    Err(unwritable(
        path,
        io::Error::from(io::ErrorKind::NotADirectory),
    ))
}

/// Makes a file and locks it. A reader that comes between the two takes it for a torn one and removes
/// it; then it is made again.
fn locked(path: &Path) -> io::Result<Flock<File>> {
    for _ in 0..TRIES {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC).bits())
            .open(path)?;
        let held = Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, error)| error)?;
        if held.metadata()?.nlink() > 0 {
            return Ok(held);
        }
    }
    Err(io::Error::other("somebody takes it away again and again"))
}

/// Writes the text of a file and flushes it and its name.
fn write(mut file: &File, directory: &Path, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()?;
    File::open(directory)?.sync_all()
}

/// Lists what is written down. What is no intent and belongs to nobody is removed.
pub(crate) fn list(places: &Places) -> Result<Vec<Noticed>, LocalError> {
    let directory = places.common.join("intents");
    // What lies behind a planted link is nobody's intent, and nothing there may be removed.
    if demand_directory(&directory).is_err() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&directory).map_err(|error| unreadable(&directory, error))?;
    let mut names = Vec::new();
    for entry in entries.take(MOST) {
        let entry = entry.map_err(|error| unreadable(&directory, error))?;
        names.extend(
            entry
                .file_name()
                .into_string()
                .ok()
                .filter(|name| is_ours(name)),
        );
    }
    names.sort();
    Ok(names
        .into_iter()
        .filter_map(|name| notice(&directory, name))
        .collect())
}

/// Says whether a name is one that a step's file gets.
fn is_ours(name: &str) -> bool {
    let stem = name
        .strip_suffix(".json")
        .and_then(|stem| stem.split_once('-'));
    stem.is_some_and(|(attempt, step)| {
        AttemptId::parse(attempt).is_some() && step.parse::<u64>().is_ok()
    })
}

/// Reads one file; none when it tells nothing.
fn notice(directory: &Path, name: String) -> Option<Noticed> {
    let path = directory.join(&name);
    // A reader shares the lock with other readers: they do not take each other for a run.
    let file = file::open(&path).ok()?;
    let (run, _held) = match Flock::lock(file, FlockArg::LockSharedNonblock) {
        Ok(held) => (Run::Killed, Some(held)),
        Err((_, Errno::EWOULDBLOCK)) => (Run::Alive, None),
        Err(_) => return None,
    };
    match (read(&path), run) {
        (Some(intent), run) => Some(Noticed { name, intent, run }),
        (None, Run::Killed) => {
            // Its run was killed before it could start the step, or it is nobody's.
            drop(file::remove(&path));
            None
        }
        (None, Run::Alive) => None,
    }
}

/// Reads an intent; none when the file holds none.
fn read(path: &Path) -> Option<Intent> {
    let bytes = file::read(path).ok()??;
    let members: Members = own::read(&bytes).ok()?;
    Some(Intent {
        plan: members.plan.0,
        contract: members.contract.0,
        attempt: members.attempt.0,
        step: members.step,
    })
}

/// Forgets an intent whose run was killed, once that is recorded.
pub(crate) fn forget(places: &Places, name: &str) -> Result<(), LocalError> {
    file::remove(&places.common.join("intents").join(name))
}

#[cfg(test)]
mod tests {
    use super::super::vector_tests::Files;
    use super::*;

    fn intent(step: u64) -> Intent {
        Intent {
            plan: PlanName::default_plan(),
            contract: Digest::ZERO,
            attempt: AttemptId::new([7; 16]),
            step,
        }
    }

    fn listed(files: &Files) -> Vec<(u64, Run)> {
        let found = list(files.places()).unwrap().into_iter();
        found.map(|each| (each.intent.step, each.run)).collect()
    }

    #[test]
    fn a_step_is_under_way_until_its_run_ends_and_killed_after_that() {
        let files = Files::new();
        let first = begin(files.places(), &intent(1)).unwrap();
        let second = begin(files.places(), &intent(2)).unwrap();
        assert_eq!(listed(&files), [(1, Run::Alive), (2, Run::Alive)]);

        first.close().unwrap();
        drop(second);

        assert_eq!(listed(&files), [(2, Run::Killed)]);
        let found = list(files.places()).unwrap().remove(0);
        assert_eq!(found.intent, intent(2));
        forget(files.places(), &found.name).unwrap();
        assert_eq!(listed(&files), []);
    }

    #[test]
    fn two_readers_at_once_see_the_same() {
        let files = Files::new();
        drop(begin(files.places(), &intent(1)).unwrap());
        let path = files.places().common.join("intents");
        let name = fs::read_dir(&path).unwrap().next().unwrap().unwrap().path();
        let reader = Flock::lock(file::open(&name).unwrap(), FlockArg::LockShared).unwrap();

        assert_eq!(listed(&files), [(1, Run::Killed)]);
        drop(reader);
    }

    #[test]
    fn a_torn_file_is_removed_and_its_name_can_be_used_again() {
        let files = Files::new();
        let path = files.path("intents");
        fs::write(&path, "{\"v\":1").unwrap();

        assert_eq!(listed(&files), []);

        assert!(!path.exists());
    }

    #[test]
    fn what_is_not_ours_stays_and_nothing_is_removed_behind_a_planted_link() {
        let files = Files::new();
        let directory = files.path("intents").parent().unwrap().to_owned();
        let mine = directory.join("mine.txt");
        fs::write(&mine, "x").unwrap();
        assert_eq!(listed(&files), []);
        let elsewhere = files.places().common.join("elsewhere");
        fs::rename(&directory, &elsewhere).unwrap();
        let torn = elsewhere.join(format!("{}-1.json", AttemptId::new([7; 16])));
        fs::write(&torn, "x").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &directory).unwrap();

        assert_eq!(listed(&files), []);

        assert!(begin(files.places(), &intent(2)).is_err());
        assert!(torn.exists() && elsewhere.join("mine.txt").exists());
    }

    #[test]
    fn nothing_is_written_through_a_planted_link() {
        let files = Files::new();
        let victim = files.places().common.join("victim");
        let directory = files.path("intents").parent().unwrap().to_owned();
        let name = format!("{}-1.json", AttemptId::new([7; 16]));
        std::os::unix::fs::symlink(&victim, directory.join(name)).unwrap();

        assert!(begin(files.places(), &intent(1)).is_err());

        assert!(!victim.exists());
    }
}
