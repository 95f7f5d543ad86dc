//! A bare repository without work trees: it takes pushes and makes none, so its gate is another one.

use std::path::Path;

use nix::unistd::{AccessFlags, access};

use crate::engine::stop::Stop;
use crate::git::open::Repository;
use crate::model::finding::{Finding, doctor as rows};
use crate::model::hook::{Caller, Heard};
use crate::model::outcome::{Examined, ExaminedGate};
use crate::model::text::quoted;

/// Looks at the hooks that git asks before it takes a push. Nothing is tried: only a push shows what a
/// hook says, and whoever serves the repository may ask hooks that lie elsewhere.
pub(super) fn examine(repository: &Repository) -> Result<(Examined, Vec<Finding>), Stop> {
    let place = repository.hook_place();
    let place = place.map_err(Stop::broken("find where git looks for hooks"))?;
    let callers = [Caller::Receive, Caller::Update];
    let asking = callers
        .iter()
        .find(|caller| asks(&place.directory, **caller));
    let directory = place.directory.display();
    let (heard, finding) = if let Some(caller) = asking {
        let message = format!(
            "{} in {directory} asks this tool: what it refuses, a push to here shows",
            caller.as_str()
        );
        (Heard::Untried, Finding::new(&rows::SERVER_UNTRIED, message))
    } else {
        let message = format!(
            "neither pre-receive nor update in {directory} asks this tool: whatever is pushed to here is taken, \
             unless the server asks hooks that lie elsewhere"
        );
        let hint = format!(
            "contrib/servers has the file for each kind of server; of a bare repository: \
             install -m 755 contrib/servers/pre-receive {}",
            quoted(&place.directory.join("pre-receive").display().to_string())
        );
        (
            Heard::Silence,
            Finding::new(&rows::SERVER_SILENT, message).hint(hint),
        )
    };
    let top = repository.git_dir().display().to_string();
    let examined = Examined {
        gates: vec![ExaminedGate { top, heard }],
        trust: None,
    };
    Ok((examined, vec![finding]))
}

/// Says whether a hook, or one of the directory beside it that servers with several keep, asks this tool
/// and can be run.
fn asks(directory: &Path, caller: Caller) -> bool {
    let several = directory.join(format!("{}.d", caller.as_str()));
    let several = std::fs::read_dir(several).into_iter().flatten().flatten();
    let call = format!("plan-audit hook {}", caller.as_str());
    let calls = |path: &Path| {
        let text = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        lines.any(|line| line.contains(&call)) && access(path, AccessFlags::X_OK).is_ok()
    };
    calls(&directory.join(caller.as_str()))
        || several.map(|entry| entry.path()).any(|path| calls(&path))
}
