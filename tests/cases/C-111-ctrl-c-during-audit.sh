#!/usr/bin/env bash
# Staged, unstaged and untracked work lies about while a slow check runs.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/slow.sh "echo \$\$ >\"$D/check.pid\"
exec sleep 30"
put a.txt a
save base
put a.txt EDIT
put unstaged.txt u

is 'status' "$(git status --porcelain | tr '\n' '|')" ' M a.txt|?? unstaged.txt|'
