//! Decisions and flows of the commands, over ports: nothing here knows git, processes or files.

pub(crate) mod anchor;
pub(crate) mod append;
#[cfg(test)]
mod append_tests;
pub(crate) mod audit;
#[cfg(test)]
mod audit_tests;
#[cfg(test)]
mod beside_tests;
pub(crate) mod bound;
pub(crate) mod close;
#[cfg(test)]
mod close_tests;
pub(crate) mod diff;
pub(crate) mod doctor;
mod earlier;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod fingerprint;
pub(crate) mod fsck;
#[cfg(test)]
mod fsck_tests;
pub(crate) mod hook;
pub(crate) mod judge;
pub(crate) mod ledgers;
mod lineage;
pub(crate) mod log;
pub(crate) mod own_key;
#[cfg(test)]
mod pins_tests;
pub(crate) mod place;
pub(crate) mod ports;
pub(crate) mod preflight;
mod programs;
#[cfg(test)]
mod programs_tests;
#[cfg(test)]
mod promise_tests;
#[cfg(test)]
mod property_tests;
pub(crate) mod review;
pub(crate) mod revoke;
pub(crate) mod run;
pub(crate) mod run_steps;
#[cfg(test)]
mod run_tests;
mod schedule;
#[cfg(test)]
mod scope_tests;
pub(crate) mod seal;
#[cfg(test)]
mod seal_tests;
pub(crate) mod select;
pub(crate) mod show;
pub(crate) mod standing;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod sync;
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
