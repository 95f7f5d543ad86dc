//! Black-box tests: the binary against real git in a world of its own, and the rules of the source.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test may stop at the first surprise, and it starts processes itself"
)]

mod anchor;
mod anchored;
mod beside;
mod burdens;
mod cases;
mod checkout;
mod ci;
mod cli;
mod crowd;
mod exits;
mod export;
mod flow;
mod foreign;
mod guide;
mod hidden;
mod hooks;
mod hosts;
mod interruptions;
mod layers;
mod lineage;
mod loosened;
mod lost;
mod names;
mod newcomer;
mod pins;
mod plain_git;
mod ported;
mod preflight;
mod programs;
mod promise;
mod quiet;
mod review;
mod revoke;
mod schemas;
mod scope;
mod separation;
mod servers;
mod signed;
mod steering;
mod support;
mod sync;
mod tamper;
mod team;
mod terminal;
mod told;
mod tricks;
mod trust_moves;
mod unsealed;
mod vectors;
mod verifier;
mod waiting;
mod waiting_records;
