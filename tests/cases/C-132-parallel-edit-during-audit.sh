#!/usr/bin/env bash
# Somebody else edits the work tree while a slow check runs (DIR/other-agent.sh).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/slow.sh "touch \"$D/started\"
until grep -q other a.txt; do sleep 0.05; done"
put a.txt a
save base
put "$D/other-agent.sh" "while [ ! -e \"$D/started\" ]; do sleep 0.05; done
echo 'other agent' >\"$R/a.txt\""

is 'status' "$(git status --porcelain)" ''
