#!/usr/bin/env bash
# There is no name and no address to commit with.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git config --global --unset user.name
git config --global --unset user.email
git config --global user.useConfigOnly true

fails note e
has 'why' "$(cat "$D/err")" 'tell me who you are'
