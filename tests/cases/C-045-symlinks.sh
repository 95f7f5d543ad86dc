#!/usr/bin/env bash
# Links: dangling, to a directory, in a circle, out of the tree, absolute.
# shellcheck source=tests/cases/support.sh
. "$(dirname -- "$0")/support.sh"

new_repo
put d/a.txt a
mkdir other
echo o >"$D/outside.txt"
ln -s d dirlink
ln -s ../outside.txt out
ln -s nowhere dangling
ln -s . loop
ln -s /etc/hostname abs
save base
ln -s d untracked-dirlink

is 'links' "$(git ls-files -s | grep -c ^120000)" 5
has 'untracked' "$(git ls-files -o --exclude-standard)" untracked-dirlink
