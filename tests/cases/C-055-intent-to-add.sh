#!/usr/bin/env bash
# A file is in the index by intent only (git add -N).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
put n.txt content
git add -N n.txt

is 'blob in the index' "$(git rev-parse :n.txt)" "$(git hash-object -t blob /dev/null)"
is 'tree of the index' "$(git ls-tree --name-only "$(git write-tree)")" a.txt
