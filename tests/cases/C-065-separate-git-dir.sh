#!/usr/bin/env bash
# .git is a file, and the tool is called in a directory below the top.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

git init -q --separate-git-dir "$D/elsewhere.git" "$R"
cd "$R"
put sub/dir/a.txt a
save base

is 'kind of .git' "$(stat -c %F .git)" 'regular file'
is 'git directory' "$(git rev-parse --git-dir)" "$D/elsewhere.git"
