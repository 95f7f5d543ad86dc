#!/usr/bin/env bash
# 30,000 files are untracked and nothing ignores them.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
python3 - <<'END'
import os
for d in range(100):
    path = f'node_modules/p{d}'
    os.makedirs(path)
    for i in range(300):
        with open(f'{path}/f{i}.js', 'w') as file:
            file.write(str(i))
END

is 'untracked' "$(git ls-files -o --exclude-standard | wc -l)" 30000
