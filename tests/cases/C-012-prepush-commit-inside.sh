#!/usr/bin/env bash
# A commit made while pre-push runs is not part of the push.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
git init -q --bare "$D/remote.git"
git remote add origin "$D/remote.git"
before=$(git rev-parse HEAD)
script .git/hooks/pre-push 'cat >/dev/null; echo late >late.txt; git add late.txt; git commit -qnm late'
git push -q origin main
is "what the remote has" "$(git -C "$D/remote.git" rev-parse main)" "$before"
is "what is late" "$(git log -1 --format=%s)" late
rm .git/hooks/pre-push
