//! Remotes: the refspec that fetches evidence, and the ledger that may be there already.

use super::clean::Clean;
use super::{Initialise, NotesPort};
use crate::engine::ports::Cause;
use crate::engine::stop::Stop;
use crate::ledger::notes::Notes as _;
use crate::model::ids::Oid;
use crate::model::repository::LEDGER;
use crate::model::settings::Remote;
use crate::proc::ToolOutput;

/// What was done about the remotes.
pub(super) struct Prepared {
    /// What was written, a line each for refspecs, ledger and remotes out of reach.
    pub(super) lines: Vec<String>,
    /// The remotes that got a refspec.
    pub(super) added: Vec<String>,
    /// The remotes whose ledger was taken over.
    pub(super) fetched: Vec<String>,
}

/// Returns the refspec that fetches the evidence of a remote.
pub(in crate::app) fn refspec(remote: &str) -> String {
    format!("+refs/notes/plan-audit*:refs/plan-audit/remotes/{remote}/notes*")
}

/// Adds the refspec to every remote that lacks it, and fetches the ledger where there is none
/// here.
pub(super) fn prepare(init: &Initialise<'_>) -> Result<Prepared, Stop> {
    let (mut added, mut fetched, mut silent) = (Vec::new(), Vec::new(), Vec::new());
    if init.session.configured.remotes.is_empty() {
        return Ok(Prepared {
            lines: Vec::new(),
            added: Vec::new(),
            fetched: Vec::new(),
        });
    }
    let clean = Clean::make(init)?;
    let config = init.session.repository.common_dir().join("config");
    let config = config.display().to_string();
    for remote in &init.session.configured.remotes {
        let name = remote.name.as_str();
        let refspec = refspec(name);
        if !remote.fetch.contains(&refspec) {
            let key = format!("remote.{name}.fetch");
            let said = clean.git(&["config", "--file", &config, "--add", &key, &refspec])?;
            demand(&said, "add a fetch refspec")?;
            added.push(name);
        }
        match fetch(init, &clean, remote)? {
            Fetched::Nothing => {}
            Fetched::Ledger => fetched.push(name),
            Fetched::Unreachable => silent.push(name),
        }
    }
    let line = |names: &[&str], what: &str| {
        (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
    };
    let lines = [
        line(&added, "a fetch refspec for the evidence of"),
        line(&fetched, "the ledger, fetched from"),
        line(&silent, "no ledger, since it could not be reached:"),
    ];
    Ok(Prepared {
        lines: lines.into_iter().flatten().collect(),
        added: added.into_iter().map(str::to_owned).collect(),
        fetched: fetched.into_iter().map(str::to_owned).collect(),
    })
}

/// What asking a remote for its ledger gave.
enum Fetched {
    /// There is a ledger here, or none there.
    Nothing,
    /// Its ledger is here now.
    Ledger,
    /// It did not answer.
    Unreachable,
}

/// Fetches the ledger of a remote when there is none here.
fn fetch(init: &Initialise<'_>, clean: &Clean<'_>, remote: &Remote) -> Result<Fetched, Stop> {
    let notes = NotesPort::of(init.session);
    let tip = notes
        .tip()
        .map_err(|error| Stop::broken("read the ledger")(error.into()))?;
    if tip.is_some() {
        return Ok(Fetched::Nothing);
    }
    let Some(url) = &remote.url else {
        return Ok(Fetched::Unreachable);
    };
    let all = format!("+{LEDGER}*:{LEDGER}*");
    let said = clean.git(&["fetch", "--quiet", "--prune", "--no-tags", "--", url, &all])?;
    if said.code != Some(0) {
        return Ok(Fetched::Unreachable);
    }
    let format = "--format=%(objectname) %(refname)";
    let said = clean.git(&["for-each-ref", format, "refs/notes/"])?;
    demand(&said, "list what was fetched")?;
    let received = received(&String::from_utf8_lossy(&said.output));
    let taken = init.session.repository.take_over(&remote.name, &received);
    let taken = taken.map_err(Stop::broken("take over the fetched ledger"))?;
    Ok(if taken {
        Fetched::Ledger
    } else {
        Fetched::Nothing
    })
}

/// Reads what git lists: what follows the name of the ledger, and the object it names.
fn received(list: &str) -> Vec<(String, Oid)> {
    let lines = list.lines().filter_map(|line| {
        let (id, name) = line.split_once(' ')?;
        let after = name.strip_prefix(LEDGER)?;
        Some((after.to_owned(), Oid::parse(id)?))
    });
    lines.collect()
}

/// Demands that git succeeded.
pub(in crate::app) fn demand(said: &ToolOutput, doing: &str) -> Result<(), Stop> {
    if said.code == Some(0) {
        return Ok(());
    }
    let text = crate::model::text::shown(String::from_utf8_lossy(&said.errors).trim());
    Err(Stop::broken(doing)(Cause::from(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_references_of_the_ledger_are_received() {
        let id = "1".repeat(40);
        let list = format!("{id} {LEDGER}\n{id} {LEDGER}-old\n{id} refs/notes/x\nx {LEDGER}/y\n");

        let names: Vec<String> = received(&list).into_iter().map(|(name, _)| name).collect();

        assert_eq!(names, ["", "-old"]);
    }
}
