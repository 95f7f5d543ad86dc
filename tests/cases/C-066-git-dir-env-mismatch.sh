#!/usr/bin/env bash
# GIT_DIR names another repository than the one of the directory.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

git init -q "$D/other"
cd "$D/other"
put o.txt o
save other
new_repo
put a.txt a
save base
echo "export GIT_DIR='$R/.git'" >"$D/poison.sh"

is 'git -C is overridden' "$(GIT_DIR=$R/.git git -C "$D/other" log -1 --format=%s)" base
