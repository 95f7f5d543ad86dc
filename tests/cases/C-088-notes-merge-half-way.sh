#!/usr/bin/env bash
# A merge of notes was begun and not finished.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
note ours
git notes --ref=other add -m theirs HEAD
fails git notes --ref=plan-audit merge -s manual other

[ -d .git/NOTES_MERGE_WORKTREE ] || not_reproduced 'nothing is left over'
is 'ref' "$(cat .git/NOTES_MERGE_REF)" 'ref: refs/notes/plan-audit'
