#!/usr/bin/env bash
# A server whose hook takes branches and declines notes.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git init -q --bare "$D/remote.git"
git remote add origin "$D/remote.git"
# shellcheck disable=SC2016 # the hook expands it
script "$D/remote.git/hooks/update" 'case "$1" in refs/notes/*) echo denied by policy >&2; exit 1 ;; esac'
git push -q origin main

is 'the branch is there' "$(git -C "$D/remote.git" rev-parse main)" "$(git rev-parse main)"
