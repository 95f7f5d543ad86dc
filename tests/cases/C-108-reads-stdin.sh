#!/usr/bin/env bash
# A check waits for an answer.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/ask.sh 'printf "continue? "; read x || { echo "no input"; exit 3; }'
save base

is 'without input' "$(code_of sh checks/ask.sh </dev/null)" 3
mkfifo "$D/silent"
sleep 1 >"$D/silent" 2>/dev/null &
is 'with an open pipe' "$(code_of timeout 0.5 sh checks/ask.sh <"$D/silent")" 124
