//! Python.

use super::check;

const SOURCE: &str = r#"
import os.path as p, sys
from django.http import JsonResponse as J, HttpResponse
from .models import *

LIMIT = 3
A, B = 1, 2

# mentions ghost
class Provider:
    rate: int = 4

    def refund(self, amount, why="", *, fast: bool = False) -> None:
        self.charge(amount)
        print("spoken")

    @staticmethod
    def plain(amount: int):
        local = 1

    def many(self, *args, **kwargs):
        pass

async def refund(): ...

def test_refund_is_booked_once():
    pass
"#;

#[test]
fn python_says_what_it_defines() {
    check(
        "a.py",
        SOURCE,
        &[
            (r#"symbol_exists "symbol":"Provider","kind":"type""#, "true"),
            (r#"symbol_exists "symbol":"Provider.refund""#, "true"),
            (
                r#"symbol_exists "symbol":"Provider.rate","kind":"constant""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"LIMIT""#, "true"),
            (r#"symbol_exists "symbol":"B""#, "true"),
            (r#"symbol_exists "symbol":"local""#, "false"),
            (r#"symbol_exists "symbol":"ghost""#, "false"),
            (r#"symbol_absent "symbol":"ghost""#, "true"),
            (r#"symbol_unique "symbol":"refund""#, "false"),
            (r#"symbol_unique "symbol":"Provider.refund""#, "true"),
        ],
    );
}

#[test]
fn python_says_what_functions_take_and_call() {
    let whole = r#""params":[{"name":"amount","optional":false},{"name":"why","optional":true},{"name":"fast","optional":true}]"#;
    check(
        "a.py",
        SOURCE,
        &[
            (
                &format!(r#"symbol_signature "symbol":"Provider.refund",{whole},"returns":"None""#),
                "true",
            ),
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[{"name":"amount"}]"#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"Provider.plain","params":[{"name":"amount"}]"#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"Provider.many","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"charge""#,
                "true",
            ),
            (
                r#"calls "symbol":"Provider.refund","calls":"ghost""#,
                "AMBIGUOUS",
            ),
        ],
    );
}

#[test]
fn python_says_what_it_imports_uses_and_tests() {
    check(
        "a.py",
        SOURCE,
        &[
            (r#"imports "module":"os.path""#, "true"),
            (
                r#"imports "module":"django.http","name":"JsonResponse""#,
                "true",
            ),
            (r#"imports "module":"django.http","name":"J""#, "false"),
            (r#"imports "module":".models","name":"User""#, "AMBIGUOUS"),
            (r#"imports "module":"requests""#, "false"),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"Provider""#, "true"),
            (r#"no_references "symbol":"charge""#, "false"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
            (r#"test_exists "name":"test_refund_is_booked_once""#, "true"),
            (r#"test_exists "name":"test_other""#, "false"),
        ],
    );
}

#[test]
fn what_python_makes_while_it_runs_is_not_written() {
    check(
        "a.py",
        "globals()['refund'] = 1\n",
        &[(r#"symbol_absent "symbol":"refund""#, "AMBIGUOUS")],
    );
    check(
        "b.py",
        "importlib.import_module(name)\n",
        &[(r#"imports "module":"refund""#, "AMBIGUOUS")],
    );
    // Names are brought into a normal form: this one is `refund` to Python.
    check(
        "c.py",
        "def \u{ff52}efund(): pass\n",
        &[
            (r#"symbol_absent "symbol":"refund""#, "AMBIGUOUS"),
            (r#"no_references "symbol":"refund""#, "AMBIGUOUS"),
        ],
    );
}
