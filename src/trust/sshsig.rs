//! SSH signatures (SSHSIG, OpenSSH's PROTOCOL.sshsig), checked in process.

use ssh_encoding::{Decode as _, Encode as _};
use ssh_key::public::KeyData;
use ssh_key::{Algorithm, HashAlg, PublicKey, SshSig};

use crate::model::ids::Writer;
use crate::model::record::Role;

/// The namespace of records: role "records evidence" (DESIGN section 8).
pub(crate) const RECORD: &str = "git-plan-audit";

/// The namespace of approvals.
pub(crate) const APPROVE: &str = "git-plan-audit-approve";

/// The namespace of documents for other tools: no role, so that none of them is a record.
pub(crate) const EXPORT: &str = "git-plan-audit-export";

/// Returns the namespace of a role.
pub(crate) const fn namespace(role: Role) -> &'static str {
    match role {
        Role::Record => RECORD,
        Role::Approve => APPROVE,
    }
}

/// Shortest RSA modulus that counts, in bytes (2048 bits).
const LEAST_RSA: usize = 256;

/// Why a signature does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unsound {
    /// The bytes are no SSHSIG blob that this tool reads; certificates are among those.
    #[error("the bytes are no SSH signature of a plain key")]
    NotASignature,
    /// The signature is for another purpose.
    #[error("the signature is for another namespace")]
    Namespace,
    /// The key is too weak, or of a kind that does not count.
    #[error("the key is of a kind that does not count")]
    Key,
    /// The signature does not fit message and key.
    #[error("the signature does not fit the message")]
    Mismatch,
}

/// Checks a raw SSHSIG blob over `message` and returns the key that made it.
pub(crate) fn verify(blob: &[u8], namespace: &str, message: &[u8]) -> Result<Writer, Unsound> {
    let signature = decode(blob)?;
    if signature.namespace() != namespace {
        return Err(Unsound::Namespace);
    }
    let key = PublicKey::from(signature.public_key().clone());
    if !is_strong(key.key_data()) {
        return Err(Unsound::Key);
    }
    key.verify(namespace, message, &signature)
        .map_err(|_| Unsound::Mismatch)?;
    writer_of(&key).ok_or(Unsound::Key)
}

/// Decodes a blob that has exactly the spelling that a signer of version 1 gives it.
fn decode(blob: &[u8]) -> Result<SshSig, Unsound> {
    let signature = SshSig::decode(&mut &*blob).map_err(|_| Unsound::NotASignature)?;
    let mut again = Vec::with_capacity(blob.len());
    signature
        .encode(&mut again)
        .map_err(|_| Unsound::NotASignature)?;
    let is_first = signature.version() == 1 && signature.reserved().is_empty();
    if is_first && again == blob {
        Ok(signature)
    } else {
        Err(Unsound::NotASignature)
    }
}

/// Says whether a key is of a kind and length that counts.
pub(super) fn is_strong(key: &KeyData) -> bool {
    match (key.algorithm(), key.rsa()) {
        (Algorithm::Rsa { .. }, Some(rsa)) => rsa.n.as_positive_bytes().is_some_and(is_long),
        (Algorithm::Ed25519 | Algorithm::Ecdsa { .. } | Algorithm::SkEd25519, _) => true,
        // DSA, unknown kinds, and ECDSA security keys, whose signatures this version cannot read.
        (_, _) => false,
    }
}

/// Says whether a modulus without leading zeros has 2048 bits.
fn is_long(modulus: &[u8]) -> bool {
    modulus.split_first().is_some_and(|(first, rest)| {
        rest.len() >= LEAST_RSA || rest.len() + 1 == LEAST_RSA && *first >= 0x80
    })
}

/// Returns the name of a key as records write it.
pub(crate) fn writer_of(key: &PublicKey) -> Option<Writer> {
    Writer::parse(&format!("ssh:{}", key.fingerprint(HashAlg::Sha256)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;

    /// Made with ssh-keygen: an ed25519 key over "message" in the namespace of records.
    const GOOD: &str = include_str!("../../tests/vectors/sshsig/good.b64");

    fn good() -> Vec<u8> {
        base64::engine::general_purpose::STANDARD
            .decode(GOOD.trim())
            .unwrap()
    }

    #[test]
    fn a_signature_of_ssh_keygen_names_its_key() {
        let key = include_str!("../../tests/vectors/sshsig/key.pub");
        let writer = writer_of(&PublicKey::from_openssh(key).unwrap()).unwrap();

        assert_eq!(verify(&good(), RECORD, b"message"), Ok(writer));
    }

    #[test]
    fn another_message_namespace_or_byte_is_refused() {
        assert_eq!(verify(&good(), RECORD, b"massage"), Err(Unsound::Mismatch));
        assert_eq!(
            verify(&good(), APPROVE, b"message"),
            Err(Unsound::Namespace)
        );
        let writer = verify(&good(), RECORD, b"message").unwrap();
        for at in 0..good().len() {
            let mut bytes = good();
            bytes[at] ^= 1;
            assert_ne!(
                verify(&bytes, RECORD, b"message"),
                Ok(writer.clone()),
                "byte {at}"
            );
        }
    }

    #[test]
    fn bytes_after_the_end_are_refused() {
        let mut bytes = good();
        bytes.push(0);

        assert_eq!(
            verify(&bytes, RECORD, b"message"),
            Err(Unsound::NotASignature)
        );
    }
}
