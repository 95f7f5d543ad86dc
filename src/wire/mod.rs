//! The one reader and writer of bytes: labelled digests, canonical JSON, strict reading.

pub(crate) mod body;
pub(crate) mod canonical;
pub(crate) mod claim;
pub(crate) mod contract;
pub(crate) mod digest;
pub(crate) mod evidence;
pub(crate) mod host;
pub(crate) mod host_settings;
pub(crate) mod own;
pub(crate) mod path;
pub(crate) mod plan;
pub(crate) mod proof;
pub(crate) mod record;
pub(crate) mod strict;
pub(crate) mod supervisor;
pub(crate) mod text;
