//! `deinit`: takes out what `init` put into the repository, and names what it leaves.

use std::path::PathBuf;

use super::initialise::Initialise;
use super::initialise::clean::Clean;
use super::initialise::hooks::{calls, program};
use super::initialise::remotes::{demand, refspec};
use super::session::local;
use crate::engine::stop::Stop;
use crate::local::hooks::{self, Standing};
use crate::model::finding::{Finding, hook as rows};
use crate::model::hook::Hook;
use crate::model::outcome::Deinitialised;

/// Takes it out.
pub(super) fn run(init: &Initialise<'_>) -> Result<(Deinitialised, Vec<Finding>), Stop> {
    let mut removed = Vec::new();
    let mut findings = Vec::new();
    for directory in directories(init)? {
        for hook in Hook::ALL {
            let path = directory.join(hook.as_str());
            let standing = hooks::standing(&path, hook, &program(init)).map_err(local)?;
            match standing {
                Standing::Ours | Standing::OursElsewhere => {
                    let was_kept = hooks::is_kept(&path);
                    hooks::take_out(&path).map_err(local)?;
                    let back = if was_kept {
                        ", and put back what was there before"
                    } else {
                        ""
                    };
                    removed.push(format!("{}{back}", path.display()));
                }
                Standing::Edited => findings.push(left(&path, "was edited")),
                Standing::Foreign(text) if calls(&text, hook) => {
                    findings.push(left(&path, "was made by somebody else"));
                }
                Standing::Absent | Standing::Foreign(_) | Standing::NoFile => {}
            }
        }
    }
    removed.extend(refspecs(init)?);
    let left = remains(init)?;
    Ok((Deinitialised { removed, left }, findings))
}

/// Returns where hooks of ours may lie: where git looks now, and where it usually looks.
fn directories(init: &Initialise<'_>) -> Result<Vec<PathBuf>, Stop> {
    let repository = &init.session.repository;
    let place = repository.hook_place();
    let place = place.map_err(Stop::broken("find where git looks for hooks"))?;
    let mut directories = vec![place.directory];
    let usual = repository.usual_hooks();
    if !directories.contains(&usual) {
        directories.push(usual);
    }
    Ok(directories)
}

/// Says that a hook is left.
fn left(path: &std::path::Path, why: &str) -> Finding {
    let message = format!("{} calls this tool and {why}: it is left", path.display());
    let hint =
        "take the call out of it, or every commit or push is refused once this program is gone";
    Finding::new(&rows::LEFT, message).hint(hint)
}

/// Takes the refspecs of the evidence out of the configuration.
fn refspecs(init: &Initialise<'_>) -> Result<Option<String>, Stop> {
    let remotes = init.session.configured.remotes.iter();
    let with = remotes.filter(|remote| remote.fetch.contains(&refspec(&remote.name)));
    let names: Vec<&str> = with.map(|remote| remote.name.as_str()).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let clean = Clean::make(init)?;
    let config = init.session.repository.common_dir().join("config");
    let config = config.display().to_string();
    for name in &names {
        let (key, value) = (format!("remote.{name}.fetch"), refspec(name));
        let line = ["config", "--file", &config, "--unset-all", "--fixed-value"];
        let said = clean.git(&[&line[..], &[&key, &value]].concat())?;
        demand(&said, "take out a fetch refspec")?;
    }
    let names = names.join(", ");
    Ok(Some(format!(
        "the fetch refspec for the evidence of {names}"
    )))
}

/// Names what is left: it may be all that proves what was done here.
fn remains(init: &Initialise<'_>) -> Result<Vec<String>, Stop> {
    let places = init.session.places()?;
    let mut left = Vec::new();
    if init.had_ledger {
        left.push(
            "the evidence, refs/notes/plan-audit and refs/plan-audit/, which is the proof of what was done here"
                .to_owned(),
        );
    }
    let shown = [
        (&places.common, "what this clone knows of itself"),
        (&places.keys, "keys that were made here"),
    ];
    let there = shown.into_iter().filter(|(path, _)| path.exists());
    left.extend(there.map(|(path, what)| format!("{what}, {}", path.display())));
    Ok(left)
}
