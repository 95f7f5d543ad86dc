#!/usr/bin/env bash
# A check needs the network, and there is none (needs unshare).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/net.sh 'git ls-remote https://example.invalid/x.git >/dev/null 2>&1 || { echo "network unavailable"; exit 69; }'
save base

is 'exit code' "$(code_of timeout 30 unshare -rn sh checks/net.sh)" 69
