//! Hooks: put where git looks for them, if that place is this clone's own; else the lines to add.
//!
//! A file works with every git. Hooks in the configuration (git 2.54) are not used: an older git, such as
//! one that a graphical client brings along, passes over them without a word.

mod by_hand;
mod manager;

use std::path::{Path, PathBuf};

use super::Initialise;
use crate::app::session::local;
use crate::engine::stop::Stop;
use crate::git::hooks::{HookPlace, Whose};
use crate::local::hooks::{self, Standing};
use crate::model::finding::{Finding, hook as rows};
use crate::model::hook::Hook;
use crate::model::outcome::ByHand;
use crate::model::text::quoted;
use by_hand::Written;
use manager::Manager;
pub(in crate::app) use manager::calls;

/// What became of the hooks.
#[derive(Default)]
pub(super) struct Installed {
    /// What was written, as sentences.
    pub(super) wrote: Vec<String>,
    /// Lines that a person has to add.
    pub(super) by_hand: Vec<ByHand>,
    /// Why.
    pub(super) findings: Vec<Finding>,
}

/// Installs every hook; twice changes nothing.
pub(super) fn install(init: &Initialise<'_>) -> Result<Installed, Stop> {
    let repository = &init.session.repository;
    if repository.is_served() {
        return Ok(Installed::default());
    }
    let place = repository.hook_place();
    let place = place.map_err(Stop::broken("find where git looks for hooks"))?;
    let manager = Manager::of(&place.directory, repository.work_dir());
    let mut installing = Installing {
        program: program(init),
        own: repository.common_dir().join("hooks"),
        place,
        manager,
        fresh: Vec::new(),
        before: Vec::new(),
        foreign: Vec::new(),
        installed: Installed::default(),
    };
    for hook in Hook::ALL {
        installing.one(hook)?;
    }
    Ok(installing.end())
}

/// Says whether the hook that stands in a place asks ours: by a line of its own, or through what makes
/// the hooks there.
pub(in crate::app) fn is_called(
    place: &HookPlace,
    top: Option<&Path>,
    hook: Hook,
    standing: &Standing,
) -> Result<bool, Stop> {
    let Standing::Foreign(text) = standing else {
        return Ok(false);
    };
    let manager = Manager::of(&place.directory, top);
    let path = place.directory.join(hook.as_str());
    Ok(calls(text, hook)
        || manager.is_some_and(|manager| manager.calls(hook))
        || is_called_as_legacy(hook, &path)?)
}

/// Says whether our hook was moved aside by pre-commit, which calls it there.
fn is_called_as_legacy(hook: Hook, path: &Path) -> Result<bool, Stop> {
    let mut legacy = path.as_os_str().to_owned();
    legacy.push(".legacy");
    let standing = hooks::standing(Path::new(&legacy), hook, "");
    let is_ours = |standing| matches!(standing, Standing::Ours | Standing::OursElsewhere);
    Ok(is_ours(standing.map_err(local)?))
}

/// Returns the path of this program, where a line of a script can hold it.
pub(in crate::app) fn program(init: &Initialise<'_>) -> String {
    let path = init.surroundings.program.as_deref().and_then(Path::to_str);
    let usable = path.filter(|path| !path.contains(char::is_control));
    usable.unwrap_or_default().to_owned()
}

/// The hooks while they are installed.
struct Installing {
    program: String,
    /// The directory that this repository and its work trees would have of their own.
    own: PathBuf,
    place: HookPlace,
    manager: Option<Manager>,
    /// Hooks that were put where none was.
    fresh: Vec<Hook>,
    /// Hooks that were put before another one.
    before: Vec<Hook>,
    /// Hooks whose place is somebody else's.
    foreign: Vec<Hook>,
    installed: Installed,
}

impl Installing {
    /// Returns the file of a hook.
    fn path(&self, hook: Hook) -> PathBuf {
        self.place.directory.join(hook.as_str())
    }

    /// Installs one hook.
    fn one(&mut self, hook: Hook) -> Result<(), Stop> {
        let path = self.path(hook);
        let standing = hooks::standing(&path, hook, &self.program).map_err(local)?;
        if standing == Standing::Ours {
            return Ok(());
        }
        if let Some(manager) = &self.manager {
            if !manager.calls(hook) {
                self.foreign.push(hook);
            }
            return Ok(());
        }
        match self.place.whose {
            Whose::Clones | Whose::Ignored => self.own(hook, &path, standing),
            Whose::Tracked | Whose::Elsewhere => {
                if !matches!(&standing, Standing::Foreign(text) if calls(text, hook)) {
                    self.foreign.push(hook);
                }
                Ok(())
            }
        }
    }

