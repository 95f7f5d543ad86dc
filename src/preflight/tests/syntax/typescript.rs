//! TypeScript and TSX.

use super::check;

const SOURCE: &str = r#"
import Default, { charge as c, type Rate } from "./pay";
import * as all from "./all";
export { one } from "./one";
export * from "./every";

// mentions ghost
export interface Pays { pay(amount: number): void; rate: number }
export type Side = "left" | "right";
enum Kind { A, B }
namespace Inner { export const x = 1; }

export class Provider {
  limit = 3;
  refund(amount?: number, why: string = "spoken"): Promise<void> { this.charge(amount); return c(why); }
  many(...rest: number[]) {}
}
export const arrow = (amount: number): number => amount;
export function over(a: string): void;
export function over(a: number): void {}

test("a refund is booked once", () => {});
"#;

#[test]
fn typescript_says_what_it_defines() {
    for path in ["a.ts", "a.tsx"] {
        check(
            path,
            SOURCE,
            &[
                (r#"symbol_exists "symbol":"Provider","kind":"type""#, "true"),
                (
                    r#"symbol_exists "symbol":"Provider.refund","kind":"function""#,
                    "true",
                ),
                (r#"symbol_exists "symbol":"Provider.limit""#, "true"),
                (r#"symbol_exists "symbol":"Pays.pay""#, "true"),
                (r#"symbol_exists "symbol":"Side""#, "true"),
                (r#"symbol_exists "symbol":"Inner.x""#, "true"),
                (
                    r#"symbol_exists "symbol":"arrow","kind":"function""#,
                    "true",
                ),
                (r#"symbol_absent "symbol":"ghost""#, "true"),
                (r#"symbol_absent "symbol":"arrow""#, "false"),
                (r#"symbol_unique "symbol":"over""#, "false"),
                (r#"symbol_unique "symbol":"arrow""#, "true"),
            ],
        );
    }
}

#[test]
fn typescript_says_what_functions_take_and_call() {
    check(
        "a.ts",
        SOURCE,
        &[
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[{"name":"amount","optional":true},{"name":"why","optional":true}],"returns":"Promise<void>""#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"arrow","params":[{"name":"amount","optional":true}]"#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"arrow","returns":"number""#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"over","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"symbol_signature "symbol":"many","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"charge""#,
                "true",
            ),
            (
                r#"calls "symbol":"arrow","calls":"charge","syntactic":"true""#,
                "false",
            ),
        ],
    );
}

#[test]
fn typescript_says_what_it_imports_uses_and_tests() {
    check(
        "a.ts",
        SOURCE,
        &[
            (r#"imports "module":"./pay","name":"charge""#, "true"),
            (r#"imports "module":"./pay","name":"default""#, "true"),
            (r#"imports "module":"./one","name":"one""#, "true"),
            (r#"imports "module":"./pay","name":"other""#, "false"),
            (r#"imports "module":"./all","name":"x""#, "AMBIGUOUS"),
            (r#"imports "module":"./every","name":"x""#, "AMBIGUOUS"),
            (r#"imports "module":"./none""#, "false"),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"charge""#, "false"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
            (r#"test_exists "name":"a refund is booked once""#, "true"),
            (r#"test_exists "name":"a refund""#, "false"),
        ],
    );
}
