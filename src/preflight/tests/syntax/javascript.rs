//! JavaScript.

use super::check;

const SOURCE: &str = r#"
const pay = require("./pay");
import { charge } from "./charge.mjs";
/* mentions ghost */
class Provider {
  rate = 1;
  async refund(amount, why = `spoken ${pay}`) { charge(amount); new Thing(); }
}
function* each(a, [b]) {}
const { left, right } = pay;
let refund = function (x) {};
it("books once", () => {});
export default Provider;
"#;

#[test]
fn javascript_is_read() {
    check(
        "a.js",
        SOURCE,
        &[
            (
                r#"symbol_exists "symbol":"Provider.refund","kind":"function""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"Provider.rate""#, "true"),
            (r#"symbol_exists "symbol":"each""#, "true"),
            (r#"symbol_exists "symbol":"right""#, "true"),
            (r#"symbol_absent "symbol":"ghost""#, "true"),
            (r#"symbol_unique "symbol":"refund""#, "false"),
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[{"name":"amount","optional":false},{"name":"why","optional":true}]"#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"each","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"charge""#,
                "true",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"Thing""#,
                "true",
            ),
            (r#"imports "module":"./pay""#, "true"),
            (r#"imports "module":"./charge.mjs","name":"charge""#, "true"),
            (r#"imports "module":"./none""#, "false"),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"Provider""#, "false"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
            (r#"test_exists "name":"books once""#, "true"),
            (r#"test_exists "name":"books twice""#, "false"),
        ],
    );
}

#[test]
fn what_javascript_loads_while_it_runs_or_spells_otherwise_is_open() {
    check(
        "a.js",
        "const x = require(name);\n",
        &[(r#"imports "module":"./pay""#, "AMBIGUOUS")],
    );
    check(
        "b.js",
        "function \\u0072efund() {}\n",
        &[
            (r#"symbol_absent "symbol":"refund""#, "AMBIGUOUS"),
            (r#"no_references "symbol":"refund""#, "AMBIGUOUS"),
        ],
    );
}
