#!/usr/bin/env bash
# A repository where nothing may be executed. It needs a mount; without one DIR/skipped says so.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

mkdir -p "$R"
if ! mount -t tmpfs -o noexec,size=16m none "$R" 2>/dev/null; then
  touch "$D/skipped"
  exit 0
fi
echo "umount '$R'" >"$D/cleanup.sh"
new_repo
put a.txt a
save base
script .git/hooks/pre-commit 'exit 1'
git commit -q --allow-empty -m "not blocked" 2>"$D/err"
has "what git says" "$(cat "$D/err")" "ignored because it's not set as executable"
rm .git/hooks/pre-commit
