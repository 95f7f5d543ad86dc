#!/usr/bin/env python3
"""Makes the record vectors of this folder and expected.tsv.

A file holds one line of a ledger and a newline that is no part of it; files in steps/ and pins/ hold a
blob of step results or of pinned files to the last byte. Each refused file is a good one with a single fault, and where the fault
lies before the id, with a true id and a true proof, so that nothing but the fault can refuse it.

The shared key is 32 bytes 0x07. The SSH key is made anew when its vector is missing, and thrown away.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
KEY = b"\x07" * 32
KEY_ID = hashlib.sha256(KEY).hexdigest()[:16]
ZERO = "0" * 64
ONE = "1" * 64
TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
MARK = ',"id":"'


def canonical(value):
    """Writes ASCII values in RFC 8785 form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def header(**changes):
    """Returns the members before the body, each as the bytes of its value, in their order."""
    members = {
        "v": "1",
        "kind": '"instance"',
        "repo": f'"{"ab" * 32}"',
        "writer": f'"hmac:{KEY_ID}"',
        "inst": f'"{"cd" * 16}"',
        "prev": f'["{ZERO}"]',
        "time": '"2026-11-29T16:40:00Z"',
        "head": f'"{TREE}"',
        "covers": "0",
        "body": canonical(INSTANCE),
    }
    members.update(changes)
    return members


