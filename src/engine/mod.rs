//! Decisions and flows of the commands, over ports: nothing here knows git, processes or files.

pub(crate) mod append;
#[cfg(test)]
mod append_tests;
pub(crate) mod audit;
#[cfg(test)]
mod audit_tests;
pub(crate) mod bound;
pub(crate) mod close;
#[cfg(test)]
mod close_tests;
pub(crate) mod diff;
mod earlier;
pub(crate) mod events;
pub(crate) mod fingerprint;
pub(crate) mod judge;
mod lineage;
pub(crate) mod log;
pub(crate) mod ports;
#[cfg(test)]
mod property_tests;
pub(crate) mod run;
pub(crate) mod run_steps;
#[cfg(test)]
mod run_tests;
pub(crate) mod seal;
#[cfg(test)]
mod seal_tests;
pub(crate) mod select;
pub(crate) mod show;
pub(crate) mod standing;
pub(crate) mod status;
pub(crate) mod stop;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod trusting;
#[cfg(test)]
mod trusting_tests;
pub(crate) mod usable;
pub(crate) mod validate;
#[cfg(test)]
mod verify_tests;
pub(crate) mod world;
