#!/usr/bin/env bash
# A branch that is about to be rebased: main has moved, and both commits of the branch stand on what it was.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git switch -qc topic
git switch -q main
put m.txt m
save m1
git switch -q topic

is 'main has moved' "$(git rev-list --count topic..main)" 1
