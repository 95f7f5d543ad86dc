//! `git plan-audit`: makes git refuse the push until the plan is proven.

mod engine;
mod git;
mod ledger;
mod model;
mod report;
mod wire;

fn main() {}
