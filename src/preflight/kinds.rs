//! Evaluators, one file for each group of types that share their facts.

pub(super) mod api;
pub(super) mod commits;
pub(super) mod config;
pub(super) mod count;
pub(super) mod dependencies;
pub(super) mod functions;
pub(super) mod human;
pub(super) mod imports;
pub(super) mod paths;
pub(super) mod references;
pub(super) mod symbols;
pub(super) mod text;
pub(super) mod unchanged;
pub(super) mod validity;
