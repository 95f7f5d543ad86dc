#!/usr/bin/env bash
# A hook by hand is there, with a mode of its own and a name beside it that is taken.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
script .git/hooks/pre-commit "echo user >>'$D/user.log'"
chmod 750 .git/hooks/pre-commit
cp .git/hooks/pre-commit .git/hooks/pre-commit.old
sha256sum .git/hooks/pre-commit >"$D/original.sha"
git commit -q --allow-empty -m x
is "hook ran" "$(cat "$D/user.log")" user
