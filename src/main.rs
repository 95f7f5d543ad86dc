//! `git plan-audit`: makes git refuse the push until the plan is proven.

mod check;
mod engine;
mod git;
mod ledger;
mod model;
mod proc;
mod trust;
mod wire;

fn main() {}
