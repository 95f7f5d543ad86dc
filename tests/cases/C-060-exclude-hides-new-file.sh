#!/usr/bin/env bash
# New files are hidden by info/exclude and by a file of the user.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put main.py 'import helper'
save base
put helper.py 'x=1'
put other.py 'y=1'
echo helper.py >.git/info/exclude
echo other.py >"$D/excludes"
git config --global core.excludesFile "$D/excludes"

is 'status' "$(git status --porcelain)" ''
has 'source' "$(git check-ignore -v helper.py)" info/exclude
