#!/usr/bin/env bash
# A ref below the ledger's name keeps the ledger from being made.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
empty=$(git hash-object -t tree -w /dev/null)
git update-ref refs/notes/plan-audit/old "$(git commit-tree -m x "$empty")"

fails note e
has 'why' "$(cat "$D/err")" exists
