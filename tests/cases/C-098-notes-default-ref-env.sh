#!/usr/bin/env bash
# Settings send plain git notes to other refs.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put a.txt a
save base
git config core.notesRef refs/notes/other
git notes add -m elsewhere HEAD
echo 'export GIT_NOTES_REF=refs/notes/third' >>"$D/env.sh"

is 'refs' "$(git for-each-ref --format='%(refname)' refs/notes)" refs/notes/other
