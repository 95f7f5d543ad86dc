//! Rust.

use super::check;

const SOURCE: &str = r#"
use std::collections::{BTreeMap, btree_map::Entry as E};
use crate::pay::*;

/// Mentions ghost only here.
pub struct Provider { rate: u64 }
pub enum Side { Left, Right }
const LIMIT: usize = 3;

impl Provider {
    pub fn refund(&self, amount: u64, why: &str) -> Result<(), Error> {
        self.charge(amount);
        helper::<u64>(LIMIT);
        let text = "spoken";
        Ok(())
    }
    fn pattern((a, b): (u8, u8)) {}
}

mod inner {
    pub fn refund() {}
}

trait Pays { fn pay(&self, amount: u64); }

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_booked_once() {}
    #[tokio::test(flavor = "x")]
    async fn it_is_async() {}
    fn no_test() {}
}
"#;

#[test]
fn rust_says_what_it_defines() {
    check(
        "a.rs",
        SOURCE,
        &[
            (r#"symbol_exists "symbol":"Provider""#, "true"),
            (r#"symbol_exists "symbol":"Provider","kind":"type""#, "true"),
            (
                r#"symbol_exists "symbol":"Provider","kind":"function""#,
                "false",
            ),
            (r#"symbol_exists "symbol":"Provider.refund""#, "true"),
            (r#"symbol_exists "symbol":"inner.refund""#, "true"),
            (r#"symbol_exists "symbol":"Side.Left""#, "true"),
            (
                r#"symbol_exists "symbol":"LIMIT","kind":"constant""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"Pays.pay""#, "true"),
            (r#"symbol_exists "symbol":"Other.refund""#, "false"),
            (r#"symbol_exists "symbol":"ghost""#, "false"),
            (r#"symbol_absent "symbol":"ghost""#, "true"),
            (r#"symbol_absent "symbol":"refund""#, "false"),
            (r#"symbol_unique "symbol":"Provider.refund""#, "true"),
            (r#"symbol_unique "symbol":"refund""#, "false"),
            (r#"symbol_unique "symbol":"ghost""#, "false"),
        ],
    );
}

#[test]
fn rust_says_what_functions_take_and_call() {
    check(
        "a.rs",
        SOURCE,
        &[
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[{"name":"amount"},{"name":"why","optional":false}],"returns":"Result<(), Error>""#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[{"name":"amount","optional":true},{"name":"why"}]"#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[]"#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"Provider.refund","returns":"u64""#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"refund","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"symbol_signature "symbol":"pattern","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"symbol_signature "symbol":"ghost","params":[]"#,
                "vacuously false",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"charge""#,
                "true",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"helper""#,
                "true",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"ghost""#,
                "AMBIGUOUS",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"ghost","syntactic":"true""#,
                "false",
            ),
            (r#"calls "symbol":"ghost","calls":"charge""#, "AMBIGUOUS"),
        ],
    );
}

#[test]
fn rust_says_what_it_imports_uses_and_tests() {
    check(
        "a.rs",
        SOURCE,
        &[
            (
                r#"imports "module":"std::collections","name":"BTreeMap""#,
                "true",
            ),
            (
                r#"imports "module":"std::collections::btree_map","name":"Entry""#,
                "true",
            ),
            (
                r#"imports "module":"std::collections","name":"BTreeSet""#,
                "false",
            ),
            (
                r#"imports "module":"crate::pay","name":"charge""#,
                "AMBIGUOUS",
            ),
            (r#"imports "module":"std::fs""#, "false"),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"inner""#, "true"),
            (r#"no_references "symbol":"LIMIT""#, "false"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
            (
                r#"only_referenced_by "symbol":"LIMIT","by":["a.rs"]"#,
                "true",
            ),
            (
                r#"only_referenced_by "symbol":"LIMIT","by":["b.rs"]"#,
                "false",
            ),
            (r#"test_exists "name":"it_is_booked_once""#, "true"),
            (r#"test_exists "name":"it_is_async""#, "true"),
            (r#"test_exists "name":"no_test""#, "false"),
        ],
    );
}

#[test]
fn what_a_macro_makes_is_not_written() {
    check(
        "a.rs",
        "make_functions!(refund);\nfn other() {}\n",
        &[
            (r#"symbol_exists "symbol":"other""#, "true"),
            (r#"symbol_exists "symbol":"refund""#, "AMBIGUOUS"),
            (r#"symbol_absent "symbol":"refund""#, "AMBIGUOUS"),
            (r#"symbol_unique "symbol":"other""#, "AMBIGUOUS"),
        ],
    );
}
