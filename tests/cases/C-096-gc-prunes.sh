#!/usr/bin/env bash
# The commit that a note speaks of is gone.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
put b.txt b
save lost
note e
lost=$(git rev-parse HEAD)
git reset -q --hard HEAD^
git reflog expire --expire=now --all
git gc -q --prune=now

fails git cat-file -e "$lost"
is 'notes' "$(git notes --ref=plan-audit list | wc -l)" 1
