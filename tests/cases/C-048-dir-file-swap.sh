#!/usr/bin/env bash
# A tracked directory is replaced by a link, a tracked file by a directory.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put d/a a
put d/b b
put f f
save base
rm -r d
ln -s nowhere d
rm f
put f/x x

is 'status' "$(git status --porcelain -uall | tr '\n' '|')" ' D d/a| D d/b| D f|?? d|?? f/x|'
