#!/usr/bin/env bash
# A sparse checkout looks as if files had been deleted.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put in/x.txt x
put out/y.txt y
put out/z.txt z
save base
git sparse-checkout set --cone in

[ ! -e out ] || not_reproduced 'out is there'
is 'status' "$(git status --porcelain)" ''
is 'entries of the index' "$(git ls-files | wc -l)" 3
