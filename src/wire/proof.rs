//! The bytes that a proof is over (D20).

use super::digest::Label;
use crate::model::ids::RecordId;

/// Returns what a signature or MAC of a record is over: the label, NUL, and the 64 hex digits of its id.
pub(crate) fn message(id: &RecordId) -> Vec<u8> {
    format!("{}\0{id}", Label::Proof.as_str()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_label_nul_and_id() {
        let expected = format!("git-plan-audit/proof/v1\0{}", "0".repeat(64));

        assert_eq!(message(&RecordId::NONE), expected.as_bytes());
    }
}
