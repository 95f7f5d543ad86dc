#!/usr/bin/env bash
# Checks a ledger without git-plan-audit, by docs/format/ledger.md and docs/format/record.md alone:
# prints "ID KIND WRITER ok|BAD" for every line of every note of refs/notes/plan-audit. "ok": the line is
# a record that hangs where it belongs, and a proof fits the key that it names. Whether that key is one to
# be trusted is for .plan-auditor/allowed_signers to say, and not asked here. What a line does not tell in
# the spelling of a record is "-".
#
# Usage: contrib/verify.sh [COMMIT]     in a repository; COMMIT stands for the tip of the ledger
#
# Needs bash, git, jq and ssh-keygen, and what every system has (sha256sum, base64, od, ...). Records that an
# HMAC key proves are ok only where PLAN_AUDIT_HMAC_KEY_FILE names the file of that key.
# Ends with 0 when every note was read, with 3 when one is not here, and with 2 when there is no such ledger.
set -euo pipefail
export LC_ALL=C GIT_NO_REPLACE_OBJECTS=1

readonly most_in_note=$((64 * 1024 * 1024)) most_in_line=65536
readonly namespaces=(git-plan-audit git-plan-audit-approve)
readonly namespaces_in_hex=(6769742d706c616e2d6175646974 6769742d706c616e2d61756469742d617070726f7665)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

declare -A kept=() header=() prev=() covers=() proven=() by=() vouched=()
lines=() incomplete=0 hmac_id='' inner_pad='' outer_pad='' escaped='' digest=''

complain() { printf 'verify.sh: %s\n' "$*" >&2; }

