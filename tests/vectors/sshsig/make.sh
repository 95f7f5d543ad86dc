#!/bin/sh
# Makes the vectors of this folder: one ed25519 key (thrown away) and its signature over "message".
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ssh-keygen -q -t ed25519 -N '' -C 'git plan-audit vector' -f "$scratch/key"
cp "$scratch/key.pub" key.pub
printf message | ssh-keygen -q -Y sign -n git-plan-audit -f "$scratch/key" |
    sed '/SSH SIGNATURE/d' | tr -d '\n' > good.b64
