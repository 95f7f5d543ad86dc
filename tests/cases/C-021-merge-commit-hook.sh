#!/usr/bin/env bash
# Two branches that git merges without a conflict, so that the merge commit has a tree of its own.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git switch -qc topic
git switch -q main
put m.txt m
save m1

is 'they have diverged' "$(git merge-base main topic)" "$(git rev-parse topic)"
