#!/usr/bin/env bash
# Two clones wrote notes under one name, from nothing: plain fetch and push are refused.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
put b.txt b
save two
git init -q --bare "$D/remote.git"
git remote add origin "$D/remote.git"
git push -q origin main
git clone -q "$D/remote.git" "$D/other"
note 'shared of the first'
git push -q origin refs/notes/plan-audit
git -C "$D/other" notes --ref=plan-audit add -m 'shared of the second' HEAD
git -C "$D/other" notes --ref=plan-audit add -m 'second alone' HEAD~1
git -C "$D/other" push -q origin refs/notes/plan-audit 2>/dev/null &&
  not_reproduced 'the push was taken'

is 'no common base' "$(git -C "$D/other" rev-list --max-parents=0 --count refs/notes/plan-audit)" 1
