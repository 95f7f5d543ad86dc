#!/usr/bin/env python3
"""Makes the vectors of allowed_signers and expected.tsv, with the keys of ../sshsig.

A refused file has one line that is not used, and expected.tsv says why in the words of the reader.
"""

import pathlib

HERE = pathlib.Path(__file__).parent
KEYS = {path.stem: " ".join(path.read_text().split()[:2]) for path in HERE.glob("../sshsig/*.pub")}
KEY = KEYS["key"]
RECORD = 'namespaces="git-plan-audit"'
BOTH = 'namespaces="git-plan-audit,git-plan-audit-approve"'


def entry(options="", principals="builder@example.org", key=KEY):
    return f"{principals} {options + ' ' if options else ''}{key}\n"


VALID = {
    "plain": ("records", entry()),
    "comment": ("records", f"# who builds\n\n{entry().strip()} of the build machine\n"),
    "carriage-returns": ("records", entry().replace("\n", "\r\n")),
    "no-newline": ("records", entry().strip()),
    "tabs": ("records", entry(RECORD).replace(" ", "\t")),
    "indented": ("records", "  " + entry()),
    "principals": ("records", entry(principals="a@example.org,*@example.com")),
    "principals-quoted": ("records", entry(principals='"A Person"')),
    "namespace": ("records", entry(RECORD)),
    "namespaces": ("records", entry('namespaces="git,git-plan-audit"')),
    "namespace-star": ("records", entry('namespaces="git-*"')),
    "namespace-any": ("records", entry('namespaces="*"')),
    "namespace-approve-star": ("records", entry('namespaces="git-plan-audit*"')),
    "option-upper-case": ("records", entry('NameSpaces="git-plan-audit"')),
    "approver": ("records approves", entry(BOTH)),
    "approver-any": ("records approves", entry('namespaces="*,git-plan-audit-approve"')),
    "only-approves": ("approves", entry('namespaces="git-plan-audit-approve"')),
    "after": ("records", entry('valid-after="20260101Z"')),
    "before": ("records", entry('valid-before="20261231Z"')),
    "between": ("records", entry(f'{RECORD},valid-after="202601010203Z",valid-before="20261231040506Z"')),
    "rsa": ("records", entry(key=KEYS["rsa2048"])),
    "ecdsa256": ("records", entry(key=KEYS["ecdsa256"])),
    "ecdsa384": ("records", entry(key=KEYS["ecdsa384"])),
    "ecdsa521": ("records", entry(key=KEYS["ecdsa521"])),
    "sk-ed25519": ("records", entry(key=KEYS["sk-ed25519"])),
}

WEAK = "the key is of a kind or length that does not count"
UNREADABLE = "the key cannot be read"
NO_KEY = "no key of a known type"
OTHER = "its namespaces are for something else"
LATE = "valid-after is not before valid-before"


def unused(name):
    return f"option {name} is not used by this tool"


def unread(time):
    return f"time {time} cannot be read"


