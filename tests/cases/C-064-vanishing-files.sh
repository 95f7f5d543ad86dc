#!/usr/bin/env bash
# Files appear and vanish all the time, for a minute or until DIR/churn.pid is killed.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
(
  for i in $(seq 3000); do
    echo "$i" >"tmp$((i % 7)).txt"
    rm -f "tmp$(((i + 3) % 7)).txt"
    sleep 0.02
  done
) >/dev/null 2>&1 &
echo $! >"$D/churn.pid"
sleep 0.3

has 'untracked' "$(git ls-files -o | head -1)" tmp
