#!/usr/bin/env bash
# Foreign things are in the tree of the notes.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save one
put a.txt b
save two
note ok
big=$(head -c 3000000 /dev/urandom | git hash-object -w --stdin)
link=$(printf ../../etc/passwd | git hash-object -w --stdin)
export GIT_INDEX_FILE=$D/index
git read-tree refs/notes/plan-audit
for entry in "100644,$big,README" "120000,$link,link" "100755,$big,$(git rev-parse HEAD~1)" \
  "100644,$big,zz/notes/x"; do
  git update-index --add --cacheinfo "$entry"
done
tree=$(git write-tree)
git update-ref refs/notes/plan-audit "$(git commit-tree -p refs/notes/plan-audit -m junk "$tree")"

is 'entries' "$(git ls-tree -r refs/notes/plan-audit | wc -l)" 5
