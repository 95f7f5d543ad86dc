#!/usr/bin/env bash
# A merge with a conflict is not resolved.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt base
save base
git switch -qc theirs
put a.txt theirs
save theirs
git switch -q main
put a.txt ours
save ours
fails git merge -q theirs

is 'stages' "$(git ls-files -u | wc -l)" 3
fails git write-tree
