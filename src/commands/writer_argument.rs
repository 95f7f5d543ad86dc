//! The name of a key on the command line.

use crate::model::ids::Writer;

/// Reads the name of a key: as records write it, or the fingerprint that ssh-keygen prints.
pub(super) fn read(text: &str) -> Result<Writer, String> {
    let found = Writer::parse(text).or_else(|| Writer::parse(&format!("ssh:{text}")));
    found.ok_or_else(|| {
        "give ssh:SHA256:FINGERPRINT or hmac:ID, as git plan-audit log does".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_named_as_log_or_ssh_keygen_does() {
        let fingerprint = format!("SHA256:{}", "a".repeat(43));

        let short = read(&fingerprint).unwrap();

        assert_eq!(read(&format!("ssh:{fingerprint}")), Ok(short));
        assert!(read("hmac:0123456789abcdef").is_ok() && read("ada").is_err());
    }
}
