#!/bin/sh
# What can stand in a tree beside text.
set -eu
mkdir -p dir
echo one >dir/a.txt
echo one >empty-not.txt
: >empty.txt
ln -s dir/a.txt link
ln -s dir dirlink
printf 'a\0b' >binary
printf '\351t\351\n' >latin.txt
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 1\n' 0 >big.dat
printf '#!/bin/sh\n' >run.sh && chmod +x run.sh
head -c 4194304 /dev/zero | tr '\0' x >long.txt
head -c 60000 /dev/zero | tr '\0' '(' >brackets.rs
printf 'inside\n' >"$(printf 'odd\nname\033[2J')"
git add -A && git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,sub
git commit -qm Base && git tag base
git checkout -q --orphan other
git commit -qm Other
git tag other
git checkout -q -f main
blob=$(printf 'replaced\n' | git hash-object -w --stdin)
git replace "$(git rev-parse base:dir/a.txt)" "$blob"
