#!/bin/sh
# A crate with a macro.
set -eu
mkdir -p src/pay tests migrations
cat >src/main.rs <<'X'
mod pay;
use crate::pay::{charge, Provider};
// TODO: ghost_in_comment
fn main() {
    let provider = Provider { rate: 1 };
    provider.refund(3, "spoken_name");
    charge(1);
}
X
cat >src/pay/mod.rs <<'X'
pub struct Provider { pub rate: u64 }
impl Provider {
    pub fn refund(&self, amount: u64, why: &str) -> u64 { charge(amount); amount }
}
pub fn charge(amount: u64) -> u64 { amount }
pub fn never_used() {}
X
cat >src/pay/macros.rs <<'X'
make!(hidden_definition);
X
cat >tests/pay.rs <<'X'
#[test]
fn a_refund_is_booked_once() {}
X
echo 'create table refunds (id int);' >migrations/1.sql
printf '[package]\nname = "pay"\nedition = "2024"\n' >Cargo.toml
git add -A && git commit -qm Base && git tag base
echo 'create table more (id int);' >migrations/2.sql
git mv src/pay/macros.rs src/pay/moved.rs
git add -A && git commit -qm Work
