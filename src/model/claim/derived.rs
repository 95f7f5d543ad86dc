//! Claims that follow from what a step says it will touch (PREFLIGHT section 1).

use std::collections::BTreeMap;

use super::statement::{Statement, Value};
use super::types::{self, Type};
use super::{Claim, Criticality};
use crate::model::contract::{Contract, Step};

/// Lists the claims of a contract: those it states, then those that follow from its steps.
pub(crate) fn all(contract: &Contract) -> Vec<Claim> {
    let derived = contract.steps.iter().flat_map(of_step);
    contract.claims.iter().cloned().chain(derived).collect()
}

/// Lists the claims that follow from the fields of a step.
fn of_step(step: &Step) -> Vec<Claim> {
    let rows: [(&str, &[String], &'static Type, &str, Criticality); 4] = [
        (
            "modifies",
            &step.modifies,
            &types::PATH_EXISTS,
            "path",
            Criticality::High,
        ),
        (
            "deletes",
            &step.deletes,
            &types::PATH_EXISTS,
            "path",
            Criticality::High,
        ),
        (
            "creates",
            &step.creates,
            &types::PATH_ABSENT,
            "path",
            Criticality::Medium,
        ),
        (
            "uses_symbol",
            &step.uses_symbol,
            &types::SYMBOL_EXISTS,
            "symbol",
            Criticality::High,
        ),
    ];
    let mut claims = Vec::new();
    for (member, values, kind, field, criticality) in rows {
        claims.extend(values.iter().map(|value| {
            let mut fields = BTreeMap::from([(field, Value::Text(value.clone()))]);
            if field == "symbol" {
                fields.insert("paths", Value::Texts(vec!["**".to_owned()]));
            }
            Claim {
                id: format!("step {} {member} {value}", step.id),
                steps: vec![step.id],
                criticality,
                hold: false,
                because: None,
                statement: Statement {
                    kind,
                    expect: true,
                    fields,
                },
            }
        }));
    }
    claims
}
