#!/usr/bin/env bash
# The note of a good commit is copied to a bad one.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt good
save good
note "signed: tree $(git rev-parse 'HEAD^{tree}') PASS"
put a.txt bad
save bad
git notes --ref=plan-audit copy HEAD^ HEAD

has 'note of the bad commit' "$(git notes --ref=plan-audit show HEAD)" PASS
