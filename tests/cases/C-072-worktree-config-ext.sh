#!/usr/bin/env bash
# A linked work tree has settings of its own.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git worktree add -q "$D/wt" -b side
git config extensions.worktreeConfig true
git -C "$D/wt" config --worktree core.fileMode false

is 'setting of the linked one' "$(git -C "$D/wt" config core.fileMode)" false
is 'setting of the main one' "$(git config core.fileMode)" true
