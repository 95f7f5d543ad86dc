#!/usr/bin/env bash
# A check leaves a daemon in a session of its own.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/daemon.sh "setsid sh -c 'echo \$\$ >\"$D/daemon.pid\"; exec sleep 60' >/dev/null 2>&1 </dev/null &
sleep 0.3"
save base

sh checks/daemon.sh
daemon=$(cat "$D/daemon.pid")
kill -0 "$daemon" || not_reproduced 'the daemon ended with the check'
kill "$daemon"
rm "$D/daemon.pid"
