#!/usr/bin/env bash
# A check changes a tracked file, an ignored one and leaves a new one.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put .gitignore __pycache__/
put Cargo.lock v1
put checks/test.sh 'mkdir -p __pycache__; date >__pycache__/x.pyc; echo v2 >Cargo.lock; echo d >.coverage'
save base

cp -r "$R" "$D/ran"
cd "$D/ran"
sh checks/test.sh
is 'status after one run' "$(git status --porcelain | tr '\n' '|')" ' M Cargo.lock|?? .coverage|'
