#!/usr/bin/env bash
# HEAD is detached, so that there is no branch.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
put a.txt b
save two
git switch -q --detach HEAD^
is "the branch" "$(git symbolic-ref -q HEAD || echo detached)" detached
