#!/usr/bin/env bash
# A FIFO and a socket lie in the work tree, and a FIFO stands for a tracked file.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
put t.txt t
save base
mkfifo pipe
rm t.txt
mkfifo t.txt
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'

is 'untracked' "$(git ls-files -o)" ''
has 'status' "$(git status --porcelain)" t.txt
