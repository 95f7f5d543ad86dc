#!/usr/bin/env bash
# There are 20,001 notes.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
python3 - <<'END' | git fast-import --quiet
import hashlib
print('commit refs/notes/plan-audit')
print('committer T <t@example.invalid> 1700000000 +0000')
print('data 2\nm')
for i in range(20000):
    target, text = hashlib.sha1(str(i).encode()).hexdigest(), '{"n":%d}' % i
    print(f'M 100644 inline {target}\ndata {len(text)}\n{text}')
END
note real

is 'notes' "$(git ls-tree -r --name-only refs/notes/plan-audit | wc -l)" 20001
