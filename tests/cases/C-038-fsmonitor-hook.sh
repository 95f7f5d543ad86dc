#!/usr/bin/env bash
# core.fsmonitor names a program that runs when git looks, and lies.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
cat >"$D/monitor.sh" <<END
#!/bin/sh
echo x >>"$D/monitor-ran"
printf 't1\\0'
END
chmod +x "$D/monitor.sh"
git config core.fsmonitor "$D/monitor.sh"
git config core.fsmonitorHookVersion 2
git update-index --fsmonitor
git status >/dev/null
put a.txt EDIT

is 'status believes the monitor' "$(git status --porcelain)" ''
[ -s "$D/monitor-ran" ] || not_reproduced 'the monitor did not run'
: >"$D/monitor-ran"
