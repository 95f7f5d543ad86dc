#!/usr/bin/env bash
# skip-worktree hides an edit and a deletion.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put b.txt b
put c.txt c
save base
git update-index --skip-worktree b.txt c.txt
put b.txt EDIT
rm c.txt

is 'status' "$(git status --porcelain)" ''
is 'flags' "$(git ls-files -v | tr '\n' ' ')" 'S b.txt S c.txt '
