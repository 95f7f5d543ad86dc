//! Plain data and pure rules: the words of the field as types, with nothing of bytes, files or git.

pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod checkout;
pub(crate) mod contract;
pub(crate) mod coverage;
pub(crate) mod files;
pub(crate) mod finding;
pub(crate) mod graph;
pub(crate) mod ids;
pub(crate) mod outcome;
pub(crate) mod pattern;
pub(crate) mod pins;
pub(crate) mod place;
pub(crate) mod recompute;
pub(crate) mod record;
pub(crate) mod relative;
pub(crate) mod repository;
pub(crate) mod revision;
pub(crate) mod settings;
pub(crate) mod sharing;
pub(crate) mod state;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod variables;
pub(crate) mod verdict;
