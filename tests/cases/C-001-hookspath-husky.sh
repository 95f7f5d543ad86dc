#!/usr/bin/env bash
# core.hooksPath leads to what husky generates, and git ignores .git/hooks.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
mkdir -p .husky/_
script .husky/_/pre-commit 'sh -e .husky/pre-commit "$@"'
put .husky/_/.gitignore '*'
put .husky/pre-commit "echo husky-ran >>'$D/husky.log'"
git config core.hooksPath .husky/_
script .git/hooks/pre-commit "touch '$D/plain-ran'"
git commit -q --allow-empty -m probe
is "hook of husky ran" "$(cat "$D/husky.log")" husky-ran
is "plain hook ran" "$([ -e "$D/plain-ran" ] && echo yes || echo no)" no
