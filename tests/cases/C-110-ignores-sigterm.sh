#!/usr/bin/env bash
# A check ignores TERM, INT and HUP.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/stubborn.sh "trap '' TERM INT HUP
echo \$\$ >\"$D/check.pid\"
for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done"
save base

is 'after TERM' "$(code_of timeout -s TERM -k 0.3 0.3 sh checks/stubborn.sh)" 137
