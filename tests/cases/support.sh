#!/usr/bin/env bash
# What the scripts beside this file share. A script is called with a directory that is new or empty
# and leaves a state in DIR/repo; to act there by hand, source DIR/env.sh first.
set -euo pipefail

D=${1:?usage: $0 DIR (new or empty)}
mkdir -p "$D"
D=$(cd "$D" && pwd -P)
R=$D/repo

# A repository that the caller's git hooks are in must not be meant.
mapfile -t local_variables < <(git rev-parse --local-env-vars)
unset "${local_variables[@]}"

cat >"$D/env.sh" <<END
export HOME='$D/home' XDG_CONFIG_HOME='$D/home/.config' GIT_CONFIG_GLOBAL='$D/home/gitconfig'
export GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
END
# shellcheck disable=SC1091  # It is written above.
. "$D/env.sh"
mkdir -p "$HOME"
git config --global user.name 'Case Author'
git config --global user.email 'case@example.invalid'
git config --global init.defaultBranch main
git config --global advice.detachedHead false
# What a script makes need not survive a crash.
git config --global core.fsync none

# Makes DIR/repo and goes there.
new_repo() {
  git init -q "$R"
  cd "$R"
}

# Writes one line to a file: put FILE TEXT.
put() {
  mkdir -p "$(dirname -- "$1")"
  printf '%s\n' "$2" >"$1"
}

# Writes a shell script of one line, such as a hook: script FILE LINE.
script() {
  put "$1" "#!/bin/sh
$2"
  chmod +x "$1"
}

# Commits everything: save MESSAGE.
save() {
  git add -A
  git commit -q --no-verify -m "$1"
}

# Gives HEAD a note that says TEXT: note TEXT [COMMIT].
note() {
  git notes --ref=plan-audit add -m "$1" "${2:-HEAD}"
}

# Ends the script: the state is not what it claims to be.
not_reproduced() {
  printf 'NOT REPRODUCED: %s\n' "$*" >&2
  exit 1
}

# Demands a value: is WHAT GOT WANTED.
is() {
  [ "$2" = "$3" ] || not_reproduced "$1: got <$2>, want <$3>"
}

# Demands a part: has WHAT TEXT PART.
has() {
  case $2 in
    *"$3"*) ;;
    *) not_reproduced "$1: <$3> is not in <$2>" ;;
  esac
}

# Demands that a command fails; what it says goes to DIR/err.
fails() {
  if "$@" >/dev/null 2>"$D/err"; then
    not_reproduced "$* succeeds"
  fi
}

# Prints the exit code of a command that is muted.
code_of() {
  local code=0
  "$@" >/dev/null 2>&1 || code=$?
  printf '%s' "$code"
}
