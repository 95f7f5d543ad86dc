//! The way of the ledger to remotes and back: one reference, never by force, by a git that reads
//! none of the repository's settings and runs no hook.

use super::initialise::Initialise;
use super::initialise::clean::Clean;
use super::session::Session;
use super::storage::NotesPort;
use super::surroundings::Surroundings;
use crate::engine::ports::{Cause, Fetched, Pushed, Transport};
use crate::engine::stop::{Stop, causes};
use crate::ledger::notes::Notes as _;
use crate::model::ids::Oid;
use crate::model::repository::LEDGER;
use crate::model::settings::Remote;
use crate::model::text::shown;
use crate::proc::{Interrupts, ToolOutput};

/// What our own push says beside what is pushed where. No hook runs, so that none calls us again.
const PUSH: [&str; 7] = [
    "push",
    "--porcelain",
    "--no-verify",
    "--no-signed",
    "--no-follow-tags",
    "--recurse-submodules=no",
    "--",
];

/// What a remote says that somebody else moved its ledger a moment before.
const OVERTAKEN: [&str; 3] = [
    "failed to update ref",
    "incorrect old value",
    "cannot lock ref",
];

/// How many lines of a server that refuses are quoted.
const QUOTED: usize = 3;
/// What git says of a remote whose own program has said why.
const UNREAD: &str = "fatal: Could not read from remote repository.";

/// Carries the ledger of one clone.
pub(super) struct TransportPort<'a> {
    /// Who asks git: the repository, and what the process was started with.
    init: Initialise<'a>,
}

impl<'a> TransportPort<'a> {
    /// Wires the way for an open repository.
    pub(super) const fn new(
        session: &'a Session,
        surroundings: &'a Surroundings,
        interrupts: &'a Interrupts,
    ) -> Self {
        let init = Initialise {
            surroundings,
            interrupts,
            session,
            had_ledger: true,
        };
        Self { init }
    }

    /// Returns a remote that is configured.
    fn remote(&self, name: &str) -> Option<&Remote> {
        let mut remotes = self.init.session.configured.remotes.iter();
        remotes.find(|remote| remote.name == name)
    }

    /// Returns where a remote is pushed to.
    fn push_address(&self, name: &str) -> Option<&str> {
        let remote = self.remote(name)?;
        remote.push_url.as_deref().or(remote.url.as_deref())
    }

    /// Fetches into a repository of its own, which knows what is here, and reads the tip there.
    fn fetched(&self, remote: &str, url: &str) -> Result<Fetched, Stop> {
        let clean = Clean::make(&self.init)?;
        let here = NotesPort::of(self.init.session).tip().ok().flatten();
        let seen = self.init.session.repository.ledger_at(remote);
        let known: Vec<Oid> = here.into_iter().chain(seen).collect();
        clean.know(&known)?;
        let all = format!("+{LEDGER}*:{LEDGER}*");
        let said = clean.git(&["fetch", "--quiet", "--no-tags", "--", url, &all])?;
        if said.code != Some(0) {
            return Ok(Fetched::Unreachable(silence(&said)));
        }
        let said = clean.git(&["for-each-ref", "--format=%(objectname) %(refname)", LEDGER])?;
        Ok(found(&String::from_utf8_lossy(&said.output)))
    }
}

impl Transport for TransportPort<'_> {
    fn remotes(&self) -> Vec<String> {
        let remotes = self.init.session.configured.remotes.iter();
        remotes.map(|remote| remote.name.clone()).collect()
    }

    fn chosen(&self) -> Option<String> {
        let named = self.init.session.configured.remote.value()?;
        Some(named.value.clone())
    }

    fn upstream(&self) -> Option<String> {
        self.init.session.repository.upstream_remote()
    }

    fn last_seen(&self, remote: &str) -> Result<Option<Oid>, Cause> {
        Ok(self.init.session.repository.ledger_at(remote))
    }

    fn fetch(&self, remote: &str) -> Result<Fetched, Cause> {
        let url = self.remote(remote).and_then(|remote| remote.url.as_deref());
        let Some(url) = url else {
            return Ok(Fetched::Unreachable("it has no address".to_owned()));
        };
        self.fetched(remote, url).map_err(told)
    }

    fn push(&self, remote: &str, url: Option<&str>, tip: &Oid) -> Result<Pushed, Cause> {
        let Some(url) = url.or_else(|| self.push_address(remote)) else {
            return Ok(Pushed::Unreachable("it has no address".to_owned()));
        };
        let line = format!("{tip}:{LEDGER}");
        let arguments = [&PUSH[..], &[url, &line]].concat();
        let clean = Clean::make(&self.init).map_err(told)?;
        let said = clean.git(&arguments).map_err(told)?;
        Ok(answer(&said))
    }

    fn saw(&self, remote: &str, tip: &Oid) -> Result<(), Cause> {
        self.init.session.repository.note_published(remote, tip)
    }

    fn is_merging(&self) -> Result<bool, Cause> {
        Ok(self.init.session.repository.is_merging_notes()?)
    }
}

