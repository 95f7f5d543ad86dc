#!/usr/bin/env bash
# The message of a commit says that all passed; it did not.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put checks/t.sh 'echo "7 of 4992 FAILED"; exit 1'
put src a
save base
put src b
save 'fix: formula, 4966/4966 ALL PASSED'

fails sh checks/t.sh
