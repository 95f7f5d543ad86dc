#!/usr/bin/env bash
# A hook finds its files beside itself.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
put .git/hooks/helper.inc "echo helped >>'$D/helper.log'"
# shellcheck disable=SC2016 # The hook itself asks where it lies.
script .git/hooks/pre-commit 'here=$(cd "$(dirname "$0")" && pwd); [ ! -f "$here/helper.inc" ] || . "$here/helper.inc"'
git commit -q --allow-empty -m x
is "helper used" "$(cat "$D/helper.log")" helped
