#!/usr/bin/env bash
# A commit that is made without any hook.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
script .git/hooks/pre-commit 'exit 1'
put b.txt b
git add b.txt
git update-ref refs/heads/main "$(git commit-tree "$(git write-tree)" -p HEAD -m plumbing)"
is "the commit" "$(git log -1 --format=%s)" plumbing
rm .git/hooks/pre-commit
