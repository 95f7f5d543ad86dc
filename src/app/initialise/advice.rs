//! What `init` advises at its end: how to undo what it wrote, and what to type next.

use super::{Initialise, remotes};
use crate::app::session::local;
use crate::engine::stop::Stop;
use crate::local::{accepted, anchors, identity, instances, lock};
use crate::model::ids::{RecordId, Writer};
use crate::model::repository::{LEDGER, ledger_of};
use crate::model::text::quoted;

/// What was known of the clone before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before {
    /// Nothing.
    Nothing,
    /// It recorded, and goes on.
    Known,
    /// It recorded, and a new chain was asked for.
    Renewed,
}

/// What one call of `init` did.
pub(super) struct Did {
    /// The record that opened a chain.
    pub(super) record: Option<RecordId>,
    /// What was known of this clone before.
    pub(super) before: Before,
    /// The remotes that got a refspec.
    pub(super) refspecs: Vec<String>,
    /// The remotes whose ledger was taken over.
    pub(super) fetched: Vec<String>,
    /// Whether a ledger was here before.
    pub(super) had_ledger: bool,
    /// Whether the plan skeleton was written.
    pub(super) skeleton: bool,
    /// The command that takes hooks and refspecs out again, where hooks were put.
    pub(super) taken_out_by: Option<&'static str>,
    /// Whether the remote has no ledger yet.
    pub(super) is_unshared: bool,
    /// The file of another key of this user that recorded here.
    pub(super) earlier_key: Option<String>,
}

/// Says how to undo what was written, and nothing else: where this `init` made the clone known, what it
/// knows of itself goes too, so that it does not miss what is gone; a ledger that was not here before goes,
/// also one that was fetched. Keys stay, and so does a record in a ledger that was here.
pub(super) fn undo(init: &Initialise<'_>, did: &Did) -> Result<String, Stop> {
    let mut parts = Vec::new();
    // It reads what the rest takes away, and takes the refspecs out too.
    parts.extend(did.taken_out_by.map(str::to_owned));
    match did.before {
        Before::Nothing if did.record.is_some() => {
            parts.push(forget(init)?);
            parts.extend((!did.had_ledger).then(|| drop_ref(LEDGER)));
        }
        Before::Known if did.record.is_some() => parts.extend(earlier_choice(init)),
        Before::Nothing | Before::Known | Before::Renewed => {}
    }
    parts.extend(
        did.fetched
            .iter()
            .map(|remote| drop_ref(&ledger_of(remote))),
    );
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
    Ok(match (parts.as_slice(), did.before) {
        ([], Before::Renewed) => "none: a new chain stays".to_owned(),
        ([], _) if did.record.is_some() => "none: the record stays".to_owned(),
        ([], _) => "nothing to undo".to_owned(),
        (parts, _) => parts.join(" && "),
    })
}

/// Returns the command that drops a reference.
fn drop_ref(name: &str) -> String {
    format!("git update-ref -d {}", quoted(name))
}

/// Returns the command that takes the key in use again that was in use before.
fn earlier_choice(init: &Initialise<'_>) -> Option<String> {
    let before = init.session.keys.last()?;
    let option = match before.writer {
        Writer::Ssh(_) => "--key",
        Writer::Hmac(_) => "--hmac --key",
    };
    let location = quoted(&before.location);
    Some(format!(
        "git plan-audit init --no-hooks {option} {location}"
    ))
}

/// Returns the command that removes all that this clone knows of itself.
fn forget(init: &Initialise<'_>) -> Result<String, Stop> {
    let places = init.session.places()?;
    let all = [
        Ok(places.common.clone()),
        anchors::directory(places),
        identity::path(places),
        accepted::path(places),
        Ok(lock::audit_path(&places.git_dir)),
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
    } else if did.is_unshared {
        "git plan-audit sync"
    } else if init.session.repository.is_bare() {
        "git plan-audit audit --commit REV"
    } else if !has_plan() {
        "git plan-audit init --no-hooks --starter"
    } else if did.had_ledger || !did.fetched.is_empty() {
        "git plan-audit status"
    } else {
        "git plan-audit seal"
    };
    next.to_owned()
}
