#!/usr/bin/env bash
# A link is replaced by a file with the bytes of its text: the blob is the same.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
ln -s target l
save base
rm l
printf target >l

is 'blob' "$(git hash-object l)" "$(git rev-parse HEAD:l)"
is 'status' "$(git status --porcelain)" ' T l'
