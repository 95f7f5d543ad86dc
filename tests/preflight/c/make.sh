#!/bin/sh
# A header, a source and macros.
set -eu
cat >pay.h <<'X'
struct provider { int rate; };
int refund(int amount);
X
cat >pay.c <<'X'
#include "pay.h"
static int charge(int amount) { return amount; }
int refund(int amount) { return charge(amount); }
void legacy(void) {}
X
cat >macro.h <<'X'
#define WRAP(x) inside(x)
#define PASTE(a, b) a##b
X
git add -A && git commit -qm Base && git tag base
