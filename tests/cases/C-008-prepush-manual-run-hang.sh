#!/usr/bin/env bash
# A pipe that nobody closes.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
mkfifo "$D/never.fifo"
is "pipe" "$(stat -c %F "$D/never.fifo")" fifo
