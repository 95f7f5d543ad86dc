//! Publishing the ledger: a push of one reference, never by force, by a git that reads none of the
//! repository's settings.

use super::initialise::Initialise;
use super::initialise::clean::Clean;
use super::session::Session;
use super::storage::NotesPort;
use super::surroundings::Surroundings;
use crate::engine::ports::{Publish, Published, Publisher};
use crate::engine::stop::{Stop, causes};
use crate::ledger::notes::Notes as _;
use crate::model::settings::Remote;
use crate::proc::{Interrupts, ToolOutput};

/// What our own push says beside what is pushed where. No hook runs, so that none calls us again.
const QUIETLY: [&str; 7] = [
    "push",
    "--porcelain",
    "--no-verify",
    "--no-signed",
    "--no-follow-tags",
    "--recurse-submodules=no",
    "--",
];

/// Publishes the ledger of one clone.
pub(super) struct PublisherPort<'a> {
    /// The repository.
    pub(super) session: &'a Session,
    /// What the process was started with.
    pub(super) surroundings: &'a Surroundings,
    /// Signals.
    pub(super) interrupts: &'a Interrupts,
}

impl Publisher for PublisherPort<'_> {
    fn remote(&self) -> Option<String> {
        let configured = &self.session.configured;
        if let Some(named) = configured.remote.value() {
            return Some(named.value.clone());
        }
        let repository = &self.session.repository;
        let has_ledger = |remote: &&Remote| repository.ledger_at(&remote.name).is_some();
        let mut with_ledger = configured.remotes.iter().filter(has_ledger);
        match (with_ledger.next(), with_ledger.next()) {
            (Some(one), None) => Some(one.name.clone()),
            (Some(_), Some(_)) | (None, _) => None,
        }
    }

    fn is_due(&self, remote: &str) -> bool {
        let there = self.session.repository.ledger_at(remote);
        match NotesPort::of(self.session).tip() {
            Ok(Some(tip)) => there != Some(tip),
            Ok(None) => false,
            // Publishing says what is the matter with it.
            Err(_) => true,
        }
    }

    fn publish(&self, what: &Publish<'_>) -> Published {
        let tip = match NotesPort::of(self.session).tip() {
            Ok(Some(tip)) => tip,
            Ok(None) => return Published::Unreachable("there is no ledger here".to_owned()),
            Err(error) => return Published::Unreachable(causes(&error)),
        };
        let repository = &self.session.repository;
        let Some(url) = what.url.or_else(|| self.address(what.remote)) else {
            return Published::Unreachable("it is no configured remote".to_owned());
        };
        let line = format!("{tip}:refs/notes/plan-audit");
        match self.git(&[&QUIETLY[..], &[url, &line]].concat()) {
            Ok(said) if said.code == Some(0) => {
                // What is not noted is published once more the next time, no worse.
                drop(repository.note_published(what.remote, &tip));
                Published::Done
            }
            Ok(said) => failed(&said),
            Err(stop) => Published::Unreachable(told(stop)),
        }
    }
}

impl PublisherPort<'_> {
    /// Returns where a remote is pushed to.
    fn address(&self, name: &str) -> Option<&str> {
        let mut remotes = self.session.configured.remotes.iter();
        let remote = remotes.find(|remote| remote.name == name)?;
        remote.push_url.as_deref().or(remote.url.as_deref())
    }

    /// Runs git in a repository of its own, with the objects of this one.
    fn git(&self, arguments: &[&str]) -> Result<ToolOutput, Stop> {
        let init = Initialise {
            surroundings: self.surroundings,
            interrupts: self.interrupts,
            session: self.session,
            had_ledger: true,
        };
        Clean::make(&init)?.git(arguments)
    }
}

/// Tells a ledger that was not taken from a remote that did not answer.
fn failed(said: &ToolOutput) -> Published {
    let output = String::from_utf8_lossy(&said.output);
    if let Some(line) = output.lines().find(|line| line.starts_with('!')) {
        let why = line.rsplit('\t').next().unwrap_or_default();
        return Published::Refused(why.to_owned());
    }
    let errors = String::from_utf8_lossy(&said.errors);
    let line = errors.lines().find(|line| !line.trim().is_empty());
    Published::Unreachable(line.unwrap_or("git said nothing").to_owned())
}

/// Tells why git could not be run.
fn told(stop: Stop) -> String {
    match stop {
        Stop::Refused(findings) | Stop::Unknown(findings) => {
            let messages = findings.into_iter().map(|finding| finding.message);
            messages.collect::<Vec<_>>().join("; ")
        }
        Stop::Broken { doing, cause } => format!("cannot {doing}: {}", causes(&*cause)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str, errors: &str) -> Published {
        failed(&ToolOutput {
            code: Some(1),
            signal: None,
            output: output.into(),
            errors: errors.into(),
        })
    }

    #[test]
    fn a_refusal_and_a_silence_are_told_apart() {
        let moved = "To x\n!\t1:refs/notes/plan-audit\t[rejected] (fetch first)\nDone\n";

        assert_eq!(
            said(moved, "error: failed to push\n"),
            Published::Refused("[rejected] (fetch first)".to_owned())
        );
        assert_eq!(
            said("", "\nfatal: no such host\nmore\n"),
            Published::Unreachable("fatal: no such host".to_owned())
        );
    }
}
