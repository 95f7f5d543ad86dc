#!/usr/bin/env bash
# A work tree of this repository lies inside another one.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git worktree add -q .claude/worktrees/w1 -b w1
put .claude/worktrees/w1/work.txt busy

is 'untracked' "$(git ls-files -o --exclude-standard)" .claude/worktrees/w1/
