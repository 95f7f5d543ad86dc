#!/usr/bin/env bash
# A filter is required and its program is not here.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
echo '*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12\n' 0 >big.bin
git add -A 2>/dev/null
git commit -qm pointer
git config filter.lfs.clean 'no-such-git-lfs clean -- %f'
git config filter.lfs.required true
printf 'real content' >big.bin

fails git add big.bin
has 'why' "$(cat "$D/err")" "clean filter 'lfs' failed"
