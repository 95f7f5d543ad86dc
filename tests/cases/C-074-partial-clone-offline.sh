#!/usr/bin/env bash
# A clone without blobs whose remote is gone; old plans are among what it lacks.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
for i in 1 2 3; do
  put a.txt "only version $i"
  put "b$i.txt" "$i"
  put .plan-auditor/plan.json "{\"version\": $i}"
  save "c$i"
done
git config uploadpack.allowFilter true
git clone -q --filter=blob:none "file://$R" "$D/partial"
mv "$R" "$D/gone"
cd "$D/partial"

[ "$(git rev-list --objects --all --missing=print | grep -c '^?')" -gt 0 ] ||
  not_reproduced 'no object is missing'
fails git cat-file -p HEAD~2:a.txt
