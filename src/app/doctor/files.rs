//! Hook files: whether git would run them, and what it would run.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use crate::app::initialise::Initialise;
use crate::app::initialise::hooks::{calls, is_called, program};
use crate::app::session::local;
use crate::engine::stop::Stop;
use crate::git::open::Repository;
use crate::local::hooks::{self, Standing};
use crate::model::finding::{Finding, doctor as rows};
use crate::model::hook::Hook;
use crate::model::text::quoted;

/// What was seen.
pub(super) struct Seen {
    /// What is to be said of it.
    pub(super) finding: Finding,
    /// Whether a push that asks our hook proves the contrary.
    pub(super) is_told_by_push: bool,
}

/// Looks at every hook of ours, and at what else steers hooks.
pub(super) fn examine(init: &Initialise<'_>, repository: &Repository) -> Result<Vec<Seen>, Stop> {
    let place = repository.hook_place();
    let place = place.map_err(Stop::broken("find where git looks for hooks"))?;
    let mut seen = Vec::new();
    for hook in Hook::ALL {
        let path = place.directory.join(hook.as_str());
        let standing = hooks::standing(&path, hook, &program(init)).map_err(local)?;
        let is_ours = matches!(standing, Standing::Ours | Standing::OursElsewhere);
        let is_asked = is_ours || is_called(&place, repository.work_dir(), hook, &standing)?;
        let finding = if is_asked {
            passed_over(&path, &standing)
        } else {
            Some(not_ours(&path, &standing))
        };
        seen.extend(finding.map(|finding| Seen {
            finding,
            is_told_by_push: hook == Hook::Push,
        }));
        seen.extend(not_as_made(&path, hook, &standing).map(|finding| Seen {
            finding,
            is_told_by_push: false,
        }));
    }
    seen.extend(settings(repository).map(|finding| Seen {
        finding,
        is_told_by_push: false,
    }));
    Ok(seen)
}

/// Says why git passes over a file that asks us, or what it would run instead of this program.
fn passed_over(path: &Path, standing: &Standing) -> Option<Finding> {
    let name = path.display();
    let not_run = |why: &str, hint: String| {
        let message = format!("git passes over {name}: {why}");
        Some(Finding::new(&rows::NOT_RUN, message).hint(hint))
    };
    if access(path, AccessFlags::X_OK).is_err() {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = path.metadata().map(|found| found.permissions().mode());
        return if mode.is_ok_and(|mode| mode & 0o111 != 0) {
            let why = "it lies where nothing may be executed (noexec)";
            let hint = "git config core.hooksPath DIRECTORY, one on another file system, then \
                        git plan-audit init";
            not_run(why, hint.to_owned())
        } else {
            let hint = format!("chmod +x {}", quoted(&name.to_string()));
            not_run("it is not executable", hint)
        };
    }
    if let Some(interpreter) = interpreter(path).filter(|program| !program.exists()) {
        let why = format!("its interpreter {} is not there", interpreter.display());
        return not_run(&why, "git plan-audit init".to_owned());
    }
    (*standing == Standing::OursElsewhere).then(|| {
        let message = format!("{name} names another program than this one, or one that is gone");
        Finding::new(&rows::PROGRAM, message).hint("git plan-audit init")
    })
}

/// Returns the program that the first line of a script names.
fn interpreter(path: &Path) -> Option<PathBuf> {
    let mut start = [0; 256];
    let count = std::fs::File::open(path).ok()?.read(&mut start).ok()?;
    let text = String::from_utf8_lossy(start.get(..count)?).into_owned();
    let line = text.lines().next()?.strip_prefix("#!")?;
    line.split_whitespace().next().map(PathBuf::from)
}

/// Says that a file asks us, or did, and is not as this tool makes it: a trial shows what it does for
/// one push and not for which others it asks.
fn not_as_made(path: &Path, hook: Hook, standing: &Standing) -> Option<Finding> {
    let name = path.display();
    match standing {
        Standing::Edited => {
            let message = format!("{name} is a hook of this tool that was edited");
            let path = quoted(&name.to_string());
            let hint = format!("look at it; mv {path} elsewhere, then git plan-audit init");
            Some(Finding::new(&rows::EDITED, message).hint(hint))
        }
        Standing::Foreign(text) if calls(text, hook) => {
            let message =
                format!("{name} asks this tool and was not made by it: its other lines say when");
            Some(Finding::new(&rows::WRAPPED, message))
        }
        Standing::Foreign(_)
        | Standing::Absent
        | Standing::Ours
        | Standing::OursElsewhere
        | Standing::NoFile => None,
    }
}

/// Says that a hook does not ask us.
fn not_ours(path: &Path, standing: &Standing) -> Finding {
    let what = match standing {
        Standing::Absent => "is not there",
        Standing::Edited => "was edited",
        Standing::NoFile => "is no file",
        Standing::Foreign(_) | Standing::Ours | Standing::OursElsewhere => {
            "is somebody else's, and does not ask us"
        }
    };
    let message = format!("{} {what}", path.display());
    Finding::new(&rows::NOT_RUN, message).hint("git plan-audit init")
}

/// Says what else steers hooks.
fn settings(repository: &Repository) -> impl Iterator<Item = Finding> {
    let is_off = |value: &str| ["false", "off", "no", "0"].contains(&value);
    let advice = repository.values_of(|key| key == "advice.ignoredhook");
    let is_off = advice.last().is_some_and(|(_, value)| is_off(value));
    let advice = is_off.then(|| {
        let message = "advice.ignoredHook is off: git would say nothing if it passed over a hook";
        Finding::new(&rows::ADVICE_OFF, message).hint("git config --unset advice.ignoredHook")
    });
    let is_command = |key: &str| key.starts_with("hook.") && key.ends_with(".command");
    let configured = repository.values_of(is_command);
    let names: Vec<&str> = configured.iter().map(|(key, _)| key.as_str()).collect();
    let configured = (!names.is_empty()).then(|| {
        let message = format!(
            "{}: git 2.54 and later run what that names before the files",
            names.join(", ")
        );
        Finding::new(&rows::CONFIGURED, message)
    });
    advice.into_iter().chain(configured)
}
