#!/usr/bin/env bash
# Several references, a tag and a deletion are to be pushed at once.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
git init -q --bare "$D/remote.git"
git remote add origin "$D/remote.git"
git branch gone
git push -q origin main gone
git branch -qD gone
git switch -qc bad
put b.txt b
save bad
git switch -qc good main
put g.txt g
save good
git tag -am v1 v1
is "at the remote" "$(git ls-remote --refs origin | wc -l | tr -d ' ')" 2
