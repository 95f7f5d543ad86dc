#!/usr/bin/env bash
# refs/replace makes git show another tree for a commit.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt good
save base
head=$(git rev-parse HEAD)
put a.txt EVIL
git add a.txt
git replace "$head" "$(git commit-tree -m base "$(git write-tree)")"

is 'seen' "$(git show "$head:a.txt")" EVIL
is 'true' "$(GIT_NO_REPLACE_OBJECTS=1 git show "$head:a.txt")" good
