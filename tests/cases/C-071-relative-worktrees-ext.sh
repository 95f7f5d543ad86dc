#!/usr/bin/env bash
# extensions.relativeWorktrees is set: by git itself from 2.48 on, by hand before.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
if git worktree add -h 2>&1 | grep -q relative-paths; then
  git worktree add -q --relative-paths "$D/wt" -b side
else
  git config core.repositoryformatversion 1
  git config extensions.relativeWorktrees true
  fails git status
  has 'why' "$(cat "$D/err")" relativeworktrees
fi
