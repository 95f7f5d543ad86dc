#!/usr/bin/env bash
# A sparse index has directories among its entries (mode 040000).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put in/x.txt x
put out/y.txt y
put out/deep/z.txt z
save base
git sparse-checkout set --cone --sparse-index in

has 'an entry that is a tree' "$(git ls-files --sparse -s)" 040000
