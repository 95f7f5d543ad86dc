#!/usr/bin/env bash
# A task is ticked, the file that it names was never made.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put plan.md '- [ ] create src/outcomeTypes.ts'
save plan
put src/other.ts 'export type Outcome=1'
put plan.md '- [x] create src/outcomeTypes.ts'
save 'done'

[ ! -e src/outcomeTypes.ts ] || not_reproduced 'the file is there'
