#!/usr/bin/env bash
# A squash merge makes a new commit: once with the tree of its branch, once with another.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
for branch in one two; do
  git switch -qc "$branch" main
  put "$branch.txt" "$branch"
  save "$branch"
  note "tree $(git rev-parse 'HEAD^{tree}')"
done
git switch -q main
for branch in one two; do
  git merge -q --squash "$branch" >/dev/null 2>&1
  git commit -qm "squash $branch"
done

is 'first tree' "$(git rev-parse 'main~1^{tree}')" "$(git rev-parse 'one^{tree}')"
[ "$(git rev-parse 'main^{tree}')" != "$(git rev-parse 'two^{tree}')" ] ||
  not_reproduced 'the second tree is that of its branch'
