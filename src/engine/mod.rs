//! Decisions and flows of the commands, over ports: nothing here knows git, processes or files.

pub(crate) mod append;
pub(crate) mod audit;
pub(crate) mod bound;
pub(crate) mod events;
pub(crate) mod fingerprint;
pub(crate) mod judge;
pub(crate) mod lineage;
pub(crate) mod log;
pub(crate) mod ports;
pub(crate) mod run_steps;
pub(crate) mod seal;
pub(crate) mod select;
pub(crate) mod show;
pub(crate) mod standing;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod trusting;
pub(crate) mod usable;
pub(crate) mod validate;
pub(crate) mod world;
