//! What a signature or MAC is over (D20).

use super::digest::Label;
use crate::model::ids::RecordId;

/// Returns the bytes that a proof covers: label, NUL, and the 64 hex digits of the id.
pub(crate) fn message(id: &RecordId) -> Vec<u8> {
    format!("{}\0{id}", Label::Proof.as_str()).into_bytes()
}
