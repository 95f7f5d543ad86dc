//! The one reader and writer of bytes: labelled digests, canonical JSON, strict reading.

pub(crate) mod digest;
pub(crate) mod own;
pub(crate) mod proof;
