//! The key of a clone.

use std::path::Path;

use super::keygen::{Keygen, is_literal};
use super::{Cause, SignError};
use crate::engine::ports::Signer;
use crate::model::ids::{RecordId, Writer};
use crate::model::record::{Proof, Role};
use crate::trust::keyring::{Keyring, hmac_id, mac};
use crate::trust::sshsig::{self, RECORD};
use crate::wire::proof::message;

/// What is signed to learn which key a location holds. It is no proof of any record.
const PROBE: &[u8] = b"git-plan-audit/probe";

/// A key that can prove records.
#[derive(Debug)]
pub(crate) enum Key {
    /// An SSH key; ssh-keygen knows how to use it.
    Ssh {
        /// Runs ssh-keygen.
        keygen: Keygen,
        /// Where the key is.
        location: String,
        /// Its name in records.
        writer: Writer,
    },
    /// A shared key.
    Hmac(Secret),
}

/// The bytes of a shared key; its text never shows them.
pub(crate) struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Key {
    /// Takes an SSH key, which makes one signature to show that it works and whose it is.
    pub(crate) fn probe(keygen: Keygen, location: String) -> Result<Self, SignError> {
        let blob = keygen.sign(&location, RECORD, PROBE)?;
        let writer =
            sshsig::verify(&blob, RECORD, PROBE).map_err(|cause| SignError::Unsound { cause })?;
        Ok(Self::Ssh {
            keygen,
            location,
            writer,
        })
    }

    /// Demands that the key can prove, which takes one signature.
    pub(crate) fn demand_usable(&self) -> Result<(), SignError> {
        match self {
            Self::Ssh {
                keygen,
                location,
                writer,
            } => Self::probe(keygen.clone(), location.clone())?.demand_name(location, writer),
            Self::Hmac(_) => Ok(()),
        }
    }

    /// Demands what may be gone to be there: without its files no key needs to be asked.
    ///
    /// Where the private half alone is gone an agent may hold it, and only a signature tells.
    pub(crate) fn demand_present(&self) -> Result<(), SignError> {
        let Self::Ssh { location, .. } = self else {
            return Ok(());
        };
        if is_literal(location) || Path::new(location).exists() {
            return Ok(());
        }
        if Path::new(&format!("{location}.pub")).exists() {
            return self.demand_usable();
        }
        Err(SignError::File {
            path: location.clone(),
            why: "is gone".to_owned(),
        })
    }

    /// Demands that the key has a name.
    fn demand_name(&self, location: &str, expected: &Writer) -> Result<(), SignError> {
        let found = self.writer();
        if found == *expected {
            return Ok(());
        }
        Err(SignError::OtherKey {
            location: location.to_owned(),
            found: found.to_string(),
            expected: expected.to_string(),
        })
    }

    /// Takes a shared key.
    pub(crate) fn hmac(key: Vec<u8>) -> Self {
        Self::Hmac(Secret(key))
    }

    /// Adds a shared key to a keyring, so that what it proved can be checked.
    pub(crate) fn lend(&self, keyring: &mut Keyring) {
        match self {
            Self::Ssh { .. } => {}
            Self::Hmac(Secret(key)) => keyring.add(key.clone()),
        }
    }

    /// Signs with an SSH key and demands that it is the one that is expected.
    fn sign(
        keygen: &Keygen,
        location: &str,
        writer: &Writer,
        (id, role): (&RecordId, Role),
    ) -> Result<Proof, SignError> {
        let namespace = sshsig::namespace(role);
        let blob = Self::sign_in(keygen, (location, writer), namespace, &message(id))?;
        Ok(Proof::Ssh(blob))
    }

    /// Signs bytes in a namespace and demands that the key is the one that is expected.
    fn sign_in(
        keygen: &Keygen,
        (location, writer): (&str, &Writer),
        namespace: &str,
        bytes: &[u8],
    ) -> Result<Vec<u8>, SignError> {
        let blob = keygen.sign(location, namespace, bytes)?;
        let found = sshsig::verify(&blob, namespace, bytes)
            .map_err(|cause| SignError::Unsound { cause })?;
        if found == *writer {
            return Ok(blob);
        }
        Err(SignError::OtherKey {
            location: location.to_owned(),
            found: found.to_string(),
            expected: writer.to_string(),
        })
    }
}

impl Signer for Key {
    fn writer(&self) -> Writer {
        match self {
            Self::Ssh { writer, .. } => writer.clone(),
            Self::Hmac(Secret(key)) => Writer::Hmac(hmac_id(key)),
        }
    }

    fn prove(&self, id: &RecordId, role: Role) -> Result<Proof, Cause> {
        match self {
            Self::Ssh {
                keygen,
                location,
                writer,
            } => Ok(Self::sign(keygen, location, writer, (id, role))?),
            Self::Hmac(_) if role == Role::Approve => Err(SignError::NoNamespace.into()),
            Self::Hmac(Secret(key)) => {
                let mac = mac(key, &message(id)).ok_or("the key cannot make a MAC")?;
                Ok(Proof::Hmac {
                    key: hmac_id(key),
                    mac,
                })
            }
        }
    }

    fn sign_export(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Cause> {
        match self {
            Self::Ssh {
                keygen,
                location,
                writer,
            } => {
                let key = (location.as_str(), writer);
                Ok(Some(Self::sign_in(keygen, key, sshsig::EXPORT, bytes)?))
            }
            Self::Hmac(_) => Ok(None),
        }
    }
}
