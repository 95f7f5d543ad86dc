#!/usr/bin/env bash
# There are 20,001 notes, in one flat tree.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
python3 - "$D/entries" <<'END' | git fast-import --quiet
import hashlib, sys
entries = []
for i in range(20000):
    text = '{"n":%d}' % i
    print(f'blob\ndata {len(text)}\n{text}')
    blob = hashlib.sha1(f'blob {len(text)}\0{text}'.encode()).hexdigest()
    entries.append(f'100644 blob {blob}\t{hashlib.sha1(str(i).encode()).hexdigest()}\n')
with open(sys.argv[1], 'w') as file:
    file.writelines(entries)
END
tree=$(git mktree <"$D/entries")
git update-ref refs/notes/plan-audit "$(git commit-tree -m notes "$tree")"
git notes --ref=plan-audit list >"$D/listed"
is 'notes' "$(wc -l <"$D/listed")" 20000
note real

is 'notes and one' "$(git ls-tree -r --name-only refs/notes/plan-audit | wc -l)" 20001
