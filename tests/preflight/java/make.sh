#!/bin/sh
# One package.
set -eu
mkdir -p src/pay
cat >src/pay/Provider.java <<'X'
package pay;
import java.util.List;
/* cancel is only mentioned */
class Provider {
    int refund(int amount) { return charge(amount); }
    int charge(int amount) { return amount; }
    void over(int a) {}
    void over(String a) {}
    void legacy() {}
}
X
cat >src/pay/ProviderTest.java <<'X'
package pay;
class ProviderTest {
    @Test void isBookedOnce() {}
    void helper() {}
}
X
git add -A && git commit -qm Base && git tag base
