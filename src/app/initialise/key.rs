//! Which key proves what a clone records.

use std::path::{Path, PathBuf};

use super::{Initialise, own_key};
use crate::app::session::{keygen, lost, unusable};
use crate::commands::InitRequest;
use crate::commands::KeyChoice;
use crate::engine::ports::{Identity, Signer as _};
use crate::engine::stop::Stop;
use crate::local::identity::OwnKey;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::Writer;
use crate::sign::hmac_file;
use crate::sign::key::Key;

/// A key that was chosen.
pub(super) struct Chosen {
    /// The key.
    pub(super) key: Key,
    /// Its entry among the clone's keys.
    pub(super) own: OwnKey,
    /// Where it is and where it comes from.
    pub(super) sentence: String,
    /// What was made, if it was made.
    pub(super) made: Option<String>,
    /// The file of another key of this user that recorded here, if a key was made in its place.
    pub(super) earlier: Option<String>,
}

/// Chooses: what is asked for; else the key in use; else a configured HMAC key; else git's SSH
/// signing key; else a new one.
pub(super) fn choose(
    init: &Initialise<'_>,
    request: &InitRequest,
    identity: &Identity,
) -> Result<Chosen, Stop> {
    let in_use = init.session.keys.last();
    match &request.key {
        KeyChoice::Ssh(location) => ssh(init, &absolute(init, location), "named by --key"),
        KeyChoice::Hmac(Some(file)) => hmac(init, Path::new(&absolute(init, file)), None),
        KeyChoice::Hmac(None) => match in_use.filter(|key| matches!(key.writer, Writer::Hmac(_))) {
            Some(own) => kept(init, own),
            None => configured_hmac(init, identity),
        },
        KeyChoice::Found => match in_use {
            Some(own) => kept(init, own),
            None if init.session.hmac_file(init.surroundings).is_some() => {
                configured_hmac(init, identity)
            }
            None => match git_key(init) {
                Some((location, sentence)) => ssh(init, &location, &sentence),
                None => made(init, identity),
            },
        },
    }
}

/// Keeps the key in use, which must still work: to find out after the next checks would be late.
fn kept(init: &Initialise<'_>, own: &OwnKey) -> Result<Chosen, Stop> {
    let key = init.session.key(init.surroundings, init.interrupts)?;
    key.demand_usable().map_err(|error| lost(own, &error))?;
    let sentence = format!("{}, in use", own.location);
    Ok(Chosen {
        key,
        own: own.clone(),
        sentence,
        made: None,
        earlier: None,
    })
}

/// Takes an SSH key; one in the work tree is refused.
fn ssh(init: &Initialise<'_>, location: &str, origin: &str) -> Result<Chosen, Stop> {
    demand_outside(init, Path::new(location))?;
    let keygen = keygen(init.surroundings, init.interrupts).map_err(|error| unusable(&error))?;
    let key = Key::probe(keygen, location.to_owned()).map_err(|error| unusable(&error))?;
    let own = OwnKey {
        writer: key.writer(),
        location: location.to_owned(),
    };
    Ok(Chosen {
        key,
        own,
        sentence: format!("{location}, {origin}"),
        made: None,
        earlier: None,
    })
}

/// Returns git's SSH signing key and where it is configured: outside the repository, for whoever
/// can write to it could name a key of their own.
fn git_key(init: &Initialise<'_>) -> Option<(String, String)> {
    let configured = &init.session.configured;
    let is_ssh = configured
        .signing_format
        .outside()
        .is_some_and(|format| format.value == "ssh");
    let key = configured.signing_key.outside().filter(|_| is_ssh)?;
    let sentence = format!("git's user.signingKey ({})", key.scope.as_str());
    Some((absolute(init, &key.value), sentence))
}

/// Makes a path absolute; a public key as text stays as it is.
fn absolute(init: &Initialise<'_>, location: &str) -> String {
    let is_key = ["key::", "ssh-", "ecdsa-", "sk-"]
        .iter()
        .any(|kind| location.starts_with(kind));
    if is_key {
        return location.to_owned();
    }
    let path = match (location.strip_prefix("~/"), init.surroundings.path("HOME")) {
        (Some(rest), Some(home)) => home.join(rest),
        (_, _) => init.surroundings.directory.join(location),
    };
    path.display().to_string()
}

