#!/usr/bin/env bash
# A check changes the configuration of the repository.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/cfg.sh 'git config user.name "Fixture Bot"; git config core.hooksPath /dev/null'
put checks/name.sh 'git config user.name "Fixture Bot"'
save base

cp -r "$R" "$D/ran"
cd "$D/ran"
sh checks/cfg.sh
is 'author' "$(git config user.name)" 'Fixture Bot'
