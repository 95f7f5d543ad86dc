#!/usr/bin/env bash
# A hook lost its mode, and git was told not to say so.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
script .git/hooks/pre-commit 'exit 1'
chmod -x .git/hooks/pre-commit
git config advice.ignoredHook false
git commit -q --allow-empty -m "not blocked" 2>"$D/err"
is "what git says" "$(cat "$D/err")" ""