# Puts hex digits as printf's %b takes them for bytes into $escaped.
escape() {
  local at
  escaped=''
  for ((at = 0; at < ${#1}; at += 2)); do escaped+="\\x${1:at:2}"; done
}

# Puts the SHA-256 of standard input into $digest.
sha256() { read -r digest _ < <(sha256sum); }

to_hex() { od -An -v -tx1 | tr -d ' \n'; }

# What is signed or MACed: a label, NUL, and the id (record.md, Proofs).
message() { printf 'git-plan-audit/proof/v1\0%s' "$1"; }

# Reads a note line by line and writes a line of tab-separated fields for each: what it is; id, kind and writer as
# far as they are spelled right; head, repo/inst, prev[0], covers, form and value of the proof, and how a
# record with these members is spelled.
# shellcheck disable=SC2016  # The program is jq's.
readonly read_lines='
def hex($n): type == "string" and test("\\A[0-9a-f]{\($n)}\\z");
def oid: hex(40) or hex(64);
def writer: type == "string" and test("\\A(ssh:SHA256:[A-Za-z0-9+/]{43}|hmac:[0-9a-f]{16})\\z");
def kind: type == "string" and test("\\A[a-z-]{1,32}\\z");
def integer($least; $most): type == "number" and . == floor and . >= $least and . <= $most;
def length_of_month($year; $month):
  if $month == 2 then (if $year % 4 == 0 and ($year % 100 != 0 or $year % 400 == 0) then 29 else 28 end)
  elif [4, 6, 9, 11] | any(. == $month) then 30 else 31 end;
def time: type == "string" and test("\\A[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z\\z")
  and . <= "9999-12-30T22:00:00Z"
  and ([scan("[0-9]+") | tonumber] as [$year, $month, $day, $hour, $minute, $second]
    | $month >= 1 and $month <= 12 and $day >= 1 and $day <= length_of_month($year; $month)
      and $hour <= 23 and $minute <= 59 and $second <= 59);
def units: explode | map(if . < 65536 then . else . - 65536 | (./1024 | floor) + 55296, . % 1024 + 56320 end);
def string: "\"" + (split("\u007f") | map(tojson | .[1:-1]) | join("\u007f")) + "\"";
def depth: if type == "object" or type == "array" then 1 + ([.[] | depth] | max // 0) else 0 end;
# RFC 8785, for integers that every reader takes for the same; fails on others.
def canonical:
  if type == "object" then
    to_entries | sort_by(.key | units) | map((.key | string) + ":" + (.value | canonical)) | "{" + join(",") + "}"
  elif type == "array" then map(canonical) | "[" + join(",") + "]"
  elif type == "string" then string
  elif type == "number" then
    if integer(-9007199254740991; 9007199254740991) then . + 0 | tojson else error("number") end
  else tojson end;
def proof:
  if type != "object" then error("proof")
  elif keys == ["by"] and (.by | hex(64)) then ["by", .by, "{\"by\":\"\(.by)\"}"]
  elif keys == ["sshsig"] and (.sshsig | type == "string" and test("\\A[A-Za-z0-9+/]*={0,2}\\z"))
    then ["sshsig", .sshsig, "{\"sshsig\":\"\(.sshsig)\"}"]
  elif keys == ["hmac"] and (.hmac | type == "object" and keys == ["key", "mac"])
    and (.hmac.key | hex(16)) and (.hmac.mac | hex(64))
    then ["hmac", .hmac.key + .hmac.mac, "{\"hmac\":{\"key\":\"\(.hmac.key)\",\"mac\":\"\(.hmac.mac)\"}}"]
  else error("proof") end;
def told(test; name): if type == "object" and (.[name] | test) then .[name] else "-" end;
def record:
  if (type == "object" and .v == 1 and (.kind | kind) and (.repo | hex(64)) and (.writer | writer)
    and (.inst | hex(32)) and (.prev | type == "array" and length >= 1 and length <= 16 and all(hex(64)))
    and (.time | time) and (.head | oid) and (.covers | integer(0; 4294967295))
    and (.body | type == "object" and depth < 128) and (.id | hex(64))) | not
  then error("record") else . end
  | (.proof | proof) as [$form, $value, $proof]
  | [.head, .repo + "/" + .inst, .prev[0], (.covers + 0 | tojson), $form, (if $value == "" then "-" else $value end),
    "{\"v\":1,\"kind\":\"\(.kind)\",\"repo\":\"\(.repo)\",\"writer\":\"\(.writer)\",\"inst\":\"\(.inst)\",\"prev\":["
    + (.prev | map("\"\(.)\"") | join(",")) + "],\"time\":\"\(.time)\",\"head\":\"\(.head)\",\"covers\":"
    + (.covers + 0 | tojson) + ",\"body\":" + (.body | canonical) + ",\"id\":\"\(.id)\",\"proof\":" + $proof + "}"];
if . == "" then ["empty", "-"]
elif test("\\A\\{\"continues\":\"([0-9a-f]{40}|[0-9a-f]{64})\"\\}\\z") then ["continues", .[14:-2]]
else (try fromjson catch null)
  | [told(hex(64); "id"), told(kind; "kind"), told(writer; "writer")] as $told
  | (try (["record"] + $told + record) catch (["other"] + $told))
end
| join("\t")'

# Takes a number of bytes off the string that $rest holds in hex, in front of which stands its length, into $taken.
take() {
  local length
  [ "${#rest}" -ge 8 ] || return 1
  length=$((16#${rest:0:8} * 2))
  [ $((${#rest} - 8)) -ge "$length" ] || return 1
  taken=${rest:8:length}
  rest=${rest:8+length}
}

# Says whether a public key (hex) is of a kind and length that counts.
is_strong() {
  local rest=$1 taken='' kind
  take || return 1
  escape "$taken"
  kind=$(printf '%b' "$escaped" | tr '\0' ' ')
  case $kind in
    ssh-ed25519 | ecdsa-sha2-nistp256 | ecdsa-sha2-nistp384 | ecdsa-sha2-nistp521) return 0 ;;
    sk-ssh-ed25519@openssh.com) return 0 ;;
    ssh-rsa) ;;
    *) return 1 ;;
  esac
  # A modulus without needless zeros in front, of 2048 bits: a number is positive by a zero byte.
  take && is_number "$taken" && take && is_number "$taken" && [ -z "$rest" ] || return 1
  taken=${taken#00}
  [ "${#taken}" -gt 512 ] || [ "${#taken}" -eq 512 ] && [ $((16#${taken:0:2})) -ge 128 ]
}

# Says whether hex digits are a positive number as SSH spells it.
is_number() {
  case $1 in
    '' | 00) return 1 ;;
    00*) [ $((16#${1:2:2})) -ge 128 ] ;;
    *) [ $((16#${1:0:2})) -lt 128 ] ;;
  esac
}

# Says whether an SSHSIG blob (base64) is a signature of an id by the key that a writer names.
is_signed() {
  local id=$1 signature=$2 writer=$3 rest taken='' key namespace at
  base64 -d <<<"$signature" >"$work/blob" 2>/dev/null || return 1
  [ "$(base64 -w 0 "$work/blob")" = "$signature" ] || return 1
  rest=$(to_hex <"$work/blob")
  # The letters SSHSIG, and version 1.
  [ "${rest:0:20}" = 53534853494700000001 ] || return 1
  rest=${rest:20}
  take || return 1
  key=$taken
  escape "$key"
  sha256 < <(printf '%b' "$escaped")
  escape "$digest"
  [ "$writer" = "ssh:SHA256:$(printf '%b' "$escaped" | base64 | tr -d =)" ] || return 1
  is_strong "$key" || return 1
  take || return 1
  namespace=$taken
  take && [ -z "$taken" ] && take && take && [ -z "$rest" ] || return 1
  {
    printf '%s\n' '-----BEGIN SSH SIGNATURE-----'
    fold -w 70 <<<"$signature"
    printf '%s\n' '-----END SSH SIGNATURE-----'
  } >"$work/signature"
  for at in "${!namespaces[@]}"; do
    [ "$namespace" = "${namespaces_in_hex[at]}" ] || continue
    message "$id" |
      ssh-keygen -Y check-novalidate -n "${namespaces[at]}" -s "$work/signature" >/dev/null 2>&1 && return 0
  done
  return 1
}

# Reads the HMAC key: the bytes of its file without white space around them.
read_hmac_key() {
  local key white='(20|09|0a|0c|0d)'
  [ -n "${PLAN_AUDIT_HMAC_KEY_FILE:-}" ] || return 0
  key=$(to_hex <"$PLAN_AUDIT_HMAC_KEY_FILE")
  while [[ $key =~ ^$white ]]; do key=${key:2}; done
  while [[ ${key: -2} =~ ^$white$ ]]; do key=${key%??}; done
  [ "${#key}" -ge 64 ] || { complain 'an HMAC key has at least 32 bytes' && exit 2; }
  escape "$key"
  sha256 < <(printf '%b' "$escaped")
  hmac_id=${digest:0:16}
  [ "${#key}" -le 128 ] || key=$digest
  pad "$key" 54 && inner_pad=$escaped
  pad "$key" 92 && outer_pad=$escaped
}

# Puts an HMAC key, filled up to a block, each byte combined with a number, into $escaped.
pad() {
  local padded='' byte at
  for ((at = 0; at < 128; at += 2)); do
    byte=${1:at:2}
    printf -v byte '%02x' $((16#${byte:-00} ^ $2))
    padded+=$byte
  done
  escape "$padded"
}

# Says whether a MAC is that of an id with the key that a writer names.
is_maced() {
  local id=$1 key=${2:0:16} mac=${2:16} writer=$3
  [ -n "$hmac_id" ] && [ "$key" = "$hmac_id" ] && [ "$writer" = "hmac:$key" ] || return 1
  sha256 < <(printf '%b' "$inner_pad" && message "$id")
  escape "$digest"
  sha256 < <(printf '%b' "$outer_pad$escaped")
  [ "$mac" = "$digest" ]
}

# Says whether a line is the record that its members tell of: spelled like it, with the id of its bytes.
is_record() {
  local raw=$1 spelled=$2 id=$3
  [ "${#raw}" -le "$most_in_line" ] && [ "$raw" = "$spelled" ] || return 1
  sha256 < <(printf 'git-plan-audit/record/v1\0%s}' "${raw%,\"id\":\"*}")
  [ "$id" = "$digest" ]
}

# Takes one line of the note of an object: $1 the object, $2 the line, $3 its fields.
take_line() {
  local target=$1 raw=$2 what id kind writer head chain before count form value spelled state=BAD
  IFS=$'\t' read -r what id kind writer head chain before count form value spelled <<<"$3"
  case $what in
    empty) return ;;
    continues)
      if [ -n "${kept[$id]:-}" ] && [ "${#raw}" -le "$most_in_line" ]; then
        waiting+=("$id")
      else
        lines+=('- - - BAD')
      fi
      return
      ;;
  esac
  if [ "$what" = record ] && [ "$head" = "$target" ] && is_record "$raw" "$spelled" "$id"; then
    header[$id]="$writer $chain" prev[$id]=$before covers[$id]=$count
    case $form in
      by) by["$id $value"]=1 state="$value" ;;
      sshsig) is_signed "$id" "$value" "$writer" && proven[$id]=1 state=ok ;;
      hmac) is_maced "$id" "$value" "$writer" && proven[$id]=1 state=ok ;;
    esac
  fi
  lines+=("$id $kind $writer $state")
}

# Reads the note of an object and the blobs in which it goes on, each once.
read_note() {
  local target=$1 blob size raw fields at
  local -A seen=()
  waiting=("$2")
  while [ "${#waiting[@]}" -gt 0 ]; do
    blob=${waiting[-1]}
    unset 'waiting[-1]'
    [ -z "${seen[$blob]:-}" ] || continue
    seen[$blob]=1
    if ! size=$(git cat-file -s "$blob" 2>/dev/null); then
      complain "note $blob is not here" && incomplete=1
    elif [ "$size" -gt "$most_in_note" ]; then
      complain "note $blob has $size bytes, too many to be read" && incomplete=1
    else
      # No record holds a control character: a NUL, which no variable can hold, is as good as another one.
      git cat-file blob "$blob" | tr '\0' '\1' >"$work/note"
      jq -Rr "$read_lines" "$work/note" >"$work/fields"
      mapfile -t raw <"$work/note"
      mapfile -t fields <"$work/fields"
      for at in "${!raw[@]}"; do take_line "$target" "${raw[at]}" "${fields[at]}"; done
    fi
  done
}

# Finds what each proven record vouches for: exactly so many before it in its chain that name it as their proof.
vouch() {
  local last id left
  for last in "${!proven[@]}"; do
    id=$last
    for ((left = covers[$last]; left > 0; left--)); do
      id=${prev[$id]}
      [ "${header[$id]:-}" = "${header[$last]}" ] || break
      [ -n "${by["$id $last"]:-}" ] || break
      vouched["$id $last"]=1
    done
  done
}

main() {
  local tip entry mode blob path target digits line id state notes=()
  tip=$(git rev-parse -q --verify "${1:-refs/notes/plan-audit}^{commit}") ||
    { complain 'there is no ledger here' && exit 2; }
  read_hmac_key
  digits=$(git hash-object -t tree --stdin </dev/null | tr -d '\n' | wc -c)
  while IFS= read -r -d '' entry; do
    path=${entry#*$'\t'} target=${path//\//}
    read -r mode _ blob _ <<<"${entry%%$'\t'*}"
    # What is no blob, or whose name is no object's, is nobody's note.
    case $mode in 100644 | 100755) ;; *) continue ;; esac
    [ "${#target}" -eq "$digits" ] || continue
    [[ $path =~ ^([0-9a-f]{2}/)*([0-9a-f]{2})+$ ]] || continue
    # The note of itself is kept for a line that names it.
    if [ "$target" = "$blob" ]; then kept[$blob]=1; else notes+=("$target $blob"); fi
  done < <(git ls-tree -r -z --full-tree "$tip")
  for line in "${notes[@]}"; do read_note "${line% *}" "${line#* }"; done
  vouch
  for line in "${lines[@]}"; do
    id=${line%% *} state=${line##* }
    case $state in
      ok | BAD) ;;
      *) if [ -n "${vouched["$id $state"]:-}" ]; then state=ok; else state=BAD; fi ;;
    esac
    printf '%s %s\n' "${line% *}" "$state"
  done
  [ "$incomplete" -eq 0 ] || exit 3
}

main "$@"
