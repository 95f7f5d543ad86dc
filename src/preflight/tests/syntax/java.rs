//! Java.

use super::check;

const SOURCE: &str = r#"package pay;

import java.util.List;
import java.io.*;

/** mentions ghost */
public class Provider {
    static final int LIMIT = 3;
    enum Side { LEFT, RIGHT }

    public int refund(int amount, final String why) {
        charge(amount);
        new Thing();
        return "spoken".length();
    }
    void many(int... xs) {}
    void over(int a) {}
    void over(String a) {}

    @Test
    void isBookedOnce() {}
}
"#;

#[test]
fn java_is_read() {
    check(
        "a.java",
        SOURCE,
        &[
            (r#"symbol_exists "symbol":"Provider","kind":"type""#, "true"),
            (r#"symbol_exists "symbol":"Provider.refund""#, "true"),
            (
                r#"symbol_exists "symbol":"Provider.LIMIT","kind":"constant""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"Provider.Side.LEFT""#, "true"),
            (r#"symbol_absent "symbol":"ghost""#, "true"),
            (r#"symbol_absent "symbol":"refund""#, "false"),
            (r#"symbol_unique "symbol":"over""#, "false"),
            (
                r#"symbol_signature "symbol":"Provider.refund","params":[{"name":"amount"},{"name":"why"}],"returns":"int""#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"refund","params":[{"name":"amount"}]"#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"many","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"symbol_signature "symbol":"over","params":[{"name":"a"}]"#,
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
            (r#"imports "module":"java.util.List""#, "true"),
            (r#"imports "module":"java.util","name":"List""#, "true"),
            (r#"imports "module":"java.util","name":"Map""#, "false"),
            (r#"imports "module":"java.io","name":"File""#, "AMBIGUOUS"),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"charge""#, "false"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
            (r#"test_exists "name":"isBookedOnce""#, "true"),
            (r#"test_exists "name":"refund""#, "false"),
        ],
    );
}
