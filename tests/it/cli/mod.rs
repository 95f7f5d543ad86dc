//! One file per command.

mod audit;
mod demo;
mod fingerprint;
mod fsck;
mod help;
mod init;
mod log;
mod reference;
mod run;
mod seal;
mod show;
mod status;
mod validate;
mod verify;
