#!/usr/bin/env bash
# A check writes without end.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/flood.sh 'exec yes "line of noise that never ends"'
save base

bytes=$({ timeout 0.3 sh checks/flood.sh || true; } | wc -c)
[ "$bytes" -gt 300000 ] || not_reproduced "only $bytes bytes"