/// Finds the ledger among references of a remote, each after its object: one below its name is none.
fn found(list: &str) -> Fetched {
    let mut names = list.lines().filter_map(|line| line.split_once(' '));
    match names.next() {
        Some((id, LEDGER)) => Oid::parse(id).map_or(Fetched::Nothing, Fetched::Ledger),
        Some((_, other)) => Fetched::Obstructed(shown(other)),
        None => Fetched::Nothing,
    }
}

/// Reads what a push gave: git says it in a form of its own that no language changes.
fn answer(said: &ToolOutput) -> Pushed {
    if said.code == Some(0) {
        return Pushed::Done;
    }
    let output = String::from_utf8_lossy(&said.output);
    let Some(line) = output.lines().find(|line| line.starts_with('!')) else {
        return Pushed::Unreachable(silence(said));
    };
    let summary = line.rsplit('\t').next().unwrap_or_default();
    let reason = summary.strip_prefix("[remote rejected]");
    match reason {
        None => Pushed::Behind,
        Some(reason) if OVERTAKEN.iter().any(|said| reason.contains(said)) => Pushed::Behind,
        Some(reason) => {
            let reason = reason.trim().trim_start_matches('(').trim_end_matches(')');
            Pushed::Refused(shown(reason) + &remarks(said))
        }
    }
}

/// Quotes what the server says of a refusal beside the reason: the first lines of its hooks and of git
/// there.
fn remarks(said: &ToolOutput) -> String {
    let errors = String::from_utf8_lossy(&said.errors);
    let lines = errors
        .lines()
        .filter_map(|line| line.strip_prefix("remote:"));
    let lines = lines.map(str::trim).filter(|line| !line.is_empty());
    let quoted: Vec<String> = lines.take(QUOTED).map(shown).collect();
    if quoted.is_empty() {
        return String::new();
    }
    format!(" (it says: {})", quoted.join("; "))
}

/// Says why a remote did not answer, in the words of git.
fn silence(said: &ToolOutput) -> String {
    let errors = String::from_utf8_lossy(&said.errors);
    let mut lines = errors
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let told = lines.find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
    let first = errors.lines().map(str::trim).find(|line| !line.is_empty());
    let told = match (told, first) {
        // What ssh said before it is the reason.
        (Some(told), Some(first)) if told == UNREAD && first != told => format!("{first}; {told}"),
        (told, first) => told.or(first).unwrap_or("git said nothing").to_owned(),
    };
    shown(&told)
}

/// Says why git could not be run.
fn told(stop: Stop) -> Cause {
    match stop {
        Stop::Refused(findings) | Stop::Unknown(findings) => {
            let messages = findings.into_iter().map(|finding| finding.message);
            messages.collect::<Vec<_>>().join("; ").into()
        }
        Stop::Broken { doing, cause } => format!("cannot {doing}: {}", causes(&*cause)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str, errors: &str) -> Pushed {
        answer(&ToolOutput {
            code: Some(1),
            signal: None,
            output: output.into(),
            errors: errors.into(),
        })
    }

    #[test]
    fn a_reference_below_the_ledger_is_not_the_ledger() {
        let id = "1".repeat(40);
        let tip = Oid::parse(&id).unwrap();

        assert_eq!(found(&format!("{id} {LEDGER}\n")), Fetched::Ledger(tip));
        let below = format!("{LEDGER}/zz");
        let obstructed = Fetched::Obstructed(below.clone());
        assert_eq!(found(&format!("{id} {below}\n")), obstructed);
        assert_eq!(found(""), Fetched::Nothing);
    }

    #[test]
    fn a_remote_that_moved_that_refuses_and_that_is_silent_are_told_apart() {
        let line = |why: &str| format!("To x\n!\t1:refs/notes/plan-audit\t{why}\nDone\n");

        for why in [
            "[rejected] (fetch first)",
            "[rejected] (non-fast-forward)",
            "[remote rejected] (failed to update ref)",
            "[remote rejected] (incorrect old value provided)",
        ] {
            assert_eq!(said(&line(why), "error: x\n"), Pushed::Behind, "{why}");
        }
        assert_eq!(
            said(&line("[remote rejected] (hook declined)"), ""),
            Pushed::Refused("hook declined".to_owned())
        );
        let remote = "remote: denied by \u{1b}[1mpolicy        \nremote: \nremote: ask Ada\nTo x\n";
        let Pushed::Refused(told) = said(&line("[remote rejected] (hook declined)"), remote) else {
            panic!("it is refused");
        };
        assert!(
            told.starts_with("hook declined (it says: denied by "),
            "{told}"
        );
        assert!(
            told.ends_with("policy; ask Ada)") && !told.contains('\u{1b}'),
            "{told}"
        );
        assert_eq!(
            said("", "\nhint: x\nfatal: no such host\nmore\n"),
            Pushed::Unreachable("fatal: no such host".to_owned())
        );
        let ssh = "ssh: connect to host x port 1: Connection refused\r\n";
        assert_eq!(
            said("", &format!("{ssh}{UNREAD}\n\nPlease make sure\n")),
            Pushed::Unreachable(format!("{}; {UNREAD}", ssh.trim()))
        );
    }
}
