#!/usr/bin/env bash
# Ignored files and a linked work tree are cleaned away.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
put .gitignore .plan-audit/
save base
put .plan-audit/seal sealed
put .git/plan-audit/kept sealed
git worktree add -q "$D/wt" -b side
own=$(git -C "$D/wt" rev-parse --git-dir)
put "$own/plan-audit/queue" q

git clean -fdxq
[ ! -e .plan-audit/seal ] || not_reproduced 'the ignored file is there'
git worktree remove --force "$D/wt"
is 'files of the work tree' "$(find .git -name queue | wc -l)" 0
is 'file of the common directory' "$(cat .git/plan-audit/kept)" sealed
