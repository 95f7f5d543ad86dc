#!/usr/bin/env bash
# A blob with CRLF under eol=lf is clean only until something touches the file.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
echo '*.md text eol=lf' >.gitattributes
git add .gitattributes
printf 'l1\r\nl2\r\n' >x.md
blob=$(git hash-object -w --no-filters x.md)
git update-index --add --cacheinfo "100644,$blob,x.md"
git commit -qm base
git update-index -q --refresh || true
touch -d 2021-02-03 x.md

is 'status after a touch' "$(git status --porcelain)" ' M x.md'