def hashed(members):
    """Joins members without the closing brace."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items())


def identified(text):
    return hashlib.sha256(b"git-plan-audit/record/v1\0" + text.encode() + b"}").hexdigest()


def message(record):
    return b"git-plan-audit/proof/v1\0" + record.encode()


def mac(record):
    return hmac.new(KEY, message(record), hashlib.sha256).hexdigest()


def proof(record):
    return f'{{"hmac":{{"key":"{KEY_ID}","mac":"{mac(record)}"}}}}'


def line(text, proof=proof):
    """Ends the hashed part of a line with a true id and a proof."""
    record = identified(text)
    given = proof(record) if callable(proof) else proof
    return f'{text}{MARK}{record}","proof":{given}}}'


def record(**changes):
    return line(hashed(header(**changes)))


INSTANCE = {"reason": None, "tool": "0.1.0"}
KEPT = {"blob": TREE, "bytes": 3, "sha256": ZERO}
SEAL = {
    "branch": "refs/heads/main",
    "continues": [],
    "contract": {"blob": TREE, "bytes": 3, "digest": ONE, "sha256": ZERO},
    "generation": 1,
    "plan": "default",
    "profile": "standard",
    "reason": None,
}
PIN = {"fork": True, "id": TREE, "mode": "100644", "path": "tests/a"}
PINS = [PIN, PIN | {"fork": False, "mode": "120000", "path": "tests/b"}]
CLOSE = {"commit": TREE, "contract": ONE, "plan": "default", "seals": [ONE], "tree": TREE}
CLAIMS = {"commit": TREE, "contract": SEAL["contract"], "evidence": KEPT, "gate": "pass", "plan": "default", "tool": "0.1.0"}
ABANDON = {"contract": ONE, "plan": "default", "reason": "too much", "seals": [ZERO, ONE]}
REVIEW = {
    "base": TREE,
    "commit": TREE,
    "decision": "approve",
    "plans": [{"contract": ONE, "plan": "default", "seal": ZERO}, {"contract": ONE, "plan": "other", "seal": ONE}],
    "text": "looks right",
    "tree": TREE,
    "trust": [{"id": TREE, "mode": "100644", "path": "allowed_signers"}, {"path": "supervisor.json"}],
}
REJECT = {"commit": TREE, "decision": "reject", "plans": [], "text": "no", "tree": TREE, "trust": []}
REVOKE = {"reason": "the disk was broken", "record": ONE}
REVOKE_KEY = {"key": f"hmac:{KEY_ID}", "last": ONE, "reason": "leaked"}
STATE = {
    "branch": "refs/heads/main",
    "content": ZERO,
    "control": {"config": ZERO, "hooks": ZERO, "info": ZERO, "replace": ZERO},
    "flags": {},
    "head": TREE,
    "hidden": {"count": 0, "paths": []},
    "index": ZERO,
    "tree": TREE,
    "untracked": {"count": 0, "digest": ZERO, "paths": []},
}
CHECK = {
    "code": 0,
    "end": "exited",
    "leaked": False,
    "matched": True,
    "ms": 7,
    "output": {"bytes": 2, "sha256": ZERO},
    "program": {"path": "/usr/bin/true", "sha256": ONE},
    "variables": ["CARGO_HOME"],
}
OUTPUT = {"checks": [CHECK], "name": "bin", "step": 1}
STEP = {"checks": [CHECK], "id": 1, "outputs": [OUTPUT], "required": [OUTPUT]}
AUDIT = {
    "after": STATE,
    "before": STATE,
    "contract": ONE,
    "place": "worktree",
    "plan": "default",
    "platform": "linux-x86_64",
    "steps": [STEP],
    "tool": "0.1.0",
}
RUN = {
    "after": ZERO,
    "attempt": "07" * 16,
    "before": ZERO,
    "contract": ONE,
    "plan": "default",
    "platform": "linux-x86_64",
    "steps": [STEP],
    "tool": "0.1.0",
}
KILLED = {name: RUN[name] for name in ("attempt", "contract", "plan", "platform", "tool")} | {"interrupted": [1, 3]}
ENDS = [
    {"code": 1, "end": "exited"},
    {"code": -9, "end": "exited"},
    {"code": 9, "end": "signalled"},
    {"end": "timed-out"},
    {"end": "output-limit"},
    {"end": "could-not-start", "why": "no such program"},
    {"end": "interrupted"},
    {"end": "blocked"},
    {"end": "asked-terminal"},
    {"end": "found"},
    {"end": "not-found", "why": "it is a directory"},
]
FLAGS = [
    "absent", "assume_unchanged", "case_collision", "empty_directory", "eol", "filtered", "grafts", "intent_to_add",
    "lfs_pointer", "link_outside", "modes", "nested", "own_worktree", "renormalise", "replace", "skip_worktree", "special",
    "submodule_absent", "submodule_dirty", "touched", "unmerged", "unreadable", "unsupported",
]


def put(value, path, new):
    """Returns a copy of a value in which what lies at a path is another; ... takes it out."""
    if not path:
        return new
    copy = list(value) if isinstance(value, list) else dict(value)
    step, *rest = path
    if not rest and new is ...:
        del copy[step]
    else:
        copy[step] = put(copy.get(step) if isinstance(copy, dict) and not rest else copy[step], rest, new)
    return copy


def of_kind(kind, body, **changes):
    text = body if isinstance(body, str) else canonical(body)
    return record(kind=f'"{kind}"', body=text, **changes)


def bare(end):
    return {"leaked": False, "ms": 0, "variables": []} | end


def valid():
    ends = put(AUDIT, ["steps", 0, "checks"], [CHECK] + [bare(end) for end in ENDS])
    noted = {"count": 7, "paths": ["a", "b", "c", "d", "e"]}
    flagged = put(AUDIT, ["before", "flags"], {flag: noted for flag in FLAGS})
    unborn = put(put(AUDIT, ["before", "head"], None), ["before", "branch"], None)
    kept = put(AUDIT, ["steps"], ...) | {"kept": KEPT}
    empty = hashed(header(kind='"question"', body='{"a":""}'))
    filling = "x" * (65536 - len(line(empty)))
    title = canonical({"title": 'x","id":"' + ONE + '","proof":{"by":"' + ONE + '"}}'})
    yield "instance", "record", of_kind("instance", INSTANCE)
    yield "instance-reason", "record", of_kind("instance", put(INSTANCE, ["reason"], "copied clone"))
    yield "seal", "record", of_kind("seal", SEAL)
    yield "seal-continues", "record", of_kind("seal", put(SEAL, ["continues"], [ZERO, ONE]))
    yield "seal-detached", "record", of_kind("seal", put(SEAL, ["branch"], None))
    yield "seal-generation", "record", of_kind("seal", SEAL | {"generation": 2, "reason": "the first was wrong"})
    modes = ["100644", "100755", "120000", "160000"]
    yield "seal-pins", "record", of_kind("seal", SEAL | {"pins": PINS})
    yield "seal-pins-none", "record", of_kind("seal", SEAL | {"pins": []})
    yield "seal-pins-kept", "record", of_kind("seal", SEAL | {"pins_kept": KEPT})
    yield "seal-pins-modes", "record", of_kind("seal", SEAL | {"pins": [PIN | {"mode": mode, "path": mode} for mode in modes]})
    yield "seal-pins-paths", "record", of_kind("seal", SEAL | {"pins": [
        PIN | {"path": path} for path in ["\n", "a b", "a\\\\b", "gr\u00fcn/x", "\\xff"]]})
    yield "claims", "record", of_kind("claims", CLAIMS)
    yield "claims-blocked", "record", of_kind("claims", CLAIMS | {"gate": "blocked"})
    yield "close", "record", of_kind("close", CLOSE)
    yield "close-abandoned", "record", of_kind("close", ABANDON)
    yield "review-approve", "record", of_kind("review", REVIEW)
    yield "review-reject", "record", of_kind("review", REJECT)
    yield "revoke-record", "record", of_kind("revoke", REVOKE)
    yield "revoke-key", "record", of_kind("revoke", REVOKE_KEY)
    yield "revoke-key-whole", "record", of_kind("revoke", put(REVOKE_KEY, ["last"], ...))
    yield "audit", "record", of_kind("audit", AUDIT)
    yield "audit-checkout", "record", of_kind("audit", put(AUDIT, ["place"], "checkout"))
    yield "audit-every-end", "record", of_kind("audit", ends)
    yield "audit-every-flag", "record", of_kind("audit", flagged)
    yield "audit-unborn", "record", of_kind("audit", unborn)
    yield "audit-kept", "record", of_kind("audit", kept)
    yield "run", "record", of_kind("run", RUN)
    yield "run-forced", "record", of_kind("run", RUN | {"forced": "the disk was full"})
    yield "run-kept", "record", of_kind("run", put(RUN, ["steps"], ...) | {"kept": KEPT})
    yield "run-killed", "record", of_kind("run", KILLED)
    yield "kind-unknown", "record", of_kind("weather-report", "{}")
    yield "kind-longest", "record", of_kind("k" * 32, "{}")
    yield "prev-most", "record", record(prev="[" + ",".join(f'"{n:064x}"' for n in range(16)) + "]")
    yield "covers-most", "record", record(covers=str(2**32 - 1))
    yield "head-sha256", "record", record(head=f'"{ONE}"')
    yield "body-integers", "record", of_kind("question", f'{{"a":[{2**53 - 1},-{2**53 - 1},0]}}')
    yield "body-not-ascii", "record", of_kind("question", '{"ü":"\\u0001\\n/\x7f","\U0001f600":1,"\ufb33":2}')
    yield "body-like-an-id", "record", of_kind("question", title)
    yield "longest", "record", line(hashed(header(kind='"question"', body='{"a":"' + filling + '"}')))
    yield "proof-hmac", "record", record()
    yield "proof-by", "record", line(hashed(header()), f'{{"by":"{ONE}"}}')
    yield "proof-empty-signature", "record", line(hashed(header()), '{"sshsig":""}')
    yield "later-version", "newer", record(v="2")
    yield "later-version-other-members", "newer", line(f'{{"v":2,"more":[1.5],"writer":"hmac:{KEY_ID}"')
    yield "continues", "continues", f'{{"continues":"{TREE}"}}'
    yield "continues-sha256", "continues", f'{{"continues":"{ONE}"}}'


def refused_frame():
    """What is refused before the members are looked at."""
    good = record()
    text = hashed(header())
    own = identified(text)
    tail = f'"{own}","proof":'
    yield "too-long", "TooLong", line(hashed(header(body='{"a":"' + "x" * 65536 + '"}')))
    yield "too-long-by-one", "TooLong", one_too_long()
    yield "not-utf8", "NotUtf8", good.encode().replace(b"instance", b"instanc\xff")
    yield "empty", "NoId", ""
    yield "no-json", "NoId", "reviewed, looks good"
    yield "no-id", "NoId", text + "}"
    yield "no-proof-member", "NoId", f'{text}{MARK}{own}"}}'
    yield "id-short", "NoId", good.replace(own, own[:-1])
    yield "id-upper-case", "NoId", good.replace(own, own.upper())
    yield "id-with-space", "NoId", good.replace(tail, tail + " ").replace(',"proof"', ', "proof"')
    yield "continues-upper-case", "NoId", f'{{"continues":"{TREE.upper()}"}}'
    yield "continues-with-more", "NoId", f'{{"continues":"{TREE}","a":1}}'
    yield "continues-with-space", "NoId", f'{{"continues": "{TREE}"}}'
    yield "wrong-id-member-changed", "WrongId", good.replace("16:40:00Z", "16:40:01Z")
    yield "wrong-id-of-another", "WrongId", good.replace(own, ONE)
    yield "wrong-id-without-label", "WrongId", good.replace(own, hashlib.sha256((text + "}").encode()).hexdigest())
    yield "wrong-id-without-brace", "WrongId", good.replace(own, hashlib.sha256(b"git-plan-audit/record/v1\0" + text.encode()).hexdigest())
    yield "wrong-id-two-ids", "WrongId", good + f'{MARK}{own}","proof":{proof(own)}}}'
    yield "wrong-id-space-before", "WrongId", " " + good
    yield "wrong-id-byte-order-mark", "WrongId", "\ufeff" + good


def one_too_long():
    empty = hashed(header(kind='"question"', body='{"a":""}'))
    filling = "x" * (65537 - len(line(empty)))
    return line(hashed(header(kind='"question"', body='{"a":"' + filling + '"}')))


def refused_proof():
    text = hashed(header())
    own = identified(text)
    good = proof(own)
    digest = mac(own)
    proofs = {
        "empty-object": "{}",
        "null": "null",
        "text": '"x"',
        "unknown-form": '{"gpg":"x"}',
        "two-forms": f'{{"by":"{ONE}","by":"{ONE}"}}',
        "with-space": good.replace(":", ": ", 1),
        "sshsig-not-base64": '{"sshsig":"A?=="}',
        "sshsig-unpadded": '{"sshsig":"AQI"}',
        "sshsig-url-alphabet": '{"sshsig":"-_8="}',
        "sshsig-loose-bits": '{"sshsig":"AQJ="}',
        "sshsig-wrapped": '{"sshsig":"AQID\\nBAUG"}',
        "sshsig-more": '{"sshsig":"AQID","a":1}',
        "hmac-key-short": good.replace(KEY_ID, KEY_ID[:-1]),
        "hmac-key-upper-case": good.replace(KEY_ID, "ABCDEF0123456789"),
        "hmac-mac-short": good.replace(digest, digest[:-1]),
        "hmac-mac-upper-case": good.replace(digest, ONE[:-1] + "A"),
        "hmac-other-order": f'{{"hmac":{{"mac":"{digest}","key":"{KEY_ID}"}}}}',
        "hmac-without-key": f'{{"hmac":{{"mac":"{digest}"}}}}',
        "by-short": f'{{"by":"{ONE[1:]}"}}',
        "by-upper-case": f'{{"by":"{"A" * 64}"}}',
        "by-null": '{"by":null}',
    }
    for name, given in proofs.items():
        yield f"proof-{name}", "NoProof", line(text, given)
    yield "member-after-proof", "NoProof", record()[:-1] + ',"a":1}'
    yield "space-at-the-end", "NoProof", record() + " "
    yield "brace-missing", "NoProof", record()[:-1]
    yield "carriage-return", "NoProof", record() + "\r"


def refused_members():
    for name in list(header()):
        members = header()
        del members[name]
        yield f"without-{name}", line(hashed(members))
        yield f"null-{name}", record(**{name: "null"})
    swapped = dict(reversed(list(header().items())))
    yield "other-order", line(hashed(swapped))
    one = header()
    yield "other-order-two", line(hashed({"v": one["v"], "repo": one["repo"]} | one))
    yield "more-members", line(hashed(header() | {"more": "1"}))
    text = hashed(header())
    yield "doubled-member", line(text.replace('"covers":0', '"covers":0,"covers":0'))
    yield "space-after-comma", line(text.replace(',"kind"', ', "kind"'))
    yield "space-after-colon", line(text.replace('"covers":', '"covers": '))
    yield "space-in-list", record(prev=f'[ "{ZERO}"]')
    yield "line-feed-inside", line(text.replace(',"kind"', ',\n"kind"'))
    yield "escaped-key", line(text.replace('"kind"', '"\\u006bind"'))
    yield "escaped-value", record(kind='"\\u0069nstance"')
    yield "list-at-the-root", line("[" + text[1:])
    values = {
        "v": {"text": '"1"', "leading-zero": "01", "float": "1.0", "negative": "-1", "space": " 1", "huge": "9" * 21},
        "kind": {"empty": '""', "too-long": f'"{"k" * 33}"', "upper-case": '"Audit"', "digit": '"audit2"',
                 "underscore": '"an_audit"', "number": "1"},
        "repo": {"short": f'"{"ab" * 31}"', "upper-case": f'"{"AB" * 32}"', "number": "1"},
        "writer": {"unknown": '"gpg:0123456789abcdef"', "short": '"ssh:SHA256:AAAA"', "padded": f'"ssh:SHA256:{"A" * 43}="',
                   "md5": '"ssh:MD5:00"', "hmac-short": '"hmac:0123"', "hmac-upper-case": '"hmac:0123456789ABCDEF"'},
        "inst": {"short": f'"{"cd" * 15}"', "upper-case": f'"{"CD" * 16}"', "long": f'"{"cd" * 32}"'},
        "prev": {"empty": "[]", "too-many": "[" + ",".join(f'"{n:064x}"' for n in range(17)) + "]", "short": '["00"]',
                 "upper-case": f'["{"A" * 64}"]', "text": f'"{ZERO}"', "null-inside": "[null]", "number": "[0]"},
        "time": {"offset": '"2026-11-29T16:40:00+00:00"', "fraction": '"2026-11-29T16:40:00.5Z"', "blank": '"2026-11-29 16:40:00Z"',
                 "lower-case": '"2026-11-29t16:40:00z"', "no-such-day": '"2026-02-30T00:00:00Z"', "leap-second": '"2016-12-31T23:59:60Z"',
                 "year-of-five": '"12026-11-29T16:40:00Z"', "year-negative": '"-000001-11-29T16:40:00Z"', "number": "1795970400"},
        "head": {"short": f'"{TREE[1:]}"', "long": f'"{TREE}0"', "upper-case": f'"{TREE.upper()}"', "ref": '"refs/heads/main"'},
        "covers": {"negative": "-1", "minus-zero": "-0", "float": "1.0", "exponent": "1e0", "text": '"0"', "too-great": str(2**32),
                   "leading-zero": "00"},
        "body": {"list": "[]", "text": '"x"', "number": "1", "space": '{"a": 1}', "other-order": '{"b":1,"a":1}',
                 "order-of-bytes": '{"\ufb33":1,"\U0001f600":2}', "doubled-key": '{"a":1,"a":1}', "float": '{"a":1.5}',
                 "float-integer": '{"a":1.0}', "exponent": '{"a":1e2}', "minus-zero": '{"a":-0}', "too-great": f'{{"a":{2**53}}}',
                 "too-small": f'{{"a":-{2**53}}}', "inexact": '{"a":9007199254740993}', "beyond-double": '{"a":1e999}',
                 "needless-escape": '{"a":"\\u0062"}', "slash-escaped": '{"a":"\\/"}', "upper-case-escape": '{"a":"\\u001F"}',
                 "raw-control": '{"a":"\x01"}', "half-pair": '{"a":"\\ud800"}', "no-json": '{"a":}', "open": '{"a":1',
                 "too-deep": '{"a":' + "[" * 200 + "]" * 200 + "}"},
    }
    for member, faults in values.items():
        for fault, value in faults.items():
            yield f"{member}-{fault}", record(**{member: value})
    yield "later-version-no-writer", line('{"v":2,"more":1')
    yield "later-version-no-json", line(f'{{"v":2,"writer":"hmac:{KEY_ID}"]')
    yield "later-version-other-writer", line('{"v":2,"writer":"gpg:1"')
    yield "version-not-first", line(f'{{"writer":"hmac:{KEY_ID}","v":2')


def refused_bodies():
    gone = ...
    faults = {
        "instance": (INSTANCE, {
            "no-tool": (["tool"], gone), "no-reason": (["reason"], gone), "more": (["more"], 1), "reason-number": (["reason"], 1),
            "tool-null": (["tool"], None),
        }),
        "seal": (SEAL, {
            "no-plan": (["plan"], gone), "no-branch": (["branch"], gone), "no-contract": (["contract"], gone), "more": (["more"], 1),
            "branch-number": (["branch"], 1), "continues-null": (["continues"], None), "continues-short": (["continues"], ["00"]),
            "contract-no-digest": (["contract", "digest"], gone), "contract-more": (["contract", "more"], 1),
            "contract-list": (["contract"], []), "blob-upper-case": (["contract", "blob"], TREE.upper()),
            "bytes-negative": (["contract", "bytes"], -1), "bytes-text": (["contract", "bytes"], "3"),
            "digest-short": (["contract", "digest"], "11"), "sha256-upper-case": (["contract", "sha256"], "A" * 64),
            "generation-negative": (["generation"], -1), "generation-too-great": (["generation"], 2**32),
            "plan-outside": (["plan"], "../other"), "plan-empty": (["plan"], ""), "profile-null": (["profile"], None),
            "no-reason": (["reason"], gone), "reason-number": (["reason"], 1),
            "pins-null": (["pins"], None), "pins-kept-null": (["pins_kept"], None), "pins-object": (["pins"], {}),
            "pins-kept-list": (["pins_kept"], PINS), "pins-kept-more": (["pins_kept"], KEPT | {"more": 1}),
        }),
        "claims": (CLAIMS, {
            "gate-unknown": (["gate"], "fine"), "no-evidence": (["evidence"], gone), "no-contract": (["contract"], gone),
            "commit-short": (["commit"], "11"), "plan-outside": (["plan"], "../other"), "more": (["more"], 1),
        }),
        "close": (CLOSE, {
            "no-plan": (["plan"], gone), "no-contract": (["contract"], gone), "no-commit": (["commit"], gone), "no-tree": (["tree"], gone),
            "no-seals": (["seals"], gone), "seals-empty": (["seals"], []), "seals-short": (["seals"], ["00"]), "more": (["more"], 1),
            "reason-too": (["reason"], "x"), "reason-null": (["reason"], None), "tree-upper-case": (["tree"], TREE.upper()),
            "contract-short": (["contract"], "11"), "plan-outside": (["plan"], "../other"), "commit-null": (["commit"], None),
        }),
        "review": (REVIEW, {
            "no-commit": (["commit"], gone), "no-decision": (["decision"], gone), "no-plans": (["plans"], gone), "no-text": (["text"], gone),
            "no-tree": (["tree"], gone), "no-trust": (["trust"], gone), "more": (["more"], 1), "base-null": (["base"], None),
            "decision-unknown": (["decision"], "abstain"), "text-blank": (["text"], " "), "tree-upper-case": (["tree"], TREE.upper()),
            "no-base": (["base"], gone), "plans-object": (["plans"], {}), "plan-more": (["plans", 0, "more"], 1),
            "plan-no-seal": (["plans", 0, "seal"], gone), "plan-outside": (["plans", 0, "plan"], "../other"),
            "plans-doubled": (["plans", 1, "plan"], "default"), "plans-descending": (["plans", 0, "plan"], "zero"),
            "trust-no-path": (["trust", 0, "path"], gone), "trust-no-id": (["trust", 0, "id"], gone), "trust-no-mode": (["trust", 0, "mode"], gone),
            "trust-mode-other": (["trust", 0, "mode"], "040000"), "trust-doubled": (["trust", 1, "path"], "allowed_signers"),
            "trust-path-empty": (["trust", 0, "path"], ""), "trust-id-null": (["trust", 1, "id"], None),
        }),
        "revoke": (REVOKE, {
            "no-reason": (["reason"], gone), "reason-null": (["reason"], None), "no-record": (["record"], gone), "record-null": (["record"], None),
            "record-short": (["record"], "11"), "more": (["more"], 1), "key-too": (["key"], f"hmac:{KEY_ID}"), "last-too": (["last"], ZERO),
        }),
        "revoke-key": (REVOKE_KEY, {
            "no-reason": (["reason"], gone), "no-key": (["key"], gone), "key-null": (["key"], None), "key-upper-case": (["key"], f"hmac:{KEY_ID.upper()}"),
            "key-of-another-kind": (["key"], "rsa:1"), "last-null": (["last"], None), "last-short": (["last"], "00"), "record-null": (["record"], None),
        }),
        "audit": (AUDIT, {
            "no-after": (["after"], gone), "no-before": (["before"], gone), "no-tool": (["tool"], gone), "more": (["more"], 1),
            "verdict": (["verdict"], "PASS"), "place-unknown": (["place"], "moon"), "contract-short": (["contract"], "11"),
            "plan-outside": (["plan"], "a/b"), "platform-null": (["platform"], None), "no-steps": (["steps"], gone),
            "steps-null": (["steps"], None), "steps-and-kept": (["kept"], KEPT), "kept-null": (["kept"], None),
            "state-more": (["after", "staged_tree"], TREE), "state-no-flags": (["after", "flags"], gone),
            "state-tree-upper-case": (["after", "tree"], TREE.upper()), "state-head-short": (["before", "head"], "4b82"),
            "state-branch-number": (["before", "branch"], 1), "state-content-null": (["after", "content"], None),
            "flag-unknown": (["after", "flags"], {"shiny": {"count": 1, "paths": []}}),
            "flag-no-paths": (["after", "flags"], {"eol": {"count": 1}}), "flags-list": (["after", "flags"], ["eol"]),
            "hidden-more": (["after", "hidden", "more"], 1), "hidden-negative": (["after", "hidden", "count"], -1),
            "untracked-no-digest": (["after", "untracked", "digest"], gone), "control-no-hooks": (["after", "control", "hooks"], gone),
            "control-more": (["after", "control", "more"], ZERO), "control-short": (["after", "control", "info"], "00"),
            "step-no-checks": (["steps", 0, "checks"], gone), "step-more": (["steps", 0, "status"], 1),
            "step-id-text": (["steps", 0, "id"], "1"), "step-id-negative": (["steps", 0, "id"], -1), "step-number": (["steps", 0], 1),
            "output-no-name": (["steps", 0, "outputs", 0, "name"], gone), "output-more": (["steps", 0, "outputs", 0, "more"], 1),
            "required-no-step": (["steps", 0, "required", 0, "step"], gone),
        }),
        "run": (RUN, {
            "no-after": (["after"], gone), "no-before": (["before"], gone), "after-null": (["after"], None), "before-short": (["before"], "00"),
            "no-attempt": (["attempt"], gone), "attempt-short": (["attempt"], "07"), "attempt-upper-case": (["attempt"], "AB" * 16),
            "no-contract": (["contract"], gone), "contract-short": (["contract"], "11"), "no-plan": (["plan"], gone), "plan-outside": (["plan"], "a/b"),
            "no-platform": (["platform"], gone), "platform-null": (["platform"], None), "no-tool": (["tool"], gone), "more": (["more"], 1),
            "state": (["after"], STATE), "forced-null": (["forced"], None), "forced-flag": (["forced"], True), "no-steps": (["steps"], gone),
            "steps-none": (["steps"], []), "steps-null": (["steps"], None), "steps-and-kept": (["kept"], KEPT), "kept-null": (["kept"], None),
            "told-and-interrupted": (["interrupted"], [1]), "verdict": (["verdict"], "PASS"), "step-more": (["steps", 0, "status"], 1),
            "step-no-checks": (["steps", 0, "checks"], gone), "check-end-unknown": (["steps", 0, "checks", 0, "end"], "vanished"),
        }),
    }
    killed = {
        "none": [], "null": None, "doubled": [1, 1], "descending": [3, 1], "text": ["1"], "negative": [-1], "number": 1,
    }
    for fault, interrupted in killed.items():
        yield f"body-of-run-interrupted-{fault}", of_kind("run", put(KILLED, ["interrupted"], interrupted))
    for fault, more in {"forced": {"forced": "x"}, "after": {"after": ZERO}, "kept": {"kept": KEPT}, "steps": {"steps": [STEP]}}.items():
        yield f"body-of-run-interrupted-with-{fault}", of_kind("run", KILLED | more)
    yield "body-of-run-interrupted-gone", of_kind("run", put(KILLED, ["interrupted"], ...))
    for kind, (body, changes) in faults.items():
        for fault, (path, new) in changes.items():
            yield f"body-of-{kind}-{fault}", of_kind(kind.removesuffix("-key"), put(body, path, new))
    check = ["steps", 0, "checks", 0]
    checks = {
        "end-unknown": {"end": "vanished"}, "end-null": {"end": None}, "exited-no-code": {"end": "exited"},
        "signalled-no-code": {"end": "signalled"}, "found-with-code": {"code": 0, "end": "found"},
        "blocked-with-why": {"end": "blocked", "why": "x"}, "could-not-start-no-why": {"end": "could-not-start"},
        "not-found-no-why": {"end": "not-found"}, "exited-with-why": {"code": 0, "end": "exited", "why": "x"},
        "code-null": {"code": None, "end": "timed-out"}, "code-too-great": {"code": 2**31, "end": "exited"},
        "code-text": {"code": "0", "end": "exited"}, "why-null": {"end": "found", "why": None},
        "matched-null": {"end": "found", "matched": None}, "leaked-null": {"end": "found", "leaked": None},
        "ms-negative": {"end": "found", "ms": -1}, "no-variables": {"end": "found", "variables": ...},
        "variables-numbers": {"end": "found", "variables": [1]}, "output-null": {"end": "found", "output": None},
        "output-no-bytes": {"end": "found", "output": {"sha256": ZERO}}, "program-null": {"end": "found", "program": None},
        "program-more": {"end": "found", "program": {"more": 1, "path": "/x", "sha256": ZERO}},
        "program-short": {"end": "found", "program": {"path": "/x", "sha256": "00"}}, "more": {"end": "found", "more": 1},
    }
    for fault, members in checks.items():
        whole = {name: value for name, value in bare(members).items() if value is not ...}
        yield f"body-of-audit-check-{fault}", of_kind("audit", put(AUDIT, check, whole))
    yield "body-of-seal-pins-and-kept", of_kind("seal", SEAL | {"pins": PINS, "pins_kept": KEPT})
    for fault, pins in faulty_pins().items():
        yield f"body-of-seal-pins-{fault}", of_kind("seal", SEAL | {"pins": pins})
    yield "body-of-seal-instance", of_kind("seal", INSTANCE)
    yield "body-of-audit-seal", of_kind("audit", SEAL)
    yield "body-of-audit-run", of_kind("audit", RUN)
    yield "body-of-run-audit", of_kind("run", AUDIT)


def faulty_pins():
    """Lists of pinned files with one fault each."""
    members = {
        "no-path": {"path": ...}, "no-fork": {"fork": ...}, "more": {"more": 1}, "fork-text": {"fork": "true"}, "fork-null": {"fork": None},
        "id-short": {"id": "4b82"}, "id-upper-case": {"id": TREE.upper()}, "mode-number": {"mode": 33188}, "mode-directory": {"mode": "040000"},
        "mode-group": {"mode": "100664"}, "mode-short": {"mode": "0"}, "path-empty": {"path": ""}, "path-absolute": {"path": "/a"},
        "path-directory": {"path": "a/"}, "path-above": {"path": "a/../b"}, "path-here": {"path": "./a"}, "path-number": {"path": 1},
        "path-open-escape": {"path": "a\\"}, "path-needless-escape": {"path": "\\x61"}, "path-upper-case-escape": {"path": "\\xFF"},
        "path-nul": {"path": "a\0b"}, "path-other-escape": {"path": "\\n"},
    }
    found = {"descending": PINS[::-1], "doubled": [PIN, PIN], "text": ["tests/a"]}
    for fault, change in members.items():
        found[fault] = [{name: value for name, value in (PIN | change).items() if value is not ...}]
    return found


def pins():
    good = canonical(PINS)
    yield "valid-pins", "pins", good
    yield "valid-none", "pins", "[]"
    for name, text in {
        "newline": good + "\n", "space": good.replace(":", ": ", 1), "object": "{}", "empty": "", "descending": canonical(PINS[::-1]),
        "other-order": good.replace('"fork":true,"id":"' + TREE + '"', '"id":"' + TREE + '","fork":true'),
        "not-utf8": good.encode().replace(b"tests/a", b"tests/\xff"),
    }.items():
        yield f"refused-{name}", "NotABody", text


def steps():
    good = canonical([STEP])
    yield "valid-steps", "steps", good
    yield "valid-none", "steps", "[]"
    for name, text in {
        "newline": good + "\n", "space": good.replace(":", ": ", 1), "object": "{}", "null": "null", "empty": "",
        "other-order": good.replace('"code":0,"end":"exited"', '"end":"exited","code":0'),
        "doubled-member": good.replace('"code":0', '"code":0,"code":0'),
        "more": canonical([STEP | {"more": 1}]), "end-unknown": good.replace("exited", "vanished"),
        "float": good.replace('"ms":7', '"ms":7.0'), "too-great": good.replace('"ms":7', f'"ms":{2**53}'),
        "byte-order-mark": "\ufeff" + good, "not-utf8": good.encode().replace(b"bin", b"\xff\xfe\xfd"),
    }.items():
        yield f"refused-{name}", "NotABody", text


def signed():
    """Signs one record with a key that is thrown away."""
    with tempfile.TemporaryDirectory() as scratch:
        key = pathlib.Path(scratch, "key")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "git plan-audit vector", "-f", key], check=True)
        shown = subprocess.run(["ssh-keygen", "-lf", key], check=True, capture_output=True, text=True).stdout.split()[1]
        text = hashed(header(writer=f'"ssh:{shown}"'))
        ran = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "git-plan-audit", "-f", key],
                             input=message(identified(text)), check=True, capture_output=True)
        blob = "".join(part for part in ran.stdout.decode().splitlines() if "SSH SIGNATURE" not in part)
        base64.b64decode(blob, validate=True)
        return line(text, f'{{"sshsig":"{blob}"}}')


def main():
    expected = []

    def keep(name, outcome, text, end=b"\n"):
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        (HERE / f"{name}.json").write_bytes(raw + end)
        expected.append(f"{name}.json\t{outcome}\n")

    for old in [*HERE.glob("*.json"), *HERE.glob("steps/*.json"), *HERE.glob("pins/*.json")]:
        if old.name != "valid-proof-sshsig.json":
            old.unlink()
    for name, outcome, text in valid():
        keep(f"valid-{name}", outcome, text)
    for name, outcome, text in [*refused_frame(), *refused_proof()]:
        keep(f"refused-{name}", outcome, text)
    for name, text in refused_members():
        keep(f"refused-{name}", "NotARecord", text)
    for name, text in refused_bodies():
        keep(f"refused-{name}", "NotABody", text)
    for name, outcome, text in steps():
        keep(f"steps/{name}", outcome, text, b"")
    for name, outcome, text in pins():
        keep(f"pins/{name}", outcome, text, b"")
    sshsig = HERE / "valid-proof-sshsig.json"
    if not sshsig.exists():
        sshsig.write_text(signed() + "\n")
    expected.append(f"{sshsig.name}\trecord\n")
    (HERE / "expected.tsv").write_text("file\toutcome\n" + "".join(sorted(expected)))


main()
