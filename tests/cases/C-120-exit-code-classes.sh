#!/usr/bin/env bash
# Programs that are missing, cannot be executed, or are ended by a signal.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/noexec.sh 'exit 0'
put checks/sig.sh 'kill -SEGV $$'
save base

is 'missing' "$(code_of sh -c ./checks/missing)" 127
is 'not executable' "$(code_of sh -c ./checks/noexec.sh)" 126
is 'signal' "$(code_of sh -c 'sh checks/sig.sh; exit $?')" 139
