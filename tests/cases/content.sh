#!/bin/sh
# Prints `content` of a commit from its objects alone, as docs/format/state.md describes it.
# Usage: content.sh [COMMIT], in a repository.
set -eu
commit=${1:-HEAD}
lists=$(mktemp -d)
trap 'rm -r "$lists"' EXIT

# Writes bytes as hex, on one line.
hex() { od -An -v -tx1 | tr -d ' \n'; }

# Writes lines of hex as the bytes that they stand for.
unhex() {
  awk 'BEGIN { for (i = 0; i < 256; i++) octal[sprintf("%02x", i)] = sprintf("\\0%03o", i) }
    { for (i = 1; i < length($0); i += 2) printf "%s", octal[substr($0, i, 2)]; print "" }' |
    while read -r line; do printf '%b' "$line"; done
}

git ls-tree -r --full-tree "$commit" | cut -f 1 >"$lists/entries"
git ls-tree -r -z --full-tree --name-only "$commit" | hex | fold -w 2 |
  awk '/00/ { print path; path = ""; next } { path = path $0 }' >"$lists/paths"
{
  printf 'git-plan-audit/content/v1\0' | hex
  echo
  paste -d ' ' "$lists/entries" "$lists/paths" | while read -r mode kind id path; do
    blob() { if [ "$kind" = commit ]; then printf %s "$id"; else git cat-file blob "$id"; fi; }
    printf '%016x%s' "$((${#path} / 2))" "$path" 6 "$(printf %s "$mode" | hex)"
    printf '%016x%s\n' "$(blob | wc -c)" "$(blob | sha256sum | cut -d ' ' -f 1)"
  done
} | unhex | sha256sum | cut -d ' ' -f 1
