#!/usr/bin/env bash
# The repository belongs to somebody else (needs root).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
chown -R 12345 "$R"

fails git ls-files
has 'why' "$(cat "$D/err")" 'dubious ownership'
