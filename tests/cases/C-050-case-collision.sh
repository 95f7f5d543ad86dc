#!/usr/bin/env bash
# Two tracked names differ in case only, and git believes that case does not count.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put docs/View.js upper
put docs/view.js lower
save base
git config core.ignorecase true

is 'entries' "$(git ls-files docs | wc -l)" 2
