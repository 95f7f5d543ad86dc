#!/usr/bin/env bash
# A hook is a link to a tracked file.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
mkdir scripts
script scripts/hook.sh 'exit 0'
save one
ln -s ../../scripts/hook.sh .git/hooks/pre-commit
is "clean" "$(git status --porcelain)" ""
