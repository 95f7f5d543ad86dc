#!/usr/bin/env bash
# A global core.hooksPath leads out of the repository.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
mkdir -p "$D/shared-hooks"
script "$D/shared-hooks/pre-commit" 'exit 0'
git config --global core.hooksPath "$D/shared-hooks"
is "directory of hooks" "$(git rev-parse --git-path hooks)" "$D/shared-hooks"
