#!/usr/bin/env bash
# A file that cannot be read and a directory that cannot be listed (but by root).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
put secret.txt s
put locked/x.txt x
chmod 000 secret.txt locked
echo "chmod -R u+rwx '$R'" >"$D/cleanup.sh"

is 'modes' "$(stat -c %a secret.txt locked | tr '\n' ' ')" '0 0 '
