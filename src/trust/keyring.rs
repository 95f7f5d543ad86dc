//! HMAC keys at hand, and the check of a proof that needs no other record.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::sshsig;
use crate::model::ids::{Digest, RecordId, Writer};
use crate::model::record::{Proof, Role};
use crate::wire::digest::sha256;
use crate::wire::proof::message;

/// The least length of an HMAC key, in bytes.
pub(crate) const LEAST_HMAC: usize = 32;

/// HMAC keys by their ids. Its text never shows a key.
#[derive(Clone, Default)]
pub(crate) struct Keyring {
    /// The keys.
    keys: BTreeMap<String, Vec<u8>>,
    /// Signatures that were checked, with who signed in which role: one command judges many times.
    ///
    /// A signature says the same for ever, whatever keys are at hand, so that clones share them.
    checked: Rc<RefCell<Checked>>,
}

/// What signatures say, by record and signature.
type Checked = BTreeMap<(RecordId, Vec<u8>), Option<(Role, Writer)>>;

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.keys.keys()).finish()
    }
}

impl Keyring {
    /// Adds a key; one that is too short is left out.
    pub(crate) fn add(&mut self, key: Vec<u8>) {
        if key.len() >= LEAST_HMAC {
            self.keys.insert(hmac_id(&key), key);
        }
    }

    /// Says who signed a record, and in which role; none if the signature is not valid in any.
    fn signed(&self, id: &RecordId, blob: &[u8]) -> Option<(Role, Writer)> {
        let mut checked = self.checked.borrow_mut();
        let entry = checked.entry((*id, blob.to_owned()));
        let check = || {
            [Role::Record, Role::Approve].into_iter().find_map(|role| {
                let signer = sshsig::verify(blob, sshsig::namespace(role), &message(id));
                Some((role, signer.ok()?))
            })
        };
        entry.or_insert_with(check).clone()
    }

    /// Returns the role in which a proof fits the key that the record names.
    ///
    /// None also for `by`, which needs another record, and for an HMAC whose key is not here. An
    /// HMAC has no namespace: it records and does not approve.
    pub(crate) fn role(&self, writer: &Writer, id: &RecordId, proof: &Proof) -> Option<Role> {
        match (proof, writer) {
            (Proof::Ssh(blob), Writer::Ssh(_)) => {
                let (role, signer) = self.signed(id, blob)?;
                (signer == *writer).then_some(role)
            }
            (Proof::Hmac { key, mac }, Writer::Hmac(named)) if key == named => {
                let secret = self.keys.get(key)?;
                is_mac(secret, &message(id), mac).then_some(Role::Record)
            }
            (Proof::Ssh(_) | Proof::Hmac { .. } | Proof::By(_), _) => None,
        }
    }
}

/// Returns the id of an HMAC key: the first 16 hex digits of its SHA-256 (D20).
pub(crate) fn hmac_id(key: &[u8]) -> String {
    sha256(key).to_string().chars().take(16).collect()
}

/// Returns the HMAC-SHA-256 of a message; none if the key cannot be one.
pub(crate) fn mac(key: &[u8], message: &[u8]) -> Option<Digest> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(message);
    Some(Digest::new(mac.finalize().into_bytes().into()))
}

/// Compares in constant time.
fn is_mac(key: &[u8], message: &[u8], expected: &Digest) -> bool {
    Hmac::<Sha256>::new_from_slice(key).is_ok_and(|mut mac| {
        mac.update(message);
        mac.verify_slice(expected.as_bytes()).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(key: &[u8], id: &RecordId) -> (Writer, Proof) {
        let name = hmac_id(key);
        let mac = mac(key, &message(id)).unwrap();
        (Writer::Hmac(name.clone()), Proof::Hmac { key: name, mac })
    }

    #[test]
    fn a_mac_fits_its_key_and_id_only() {
        let key = vec![7; 32];
        let (writer, proof) = proof(&key, &RecordId::NONE);
        let other = RecordId::new(Digest::new([1; 32]));
        let mut ring = Keyring::default();
        assert_eq!(ring.role(&writer, &RecordId::NONE, &proof), None);

        ring.add(key);

        let role = |writer: &Writer, id: &RecordId| ring.role(writer, id, &proof);
        assert_eq!(role(&writer, &RecordId::NONE), Some(Role::Record));
        assert_eq!(role(&writer, &other), None);
        assert_eq!(role(&Writer::Hmac("0".repeat(16)), &RecordId::NONE), None);
    }

    #[test]
    fn a_short_key_proves_nothing() {
        let key = vec![7; 31];
        let (writer, proof) = proof(&key, &RecordId::NONE);
        let mut ring = Keyring::default();

        ring.add(key);

        assert_eq!(ring.role(&writer, &RecordId::NONE, &proof), None);
    }

    #[test]
    fn a_keyring_never_shows_a_key() {
        let mut ring = Keyring::default();
        ring.add(b"a secret of thirty-two characters".to_vec());

        assert!(!format!("{ring:?}").contains("secret"));
    }
}
