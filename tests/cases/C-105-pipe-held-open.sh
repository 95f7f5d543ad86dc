#!/usr/bin/env bash
# A check ends and leaves a child that holds its output open.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/bg.sh "sleep 30 &
echo \$! >\"$D/bg.pid\"
echo done"
save base

is 'naive reader' "$(code_of timeout 1 sh -c 'sh checks/bg.sh | cat')" 124
kill "$(cat "$D/bg.pid")"
rm "$D/bg.pid"
