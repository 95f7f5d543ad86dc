//! C.

use super::check;

const SOURCE: &str = r#"
#include <stdio.h>
#include "pay.h"
#define LIMIT 3
#define TWICE(x) ((x) + hidden(x))

/* mentions ghost */
struct provider { int rate; };
typedef unsigned long money;
enum side { LEFT, RIGHT };
static int total = 0;
int declared(int a);

char *refund(struct provider *p, int amount)
{
    charge(p, amount);
    puts("spoken");
    return 0;
}

void nothing(void) {}
int many(int a, ...) { return a; }
"#;

#[test]
fn c_is_read() {
    check(
        "a.c",
        SOURCE,
        &[
            (
                r#"symbol_exists "symbol":"refund","kind":"function""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"provider","kind":"type""#, "true"),
            (r#"symbol_exists "symbol":"money","kind":"type""#, "true"),
            (
                r#"symbol_exists "symbol":"LIMIT","kind":"constant""#,
                "true",
            ),
            (
                r#"symbol_exists "symbol":"TWICE","kind":"function""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"RIGHT""#, "true"),
            (r#"symbol_exists "symbol":"total""#, "true"),
            (r#"symbol_exists "symbol":"declared""#, "false"),
            (r#"symbol_absent "symbol":"ghost""#, "true"),
            (r#"symbol_unique "symbol":"refund""#, "true"),
            (
                r#"symbol_signature "symbol":"refund","params":[{"name":"p"},{"name":"amount"}],"returns":"char *""#,
                "true",
            ),
            (r#"symbol_signature "symbol":"nothing","params":[]"#, "true"),
            (r#"symbol_signature "symbol":"refund","params":[]"#, "false"),
            (
                r#"symbol_signature "symbol":"many","params":[]"#,
                "AMBIGUOUS",
            ),
            (r#"calls "symbol":"refund","calls":"charge""#, "true"),
            (r#"imports "module":"stdio.h""#, "true"),
            (r#"imports "module":"pay.h""#, "true"),
            (r#"imports "module":"math.h""#, "false"),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"charge""#, "false"),
            (r#"no_references "symbol":"hidden""#, "AMBIGUOUS"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
        ],
    );
}

#[test]
fn what_the_preprocessor_makes_is_not_written() {
    for source in [
        "#define MAKE(x) int re##x(void) { return 0; }\nint a;\n",
        "MAKE(fund)\nint a;\n",
    ] {
        let absent = crate::preflight::testing::Memory::of(&[("a.c", source)])
            .says(r#""type":"symbol_absent","path":"a.c","symbol":"refund""#);
        assert!(
            ["AMBIGUOUS", "PARSE_ERROR"].contains(&absent.as_str()),
            "{absent}"
        );
    }
}
