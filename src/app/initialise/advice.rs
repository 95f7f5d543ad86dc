//! What `init` advises at its end: how to undo what it wrote, and what to type next.

use super::{Initialise, remotes};
use crate::app::session::local;
use crate::engine::stop::Stop;
use crate::local::{accepted, anchors, identity, instances};
use crate::model::ids::RecordId;
use crate::model::text::quoted;

/// What one call of `init` did.
pub(super) struct Did {
    /// The record that opened a chain.
    pub(super) record: Option<RecordId>,
    /// Whether a new chain was asked for.
    pub(super) is_renewed: bool,
    /// The remotes that got a refspec.
    pub(super) refspecs: Vec<String>,
    /// Whether a ledger was here before, or came from a remote.
    pub(super) had_ledger: bool,
    /// Whether the plan skeleton was written.
    pub(super) skeleton: bool,
    /// The command that takes hooks and refspecs out again, where hooks were put.
    pub(super) taken_out_by: Option<&'static str>,
    /// The file of another key of this user that recorded here.
    pub(super) earlier_key: Option<String>,
}

/// Says how to undo what was written: what this clone knows of itself goes too, so that it does not
/// miss what is gone. Keys stay, and so does a ledger that others wrote.
pub(super) fn undo(init: &Initialise<'_>, did: &Did) -> Result<String, Stop> {
    let mut parts = Vec::new();
    // It reads what the rest takes away, and takes the refspecs out too.
    parts.extend(did.taken_out_by.map(str::to_owned));
    if did.record.is_some() && !did.is_renewed {
        parts.push(forget(init)?);
        let is_ours = !did.had_ledger;
        parts.extend(is_ours.then(|| "git update-ref -d refs/notes/plan-audit".to_owned()));
    }
    let refspecs = did.refspecs.iter().filter(|_| did.taken_out_by.is_none());
    parts.extend(refspecs.map(|remote| {
        format!(
            "git config --unset --fixed-value {} {}",
            quoted(&format!("remote.{remote}.fetch")),
            quoted(&remotes::refspec(remote))
        )
    }));
    parts.extend(
        did.skeleton
            .then(|| "rm \"$(git rev-parse --show-toplevel)/.plan-auditor/plan.json\"".to_owned()),
    );
    Ok(match (parts.as_slice(), did.is_renewed) {
        ([], true) => "none: a new chain stays".to_owned(),
        ([], false) => "nothing to undo".to_owned(),
        (parts, _) => parts.join(" && "),
    })
}

/// Returns the command that removes all that this clone knows of itself.
fn forget(init: &Initialise<'_>) -> Result<String, Stop> {
    let places = init.session.places()?;
    let all = [
        Ok(places.common.clone()),
        anchors::directory(places),
        identity::path(places),
        accepted::path(places),
        instances::path(places),
    ];
    let mut line = "rm -r".to_owned();
    for path in all {
        let path = path.map_err(local)?;
        if path.symlink_metadata().is_ok() {
            line.push(' ');
            line.push_str(&quoted(&path.display().to_string()));
        }
    }
    Ok(line)
}

/// Names the next command.
pub(super) fn next(init: &Initialise<'_>, did: &Did) -> String {
    let has_plan = || {
        let files = init.session.repository.plan_files();
        files.is_ok_and(|files| !files.is_empty())
    };
    if let Some(key) = &did.earlier_key {
        return format!(
            "git plan-audit init --no-hooks --key {}, to go on with the key that recorded here before",
            quoted(key)
        );
    }
    let next = if did.skeleton {
        "edit .plan-auditor/plan.json, then git plan-audit validate"
    } else if init.session.repository.is_bare() {
        "git plan-audit audit --commit REV"
    } else if !has_plan() {
        "git plan-audit init --no-hooks --starter"
    } else if did.had_ledger {
        "git plan-audit status"
    } else {
        "git plan-audit seal"
    };
    next.to_owned()
}
