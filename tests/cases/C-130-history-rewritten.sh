#!/usr/bin/env bash
# Commits with evidence are reset away.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
for i in 1 2 3; do
  put "t$i.txt" "$i"
  save "task$i"
  note "task$i ok"
done
git reset -q --hard HEAD~2
put t3.txt 3b
save 'rebuilt task3'

is 'notes' "$(git notes --ref=plan-audit list | wc -l)" 3
is 'task2 on the branch' "$(git log --format=%s | grep -c task2 || true)" 0
