#!/usr/bin/env bash
# A submodule at another commit and dirty, hidden by ignore=all.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

git init -q "$D/lib"
cd "$D/lib"
put l.txt l
save lib
new_repo
git -c protocol.file.allow=always submodule --quiet add "$D/lib" sub
save base
git config submodule.sub.ignore all
put sub/l.txt EDIT
git -C sub commit -qam other
put sub/extra.txt e

is 'status' "$(git status --porcelain)" ''
[ "$(git -C sub rev-parse HEAD)" != "$(git rev-parse :sub)" ] || not_reproduced 'sub has not moved'