REFUSED = {
    "no-key": (NO_KEY, "builder@example.org\n"),
    "only-key": (NO_KEY, KEY + "\n"),
    "key-without-body": (UNREADABLE, "a ssh-ed25519\n"),
    "key-cut": (UNREADABLE, f"a {KEY[:-5]}\n"),
    "key-other-type": (UNREADABLE, entry(key=KEY.replace("ssh-ed25519", "ssh-rsa"))),
    "key-unknown-type": (NO_KEY, entry(key=KEY.replace("ssh-ed25519", "x@example.org"))),
    "key-not-base64": (UNREADABLE, f"a {KEY.replace('AAAAC3', 'AAAA-3')}\n"),
    "key-rsa1024": (WEAK, entry(key=KEYS["rsa1024"])),
    "key-rsa2047": (WEAK, entry(key=KEYS["rsa2047"])),
    "key-dsa": (WEAK, entry(key=KEYS["dsa"])),
    "key-sk-ecdsa": (WEAK, entry(key=KEYS["sk-ecdsa"])),
    "key-certificate": (UNREADABLE, entry(key=KEYS["certificate"])),
    "cert-authority": (unused("cert-authority"), entry("cert-authority")),
    "cert-authority-too": (unused("cert-authority"), entry(f"cert-authority,{RECORD}")),
    "option-unknown": (unused("no-touch-required"), entry("no-touch-required")),
    "option-unknown-value": (unused("verify"), entry('verify="yes"')),
    "option-unquoted": (unused("namespaces"), entry("namespaces=git-plan-audit")),
    "option-open": ("a quote is not closed", entry('namespaces="git-plan-audit')),
    "option-twice": ("option namespaces is there twice", entry(f"{RECORD},{RECORD}")),
    "option-empty": (unused(""), entry(f"{RECORD},")),
    "options-two-words": ("options are not one word", entry(f'{RECORD} valid-after="20260101Z"')),
    "option-backslash": ("backslashes in options are not used by this tool", entry('namespaces="git\\-plan-audit"')),
    "namespace-other": (OTHER, entry('namespaces="git"')),
    "namespace-empty": (OTHER, entry('namespaces=""')),
    "namespace-longer": (OTHER, entry('namespaces="git-plan-audit?"')),
    "namespace-path": (OTHER, entry('namespaces="**/git-plan-audit"')),
    "namespace-class": (OTHER, entry('namespaces="[g]it-plan-audit"')),
    "namespace-braces": (OTHER, entry('namespaces="{git-plan-audit}"')),
    "namespace-upper-case": (OTHER, entry('namespaces="Git-Plan-Audit"')),
    "namespace-blank-before": (OTHER, entry('namespaces="git, git-plan-audit"')),
    "namespace-negated": ("negated namespaces are not used by this tool", entry('namespaces="!git-plan-audit,*"')),
    "time-local": ("time 20260101 has no Z: local times differ by machine", entry('valid-after="20260101"')),
    "time-year": (unread("2026Z"), entry('valid-after="2026Z"')),
    "time-no-such-day": (unread("20260230Z"), entry('valid-after="20260230Z"')),
    "time-hour-25": (unread("202601012500Z"), entry('valid-before="202601012500Z"')),
    "time-hex": (unread("0x5f5e100Z"), entry('valid-after="0x5f5e100Z"')),
    "time-zero": (unread("19700101Z"), entry('valid-after="19700101Z"')),
    "time-other-digits": (unread("２０２６Z"), entry('valid-after="２０２６Z"')),
    "time-empty": ("time  has no Z: local times differ by machine", entry('valid-after=""')),
    "times-equal": (LATE, entry('valid-after="20260101Z",valid-before="20260101Z"')),
    "times-reversed": (LATE, entry('valid-after="20270101Z",valid-before="20260101Z"')),
    "principals-negated": ("negated principals are not used by this tool", entry(principals="*@example.org,!eve@example.org")),
    "principals-empty": ("no principals", entry(principals='""')),
    "principals-open": ("a quote is not closed", entry(principals='"A Person')),
    "principals-quote-inside": ("quotes stand inside the principals", entry(principals='a"b c"d')),
    "control-character": ("it holds a control character", entry(principals="a\0")),
    "escape-sequence": ("it holds a control character", entry(principals="a\x1b[2J")),
    "carriage-return-inside": ("it holds a control character", entry(RECORD).replace(" namespaces", "\rnamespaces")),
}


def main():
    for old in [*HERE.glob("valid-*"), *HERE.glob("refused-*")]:
        old.unlink()
    rows = []
    for start, vectors in [("valid", VALID), ("refused", REFUSED)]:
        for name, (outcome, text) in vectors.items():
            (HERE / f"{start}-{name}").write_bytes(text.encode())
            rows.append(f"{start}-{name}\t{outcome}\n")
    (HERE / "expected.tsv").write_text("file\toutcome\n" + "".join(sorted(rows)))


main()
