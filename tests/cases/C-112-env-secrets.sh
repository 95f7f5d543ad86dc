#!/usr/bin/env bash
# A check shows the environment and fails.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/dump.sh 'env; exit 1'
save base

has 'output' "$(DB_PASSWORD=hunter2secret sh checks/dump.sh || true)" hunter2secret
