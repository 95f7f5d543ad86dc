#!/usr/bin/env bash
# A lock file of git is left over.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
mkdir -p .git/refs/notes
: >.git/refs/notes/plan-audit.lock

fails note e
has 'why' "$(cat "$D/err")" plan-audit.lock
