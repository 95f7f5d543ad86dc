#!/usr/bin/env bash
# In a linked work tree .git is a file.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
git worktree add -q "$D/wt" -b side
is ".git" "$(stat -c %F "$D/wt/.git")" "regular file"
is "hooks" "$(git -C "$D/wt" rev-parse --path-format=absolute --git-path hooks)" "$R/.git/hooks"
