#!/usr/bin/env bash
# CRLF on disk, LF in the blob: git is right that nothing changed.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
git config core.autocrlf true
printf 'a\r\nb\r\n' >t.txt
git add t.txt 2>/dev/null
git commit -qm base

is 'status' "$(git status --porcelain)" ''
[ "$(git hash-object --no-filters t.txt)" != "$(git rev-parse HEAD:t.txt)" ] ||
  not_reproduced 'the bytes are those of the blob'
