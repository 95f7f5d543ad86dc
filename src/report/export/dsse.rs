//! DSSE envelopes (secure-systems-lab/dsse, version 1).

use serde_json::json;

use crate::wire::text::base64;

/// The type of the payload: an in-toto statement.
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// Returns the bytes that are signed: the pre-authentication encoding of type and payload.
pub(crate) fn signed_bytes(payload: &str) -> Vec<u8> {
    let (kind, body) = (PAYLOAD_TYPE, payload);
    format!("DSSEv1 {} {kind} {} {body}", kind.len(), body.len()).into_bytes()
}

/// Writes the envelope of a payload with one signature: a raw SSHSIG blob over [`signed_bytes`].
pub(crate) fn envelope(payload: &str, key: &str, signature: &[u8]) -> String {
    let envelope = json!({
        "payload": base64(payload.as_bytes()),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{ "keyid": key, "sig": base64(signature) }],
    });
    format!("{envelope}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_in_bytes() {
        let expected = "DSSEv1 28 application/vnd.in-toto+json 3 \u{fc}x";

        assert_eq!(signed_bytes("\u{fc}x"), expected.as_bytes());
    }
}
