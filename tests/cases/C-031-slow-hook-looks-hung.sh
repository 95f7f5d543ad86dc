#!/usr/bin/env bash
# A check that says nothing for a while.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
script checks/slow.sh 'sleep 11'
save base
put a.txt b
git add a.txt
is "staged" "$(git diff --cached --name-only)" a.txt
