//! Git itself, through gix: opening, objects, refs, notes, and the state of a workspace.

pub(crate) mod checkout;
mod commit_header;
mod controls;
mod durable;
mod files;
mod gate;
mod history;
pub(crate) mod hooks;
mod ids;
pub(crate) mod laid;
mod nested;
pub(crate) mod notes;
pub(crate) mod objects;
pub(crate) mod open;
mod packed;
mod pager;
pub(crate) mod parameters;
mod plain;
mod plan_files;
mod quarantine;
mod references;
mod refusal;
mod remotes;
mod revision;
pub(crate) mod settings;
pub(crate) mod sharing;
mod state;
#[cfg(test)]
mod testing;
pub(crate) mod watch;
mod work_trees;

use ids::from_gix as oid;
