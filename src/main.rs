//! `git plan-audit`: makes git refuse the push until the plan is proven.

mod engine;
mod git;
mod ledger;
mod local;
mod model;
mod sign;
mod wire;

fn main() {}