/// Makes a new ed25519 key outside the workspace.
fn made(init: &Initialise<'_>, identity: &Identity) -> Result<Chosen, Stop> {
    let path = init
        .session
        .places()?
        .keys
        .join(format!("{}-ed25519", identity.instance));
    let location = path.display().to_string();
    if path.symlink_metadata().is_ok() {
        return ssh(init, &location, "made by an earlier init");
    }
    let keygen = keygen(init.surroundings, init.interrupts).map_err(|error| unusable(&error))?;
    let comment = format!("git plan-audit {}", identity.instance);
    keygen
        .make(&path, &comment)
        .map_err(|error| unusable(&error))?;
    let made = format!("the key {location}: back it up");
    Ok(Chosen {
        made: Some(made),
        earlier: earlier(init, &path)?,
        ..ssh(init, &location, "made by this init")?
    })
}

/// Returns the file of a key that an `init` of this user made for a clone that recorded here.
///
/// It is named and not taken: anybody may name that clone in what they hand out, and whoever records
/// with the key speaks for it.
fn earlier(init: &Initialise<'_>, made: &Path) -> Result<Option<String>, Stop> {
    let keys = &init.session.places()?.keys;
    let instances = init.recorded_instances()?;
    let mut files = instances.into_iter().rev();
    let file = files.find_map(|instance| {
        let file = keys.join(format!("{instance}-ed25519"));
        let is_other = file != made && file.is_file();
        is_other.then(|| file.display().to_string())
    });
    Ok(file)
}

/// Takes the configured HMAC key, else makes one.
fn configured_hmac(init: &Initialise<'_>, identity: &Identity) -> Result<Chosen, Stop> {
    let (path, made) = match init.session.hmac_file(init.surroundings) {
        Some(path) => (init.surroundings.directory.join(path), None),
        None => made_hmac(init, identity)?,
    };
    hmac(init, &path, made)
}

/// Takes an HMAC key.
fn hmac(init: &Initialise<'_>, path: &Path, made: Option<String>) -> Result<Chosen, Stop> {
    let work_dir = init.session.repository.work_dir();
    let bytes = hmac_file::read(path, work_dir).map_err(|error| unusable(&error))?;
    let key = Key::hmac(bytes);
    let own = own_key(key.writer(), path);
    let sentence = format!(
        "{}, a shared key: it proves nothing to those who lack it",
        path.display()
    );
    Ok(Chosen {
        key,
        own,
        sentence,
        made,
        earlier: None,
    })
}

/// Makes an HMAC key outside the workspace.
fn made_hmac(
    init: &Initialise<'_>,
    identity: &Identity,
) -> Result<(PathBuf, Option<String>), Stop> {
    let path = init
        .session
        .places()?
        .keys
        .join(format!("{}-hmac", identity.instance));
    if path.symlink_metadata().is_ok() {
        return Ok((path, None));
    }
    hmac_file::make(&path).map_err(|error| unusable(&error))?;
    let sentence = format!(
        "the key {}: back it up, and share it with care",
        path.display()
    );
    Ok((path, Some(sentence)))
}

/// Refuses a key in the work tree: it could be committed, and checks could read it.
fn demand_outside(init: &Initialise<'_>, path: &Path) -> Result<(), Stop> {
    // What is not there lies nowhere: that it is missing is told by whoever reads it.
    let Ok(real) = path.canonicalize() else {
        return Ok(());
    };
    let top = init.session.repository.work_dir();
    let top = top.map(|top| top.canonicalize().unwrap_or_else(|_| top.to_owned()));
    if top.is_some_and(|top| real.starts_with(top)) {
        let message = format!("the key {} lies in the work tree", path.display());
        return Err(Stop::refuse(
            Finding::new(&rows::KEY, message).hint("move it out of it"),
        ));
    }
    Ok(())
}
