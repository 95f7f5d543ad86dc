//! ssh-keygen: signing (`-Y sign`) and making keys.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Cause, SignError};
use crate::local::file::make_directory;
use crate::model::text::shown;
use crate::proc::{Interrupts, ToolOutput, ToolSpec, file, tool};

/// How long one signature may take: a person may have to type or touch.
const PATIENCE: Duration = Duration::from_mins(5);
/// How much ssh-keygen may write, in bytes.
const MAX_OUTPUT: usize = 64 * 1024;

/// Runs ssh-keygen.
#[derive(Clone, Debug)]
pub(crate) struct Keygen {
    program: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    directory: PathBuf,
    interrupts: Interrupts,
}

impl Keygen {
    /// Finds ssh-keygen in the PATH of an environment, which it will see whole: agents and
    /// passphrase prompts need it.
    pub(crate) fn find(
        environment: &BTreeMap<OsString, OsString>,
        directory: &Path,
        interrupts: &Interrupts,
    ) -> Result<Self, SignError> {
        let search = environment
            .get(OsStr::new("PATH"))
            .cloned()
            .unwrap_or_default();
        let program = file::find(
            "ssh-keygen",
            &std::env::split_paths(&search).collect::<Vec<_>>(),
        );
        Ok(Self {
            program: program.ok_or(SignError::NoKeygen)?,
            environment: environment.clone(),
            directory: directory.to_owned(),
            interrupts: interrupts.clone(),
        })
    }

    /// Signs a message and returns the raw SSHSIG blob.
    ///
    /// `location` is a path of a private or public key, or, as git's `user.signingKey` may be, a
    /// public key as text (with or without `key::`) whose private half an agent holds.
    pub(crate) fn sign(
        &self,
        location: &str,
        namespace: &str,
        message: &[u8],
    ) -> Result<Vec<u8>, SignError> {
        let literal = literal_key(location).map(public_key_file).transpose()?;
        let file = literal
            .as_ref()
            .map_or_else(|| OsString::from(location), |file| file.path().into());
        let mut arguments: Vec<OsString> = ["-Y", "sign", "-n", namespace, "-f"]
            .map(OsString::from)
            .into();
        arguments.push(file);
        if literal.is_some() {
            arguments.push("-U".into());
        }
        let doing = format!("sign with {}", shown(location));
        let said = self.run(arguments, message, &doing)?;
        dearmoured(&said.output).ok_or_else(|| SignError::Keygen {
            doing,
            said: "no signature came out".to_owned(),
        })
    }

    /// Makes an ed25519 key without a passphrase, readable by its owner alone.
    pub(crate) fn make(&self, path: &Path, comment: &str) -> Result<(), SignError> {
        make_directory(path.parent().unwrap_or_else(|| Path::new(".")))?;
        let mut arguments: Vec<OsString> = ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f"]
            .map(OsString::from)
            .into();
        arguments.push(path.into());
        let doing = format!("make a key at {}", path.display());
        self.run(arguments, &[], &doing).map(|_| ())
    }

    /// Runs it; anything but success is an error with what it wrote.
    fn run(&self, args: Vec<OsString>, input: &[u8], doing: &str) -> Result<ToolOutput, SignError> {
        let spec = ToolSpec {
            program: self.program.clone(),
            args,
            directory: self.directory.clone(),
            environment: self.environment.clone(),
            input: input.to_vec(),
            timeout: PATIENCE,
            max_output: MAX_OUTPUT,
        };
        let said = tool(&spec, &self.interrupts).map_err(|error| SignError::Run {
            cause: Cause::from(error),
        })?;
        if said.code == Some(0) {
            return Ok(said);
        }
        let text = shown(String::from_utf8_lossy(&said.errors).trim());
        Err(SignError::Keygen {
            doing: doing.to_owned(),
            said: text,
        })
    }
}

/// Says whether a location is a public key as text, whose private half an agent holds.
pub(crate) fn is_literal(location: &str) -> bool {
    literal_key(location).is_some()
}

/// Returns the public key that a location is, when it is one.
fn literal_key(location: &str) -> Option<&str> {
    let key = location.strip_prefix("key::").unwrap_or(location);
    ["ssh-", "ecdsa-", "sk-"]
        .iter()
        .any(|kind| key.starts_with(kind))
        .then_some(key)
}

/// Writes a public key to a temporary file for ssh-keygen to read.
fn public_key_file(key: &str) -> Result<tempfile::NamedTempFile, SignError> {
    let failed = |error: std::io::Error| SignError::Run {
        cause: error.into(),
    };
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(key.as_bytes())
        .and_then(|()| file.write_all(b"\n"))
        .map_err(failed)?;
    Ok(file)
}

/// Takes the blob out of its armour: exactly the form that ssh-keygen writes.
fn dearmoured(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let body = text
        .strip_prefix("-----BEGIN SSH SIGNATURE-----\n")?
        .strip_suffix("\n-----END SSH SIGNATURE-----\n")?;
    STANDARD.decode(body.replace('\n', "")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::sshsig::{RECORD, verify};

    fn keygen(directory: &Path) -> Keygen {
        let environment = BTreeMap::from([
            (OsString::from("PATH"), OsString::from("/usr/bin:/bin")),
            (OsString::from("HOME"), directory.into()),
        ]);
        Keygen::find(&environment, directory, &Interrupts::none().unwrap()).unwrap()
    }

    #[test]
    fn a_key_that_was_made_signs_from_either_half() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("keys/own");
        let keygen = keygen(scratch.path());
        keygen.make(&path, "a comment").unwrap();

        let private = keygen
            .sign(path.to_str().unwrap(), RECORD, b"message")
            .unwrap();

        let writer = verify(&private, RECORD, b"message").unwrap();
        let public = format!("{}.pub", path.display());
        let same = keygen.sign(&public, RECORD, b"message").unwrap();
        assert_eq!(verify(&same, RECORD, b"message"), Ok(writer));
    }

    #[test]
    fn a_key_that_is_not_there_is_an_error_that_names_it() {
        let scratch = tempfile::tempdir().unwrap();

        let error = keygen(scratch.path())
            .sign("/no/such/key", RECORD, b"x")
            .unwrap_err();

        assert!(error.to_string().contains("/no/such/key"), "{error}");
    }

    #[test]
    fn without_ssh_keygen_there_is_no_signer() {
        let nowhere = BTreeMap::from([(OsString::from("PATH"), OsString::from("/nowhere"))]);

        let found = Keygen::find(&nowhere, Path::new("/"), &Interrupts::none().unwrap());

        assert!(matches!(found, Err(SignError::NoKeygen)));
    }
}
