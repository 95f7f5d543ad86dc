//! The state against real git: a table of awkward work trees, each a few lines of shell.

mod attributes;
mod glance;
mod layouts;
mod limits;
mod oracle;
mod untracked;
pub(in crate::git) mod world;
