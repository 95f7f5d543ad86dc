//! Go.

use super::check;

const SOURCE: &str = r#"package pay

import (
	"fmt"
	. "example.com/all"
	log "example.com/log"
)

// mentions ghost
type Provider struct{ rate int }
type Pays interface{ Pay(amount int) error }
const Limit = 3
var a, b = 1, 2

func (p *Provider) Refund(amount int, why, how string) (int, error) {
	p.charge(amount)
	fmt.Println("spoken")
	return 0, nil
}

func many(xs ...int) {}
func unnamed(int, string) {}

func TestRefundIsBookedOnce(t *testing.T) {}
"#;

#[test]
fn go_is_read() {
    check(
        "a_test.go",
        SOURCE,
        &[
            (r#"symbol_exists "symbol":"Provider","kind":"type""#, "true"),
            (r#"symbol_exists "symbol":"Provider.Refund""#, "true"),
            (
                r#"symbol_exists "symbol":"Limit","kind":"constant""#,
                "true",
            ),
            (r#"symbol_exists "symbol":"b""#, "true"),
            (r#"symbol_exists "symbol":"Other.Refund""#, "false"),
            (r#"symbol_absent "symbol":"ghost""#, "true"),
            (r#"symbol_unique "symbol":"Refund""#, "true"),
            (
                r#"symbol_signature "symbol":"Provider.Refund","params":[{"name":"amount"},{"name":"why"},{"name":"how"}],"returns":"(int, error)""#,
                "true",
            ),
            (
                r#"symbol_signature "symbol":"Refund","params":[{"name":"amount","optional":true},{"name":"why"},{"name":"how"}]"#,
                "false",
            ),
            (
                r#"symbol_signature "symbol":"many","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"symbol_signature "symbol":"unnamed","params":[]"#,
                "AMBIGUOUS",
            ),
            (
                r#"calls "symbol":"Provider.Refund","calls":"charge""#,
                "true",
            ),
            (r#"imports "module":"fmt""#, "true"),
            (r#"imports "module":"example.com/log""#, "true"),
            (r#"imports "module":"os""#, "false"),
            (
                r#"imports "module":"example.com/all","name":"X""#,
                "AMBIGUOUS",
            ),
            (r#"no_references "symbol":"ghost""#, "true"),
            (r#"no_references "symbol":"charge""#, "false"),
            (r#"no_references "symbol":"spoken""#, "AMBIGUOUS"),
            (r#"test_exists "name":"TestRefundIsBookedOnce""#, "true"),
            (r#"test_exists "name":"TestOther""#, "false"),
        ],
    );
}
