#!/usr/bin/env bash
# A check passes only where it is meant to run.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/here.sh '[ -f marker.txt ]'
put marker.txt m
put sub/deep/x x
save base

sh checks/here.sh
cd sub/deep
fails sh ../../checks/here.sh
