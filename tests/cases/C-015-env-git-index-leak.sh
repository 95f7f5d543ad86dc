#!/usr/bin/env bash
# What git exports to a hook makes a scratch repository write into the real index.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put src/a.txt a
put src/b.txt b
mkdir checks
cat >checks/scratch.sh <<'END'
#!/bin/sh
t=$(mktemp -d) && git init -q "$t" && echo fixture >"$t/fixture.txt" && cd "$t" && git add fixture.txt
END
chmod +x checks/scratch.sh
save one
git worktree add -q "$D/wt" -b side
cd "$D/wt" || exit
script "$R/.git/hooks/pre-commit" 'exec checks/scratch.sh'
echo change >>src/a.txt
git add src/a.txt
git commit -qm "naive hook" || true
has "the index or the commit" "$(git ls-files; git ls-tree -r --name-only HEAD)" fixture.txt
git reset -q --hard "$(git -C "$R" rev-parse main)"
rm "$R/.git/hooks/pre-commit"
