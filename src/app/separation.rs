//! As whom checks run: asked for outside the repository, and refused where it would not hold.

use std::path::{Path, PathBuf};

use super::session::Session;
use super::surroundings::Surroundings;
use crate::check::OtherUser;
use crate::engine::stop::{Stop, causes};
use crate::local::separation::{Guarded, SeparationError, demand_able, demand_closed};
use crate::model::check_user::CheckUser;
use crate::model::finding::{Finding, auditing as rows};
use crate::proc;

/// The variables of plan-auditor that ask for another user: the mode, the user, the group.
const VARIABLES: [&str; 3] = [
    "PLAN_AUDITOR_CHECK_ISOLATION",
    "PLAN_AUDITOR_CHECK_UID",
    "PLAN_AUDITOR_CHECK_GID",
];

/// Returns the other user as whom checks run, if one is asked for; refuses where that would not keep
/// anything from the checks.
pub(super) fn other_user(
    session: &Session,
    surroundings: &Surroundings,
) -> Result<Option<OtherUser>, Stop> {
    let configured = configured(session)?;
    let named = named(surroundings)?;
    if let (Some(one), Some(other)) = (configured, named)
        && one != other
    {
        return Err(refused(
            "planAudit.checkUser and PLAN_AUDITOR_CHECK_UID and _GID name two users",
            "unset one of them",
        ));
    }
    let Some(user) = configured.or(named) else {
        return Ok(None);
    };
    demand_able().map_err(|error| unfit(&error))?;
    demand_closed(&guarded(session, surroundings)?).map_err(|error| unfit(&error))?;
    proc::gain_no_rights().map_err(|cause| Stop::broken("give up rights")(cause.into()))?;
    Ok(Some(OtherUser::find(user)))
}

/// Reads the setting.
fn configured(session: &Session) -> Result<Option<CheckUser>, Stop> {
    let Some(setting) = session.configured.check_user.outside() else {
        return Ok(None);
    };
    CheckUser::parse(&setting.value).map(Some).ok_or_else(|| {
        let value = crate::model::text::shown(&setting.value);
        let message =
            format!("planAudit.checkUser is `{value}`, which is no UID:GID of numbers above 0");
        refused(&message, "git config --show-origin planAudit.checkUser")
    })
}

/// Reads the variables of plan-auditor; all of them or none.
fn named(surroundings: &Surroundings) -> Result<Option<CheckUser>, Stop> {
    let [mode, uid, gid] = VARIABLES.map(|name| {
        let value = surroundings.variables.get(std::ffi::OsStr::new(name));
        value.map(|value| value.to_string_lossy().into_owned())
    });
    if mode.is_none() && uid.is_none() && gid.is_none() {
        return Ok(None);
    }
    let user = match (mode.as_deref(), uid, gid) {
        (Some("required"), Some(uid), Some(gid)) => CheckUser::of(&uid, &gid),
        (_, _, _) => None,
    };
    user.map(Some).ok_or_else(|| {
        refused(
            "PLAN_AUDITOR_CHECK_ISOLATION must be `required`, with numbers above 0 in PLAN_AUDITOR_CHECK_UID and _GID",
            "set all three, or none",
        )
    })
}

/// Lists what the checks must not reach.
fn guarded(session: &Session, surroundings: &Surroundings) -> Result<Guarded, Stop> {
    let places = session.places()?;
    let hmac = session.hmac_file(surroundings);
    let own = session.keys.iter().map(|key| PathBuf::from(&key.location));
    let keys = own.chain(hmac).flat_map(|key| [private_half(&key), key]);
    let folder = |path: &Path| path.parent().unwrap_or(path).to_owned();
    Ok(Guarded {
        top: session.work_dir()?.to_owned(),
        git_dirs: vec![places.common_dir.clone(), places.git_dir.clone()],
        keys: keys
            .filter(|key| key.extension().is_none_or(|end| end != "pub"))
            .collect(),
        own: vec![
            folder(&places.keys),
            folder(&places.anchors),
            places.unproven.clone(),
            places.clones.clone(),
        ],
    })
}

/// Returns the private half of a key that is named by its public one.
fn private_half(key: &Path) -> PathBuf {
    if key.extension().is_some_and(|end| end == "pub") {
        key.with_extension("")
    } else {
        key.to_owned()
    }
}

/// Refuses because checks could not be kept from what is ours.
fn unfit(error: &SeparationError) -> Stop {
    let hint = match error {
        SeparationError::System(_) => {
            "start it as root, outside a user namespace; or unset planAudit.checkUser"
        }
        SeparationError::Open { .. } => {
            "chown root: and chmod go-w it (a key chmod 600; o+x for what must be entered)"
        }
        SeparationError::Unseen { .. } => "ls -ld shows who may look there",
    };
    let text = format!("checks cannot run as another user: {}", causes(error));
    refused(&text, hint)
}

/// Refuses before anything ran.
fn refused(message: &str, hint: &str) -> Stop {
    Stop::refuse(Finding::new(&rows::SEPARATION, message).hint(hint))
}

/// Refuses a private checkout: it lies where the other user cannot enter.
pub(super) fn no_checkout() -> Stop {
    refused(
        "a private checkout is not served yet where checks run as another user",
        "git plan-audit audit runs them in the work tree",
    )
}
