#!/usr/bin/env bash
# Object ids have 64 digits.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

git init -q --object-format=sha256 "$R"
cd "$R"
put a.txt a
save base

is 'digits' "$(git rev-parse HEAD | tr -d '\n' | wc -c)" 64
