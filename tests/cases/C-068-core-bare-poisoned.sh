#!/usr/bin/env bash
# core.bare=true has leaked into a repository that has a work tree.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git config core.bare true

fails git status
has 'why' "$(cat "$D/err")" 'must be run in a work tree'
