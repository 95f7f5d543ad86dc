//! `git plan-audit`: makes git refuse the push until the plan is proven.

mod app;
mod check;
mod commands;
mod engine;
mod git;
mod ledger;
mod local;
mod model;
#[cfg(test)]
mod mutated_tests;
mod preflight;
mod proc;
mod report;
mod sign;
mod trust;
mod ui;
mod wire;

fn main() -> std::process::ExitCode {
    app::run()
}
