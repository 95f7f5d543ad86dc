//! Which evaluator decides which type: one row each.

use super::kinds::{
    api, commits, config, count, dependencies, functions, human, imports, paths, references,
    symbols, text, unchanged, validity,
};
use super::probe::{Answer, Probe};
use crate::model::claim::types::Type;

/// An evaluator.
pub(super) struct Row {
    /// The type that it decides.
    pub(super) name: &'static str,
    /// Counts up with every change that may change a result.
    pub(super) version: u64,
    /// Decides a statement.
    pub(super) decide: fn(&mut Probe<'_>) -> Answer,
}

/// Makes a row.
const fn row(name: &'static str, version: u64, decide: fn(&mut Probe<'_>) -> Answer) -> Row {
    Row {
        name,
        version,
        decide,
    }
}

/// Every evaluator, in the order of the types.
const ROWS: &[Row] = &[
    row("path_exists", 1, paths::exists),
    row("path_absent", 1, paths::absent),
    row("blob_equals", 2, paths::equals),
    row("file_unchanged_since", 2, unchanged::file),
    row("tree_unchanged_since", 2, unchanged::tree),
    row("commit_ancestor", 1, commits::ancestor),
    row("glob_count", 1, count::count),
    row("text_present", 2, text::present),
    row("text_absent", 2, text::absent),
    row("config_value", 1, config::value),
    row("dependency_declared", 1, dependencies::declared),
    row("dependency_version", 1, dependencies::version),
    row("api_contract", 1, api::contract),
    row("api_compatible_with", 1, api::compatible),
    row("json_schema_valid", 1, validity::valid),
    row("symbol_exists", 2, symbols::exists),
    row("symbol_absent", 2, symbols::absent),
    row("symbol_signature", 2, functions::signature),
    row("symbol_unique", 2, symbols::unique),
    row("imports", 2, imports::imports),
    row("calls", 2, functions::calls),
    row("no_references", 2, references::none),
    row("only_referenced_by", 2, references::only),
    row("test_exists", 2, symbols::test),
    row("human", 1, human::statement),
];

/// Finds the evaluator of a type.
pub(super) fn of(kind: &Type) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == kind.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::types::ALL;

    #[test]
    fn every_type_that_plans_may_use_has_an_evaluator_and_no_other() {
        let built = ALL.iter().filter(|kind| kind.is_built());
        let built: Vec<&str> = built.map(|kind| kind.name).collect();
        let decided: Vec<&str> = ROWS.iter().map(|row| row.name).collect();

        assert_eq!(built, decided);
    }
}
