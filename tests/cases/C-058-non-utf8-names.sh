#!/usr/bin/env bash
# Names that are not UTF-8, with newline, tab and quote, with a dash or a space in front.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
bad=$(printf 'bad\377')
for name in "$bad" "$(printf 'bad\376')" $'new\nline' $'tab\tq"uote' -rf ' lead'; do
  printf '%s' "$name" >"./$name"
done
is 'names' "$(git ls-files -oz | tr -cd '\0' | wc -c)" 6
git add -- -rf "$bad"
git commit -qm odd
