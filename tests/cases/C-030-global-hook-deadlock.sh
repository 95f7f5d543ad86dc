#!/usr/bin/env bash
# Git's own commands run the user's global hooks.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
script "$D/gh/post-checkout" "echo nested >>'$D/nested.log'"
cp "$D/gh/post-checkout" "$D/gh/reference-transaction"
git config --global core.hooksPath "$D/gh"
note e
has "what a plain git notes runs" "$(cat "$D/nested.log")" nested
git update-ref -d refs/notes/plan-audit
rm "$D/nested.log"
