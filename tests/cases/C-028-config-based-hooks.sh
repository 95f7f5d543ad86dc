#!/usr/bin/env bash
# A hook in the configuration, which git runs from 2.54 on.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git config hook.other.event pre-commit
git config hook.other.command "echo ran >>'$D/config-hook'"
