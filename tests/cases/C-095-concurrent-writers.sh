#!/usr/bin/env bash
# Eight work trees, for eight writers at the same moment.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
for i in 1 2 3 4 5 6 7 8; do
  git worktree add -q "$D/wt$i" -b "b$i"
  cd "$D/wt$i"
  put "f$i.txt" "$i"
  save "$i"
done

is 'work trees' "$(git worktree list | wc -l)" 9
