#!/usr/bin/env bash
# A commit goes past the hook that refuses it.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git switch -qc topic
script .git/hooks/pre-commit 'exit 1'
put b.txt b
git add b.txt
if git commit -qm x 2>/dev/null; then exit 1; fi
git commit -qnm "sneaked past"
is "commit" "$(git log -1 --format=%s)" "sneaked past"
rm .git/hooks/pre-commit
