#!/usr/bin/env bash
# commit -a keeps the index that it commits in the lock of the index.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
script .git/hooks/pre-commit "echo \"\$GIT_INDEX_FILE\" >'$D/index'"
put a.txt changed
git commit -qam x
has "index" "$(cat "$D/index")" index.lock
rm .git/hooks/pre-commit
