#!/usr/bin/env bash
# There is no commit yet.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
git add a.txt

fails git rev-parse -q --verify HEAD
git write-tree >/dev/null
