#!/usr/bin/env bash
# What is staged and what is on disk differ, so that checks see other bytes than the commit.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put code.sh 'exit 1'
put check.sh 'sh code.sh'
save one
printf '# staged comment\nexit 1\n' >code.sh
git add code.sh
printf '# staged comment\nexit 0\n' >code.sh
is "on disk" "$(code_of sh check.sh)" 0
is "staged" "$(git show :code.sh | { sh && echo 0 || echo 1; })" 1
