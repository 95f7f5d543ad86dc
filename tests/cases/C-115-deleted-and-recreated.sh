#!/usr/bin/env bash
# A tracked file is taken out of the index and is there again, untracked, with other bytes.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put Cargo.lock v1
save base
git rm -q --cached Cargo.lock
put Cargo.lock OTHER

git diff --exit-code Cargo.lock || not_reproduced 'git diff sees it'
is 'status' "$(git status --porcelain | tr '\n' '|')" 'D  Cargo.lock|?? Cargo.lock|'
