#!/usr/bin/env bash
# The notes of a commit are copied to one with another tree (notes.rewriteRef).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git config notes.rewriteRef 'refs/notes/*'
put b.txt good
save work
note "tree $(git rev-parse 'HEAD^{tree}')"
put b.txt EVIL
git add b.txt
git commit -q --amend --no-edit

copied=$(git notes --ref=plan-audit show HEAD)
has 'copied note' "$copied" tree
[ "$copied" != "tree $(git rev-parse 'HEAD^{tree}')" ] || not_reproduced 'the note tells the truth'
