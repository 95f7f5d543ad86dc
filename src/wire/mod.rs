//! The one reader and writer of bytes: labelled digests, canonical JSON, strict reading.

pub(crate) mod canonical;
pub(crate) mod contract;
pub(crate) mod digest;
pub(crate) mod plan;
pub(crate) mod strict;
