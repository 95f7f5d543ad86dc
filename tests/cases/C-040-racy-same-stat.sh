#!/usr/bin/env bash
# Size and time are equal, the bytes are not.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
git config core.trustctime false
git config core.checkStat minimal
printf AAAA >f
touch -d '2020-01-01 00:00:00' f
git add f
git commit -qm base
printf BBBB >f
touch -d '2020-01-01 00:00:00' f

is 'status' "$(git status --porcelain)" ''
[ "$(git hash-object f)" != "$(git rev-parse HEAD:f)" ] || not_reproduced 'the bytes are equal'