    /// Installs a hook in a place of our own.
    fn own(&mut self, hook: Hook, path: &Path, standing: Standing) -> Result<(), Stop> {
        let text = hooks::text(hook, &self.program);
        match standing {
            Standing::Ours => {}
            Standing::Absent | Standing::OursElsewhere => {
                hooks::put(path, &text).map_err(local)?;
                self.fresh.push(hook);
            }
            Standing::Foreign(found) if calls(&found, hook) => {}
            Standing::Foreign(_) if is_called_as_legacy(hook, path)? => {}
            Standing::Foreign(found) if manager::asks_its_name(&found) => {
                let why =
                    "it asks under which name it is called, so it cannot be kept under another";
                self.left(hook, path, why, Written::Before);
            }
            Standing::Foreign(_) if stands_in_the_way(path) => {
                let kept = hooks::kept(path);
                let why = format!(
                    "{} was kept there before, and something replaced our hook since",
                    kept.display()
                );
                self.obstacle(
                    path,
                    &why,
                    &format!("look at both, then rm {}", name(&kept)),
                );
            }
            Standing::Foreign(_) => {
                hooks::put_before(path, &text).map_err(local)?;
                self.before.push(hook);
            }
            Standing::Edited => {
                let hint = format!("rm {}, then git plan-audit init", name(path));
                self.obstacle(path, "it is a hook of this tool that was edited", &hint);
            }
            Standing::NoFile => {
                let hint = format!("mv {} elsewhere, then git plan-audit init", name(path));
                self.obstacle(path, "it is no file", &hint);
            }
        }
        Ok(())
    }

    /// Leaves a hook as it is and tells what to add to it.
    fn left(&mut self, hook: Hook, path: &Path, why: &str, written: Written) {
        self.installed.by_hand.push(ByHand {
            file: path.display().to_string(),
            lines: by_hand::lines(hook, written),
        });
        let message = format!("{} is left as it is: {why}", path.display());
        let hint = "add the lines below its first line, then git plan-audit init";
        let finding = Finding::new(&rows::BY_HAND, message).hint(hint);
        self.installed.findings.push(finding);
    }

    /// Leaves what stands in the way.
    fn obstacle(&mut self, path: &Path, why: &str, hint: &str) {
        let message = format!("{} is left as it is: {why}", path.display());
        let finding = Finding::new(&rows::BY_HAND, message).hint(hint);
        self.installed.findings.push(finding);
    }

    /// Says what was done.
    fn end(mut self) -> Installed {
        let directory = self.place.directory.display().to_string();
        let line = |hooks: &[Hook], rest: &str| {
            let names: Vec<&str> = hooks.iter().map(|hook| hook.as_str()).collect();
            let names = names.join(", ");
            (!hooks.is_empty()).then(|| format!("hooks in {directory}: {names}{rest}"))
        };
        let rest = "; what was there is kept beside each and called first";
        let lines = [line(&self.fresh, ""), line(&self.before, rest)];
        self.installed.wrote.extend(lines.into_iter().flatten());
        if !self.foreign.is_empty() {
            self.end_foreign(&directory);
        }
        self.installed
    }

    /// Says what is to be added where nothing may be written.
    fn end_foreign(&mut self, directory: &str) {
        for hook in &self.foreign {
            let (file, written) = match &self.manager {
                Some(manager) => manager.place(*hook),
                None => by_hand::place(&self.path(*hook)),
            };
            let lines = by_hand::lines(*hook, written);
            self.installed.by_hand.push(ByHand { file, lines });
        }
        let (whose, hint) = match (&self.manager, self.place.whose) {
            (Some(manager), _) => (
                format!("hooks here are made by {}", manager.as_str()),
                "add the lines below, then git plan-audit init".to_owned(),
            ),
            (None, Whose::Tracked) => (
                format!("{directory} is tracked, or would be"),
                "add the lines below and commit them (each file has to be executable), then \
                 git plan-audit init"
                    .to_owned(),
            ),
            (None, Whose::Elsewhere | Whose::Clones | Whose::Ignored) => (
                format!("{directory} lies outside of this repository"),
                format!(
                    "add the lines below if all who use it shall be asked, or give this repository its \
                     own: git config core.hooksPath {}; then git plan-audit init",
                    name(&self.own)
                ),
            ),
        };
        let setting = self.place.scope.map_or_else(String::new, |scope| {
            format!(
                " (core.hooksPath, {}; git config --show-origin core.hooksPath names the file)",
                scope.as_str()
            )
        });
        let message = format!("{whose}{setting}: nothing was written there");
        let finding = Finding::new(&rows::BY_HAND, message).hint(hint);
        self.installed.findings.push(finding);
    }
}

/// Says whether another hook was kept already.
fn stands_in_the_way(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let of = |path: &Path| {
        path.symlink_metadata()
            .map(|found| (found.dev(), found.ino()))
    };
    match (of(path), of(&hooks::kept(path))) {
        (Ok(one), Ok(other)) => one != other,
        (_, Err(_)) | (Err(_), _) => false,
    }
}

/// Returns a path as a shell takes it.
fn name(path: &Path) -> String {
    quoted(&path.display().to_string())
}
