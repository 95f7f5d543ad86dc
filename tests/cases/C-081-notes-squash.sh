#!/usr/bin/env bash
# The notes of two commits that are squashed run together.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
git config notes.rewriteRef refs/notes/plan-audit
put a.txt a
save base
for i in 1 2; do
  put "f$i.txt" "$i"
  save "w$i"
  note "{\"tree\":\"$(git rev-parse 'HEAD^{tree}')\"}"
done
GIT_SEQUENCE_EDITOR='sed -i 2s/^pick/squash/' GIT_EDITOR=true git rebase -q -i HEAD~2 >/dev/null

is 'lines' "$(git notes --ref=plan-audit show HEAD | grep -c tree)" 2
