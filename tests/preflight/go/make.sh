#!/bin/sh
# A module of two packages.
set -eu
mkdir -p pay
cat >pay/pay.go <<'X'
package pay

type Provider struct{}

// Cancel is only mentioned.
func (p Provider) Refund(amount int) error { return nil }
func Many(xs ...int)                       {}
func Legacy()                              {}
X
cat >pay/pay_test.go <<'X'
package pay

func TestRefund(t *T) {}
X
cat >main.go <<'X'
package main

import "example.com/shop/pay"

func main() { pay.Provider{}.Refund(1) }
X
git add -A && git commit -qm Base && git tag base
