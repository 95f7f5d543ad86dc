#!/usr/bin/env bash
# The same name composed (tracked) and decomposed (untracked).
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
composed=$(printf 'caf\303\251')
decomposed=$(printf 'cafe\314\201')
printf composed >"$composed"
printf decomposed >"$decomposed"
is 'names' "$(git ls-files -o | wc -l)" 2
git add "$composed"
git commit -qm base
