#!/usr/bin/env python3
"""Makes the vectors of this tool's own local files, a folder for each kind, and expected.tsv.

What only a file system can hold (links, pipes, directories in the place of a file) is made by the tests.
"""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
ONES = "1" * 64
TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
PENDING = {"v": 1, "target": TREE, "subject": "audit default: PASS", "lines": ["a line"], "kept": ["AP8="]}
GOOD = {
    "instance": {"v": 1, "repo": "ab" * 32, "inst": "cd" * 16, "place": ONES},
    "identity": {"v": 1, "common_dir": "/r/.git", "keys": [{"writer": "hmac:0123456789abcdef", "location": "/k"}]},
    "anchors": {"v": 1, "tip": TREE, "head": ONES, "recent": [PENDING]},
    "intents": {"v": 1, "plan": "default", "contract": ONES, "attempt": "07" * 16, "step": 1},
    "pending": PENDING,
    "unproven": {
        "v": 1,
        "repo": "ab" * 32,
        "inst": "cd" * 16,
        "target": TREE,
        "time": "2026-11-29T16:40:00Z",
        "subject": "audit default: PASS",
        "records": [{"kind": "audit", "body": "{}"}],
        "kept": ["AP8="],
        "seen": [ONES],
    },
}
WRONG = {
    "instance": {"repo": ["ab" * 31, "AB" * 32, 1, None], "inst": ["cd" * 15, "CD" * 16], "place": [1, None]},
    "identity": {"common_dir": [1], "keys": [None, {}, [1], [{"writer": "gpg:1", "location": "/k"}], [{"writer": "hmac:0123456789abcdef"}]]},
    "anchors": {"tip": ["4b825d", TREE.upper(), None], "head": ["1" * 63, 1], "recent": [None, [1], [{}], {}]},
    "intents": {"plan": ["a/b", "", None], "contract": ["1" * 63, None], "attempt": ["07" * 15, "AB" * 16, 7], "step": [-1, 1.5, "1", None]},
    "pending": {"target": ["HEAD", None], "subject": [1], "lines": ["a line", [1], None], "kept": [[1], "AP8="]},
    "unproven": {
        "repo": ["ab" * 31, None],
        "inst": ["cd" * 15, None],
        "target": ["HEAD", None],
        "time": ["2026-11-29", "2026-11-29T16:40:00+00:00", 1],
        "subject": [1],
        "records": [None, [1], [{"kind": "audit"}], [{"kind": 1, "body": "{}"}], [{"kind": "audit", "body": {}}]],
        "kept": [[1], "AP8="],
        "seen": ["1" * 64, ["1" * 63]],
    },
}


def line(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n"


def faults(kind):
    good = GOOD[kind]
    text = line(good)
    yield "empty", "Malformed", ""
    yield "no-json", "Malformed", "hello\n"
    yield "cut", "Malformed", text[: len(text) // 2]
    yield "not-utf8", "Malformed", text.encode().replace(b"1", b"\xff", 1)
    yield "byte-order-mark", "Malformed", "\ufeff" + text
    yield "too-deep", "Malformed", "[" * 500 + "]" * 500
    yield "list", "Spelling", line(list(good.values()))
    yield "more", "Malformed", line(good | {"more": 1})
    yield "doubled", "Malformed", text.replace('"v":1', '"v":1,"v":1')
    yield "version-2", "Malformed", line(good | {"v": 2})
    yield "version-0", "Malformed", line(good | {"v": 0})
    yield "version-text", "Malformed", line(good | {"v": "1"})
    yield "other-order", "Spelling", line(dict(reversed(good.items())))
    yield "spaces", "Spelling", json.dumps(good) + "\n"
    yield "escaped", "Spelling", text.replace('"v"', '"\\u0076"')
    yield "no-newline", "Spelling", text[:-1]
    yield "two-newlines", "Spelling", text + "\n"
    yield "carriage-return", "Spelling", text.replace("\n", "\r\n")
    yield "twice", "Malformed", text + text
    for name in good:
        yield f"no-{name}", "Malformed", line({key: value for key, value in good.items() if key != name})
    for name, values in WRONG[kind].items():
        for number, value in enumerate(values, 1):
            yield f"{name}-{number}", "Malformed", line(good | {name: value})


def main():
    rows = []

    def keep(kind, name, outcome, text):
        (HERE / kind).mkdir(exist_ok=True)
        (HERE / kind / f"{name}.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        rows.append(f"{kind}/{name}.json\t{outcome}\n")

    for old in HERE.glob("*/*.json"):
        old.unlink()
    for kind, good in GOOD.items():
        keep(kind, "valid", "read", line(good))
        for name, outcome, text in faults(kind):
            keep(kind, f"refused-{name}", outcome, text)
    keep("pending", "refused-kept-not-base64", "Kept", line(GOOD["pending"] | {"kept": ["A?=="]}))
    keep("pending", "refused-kept-unpadded", "Kept", line(GOOD["pending"] | {"kept": ["AP8"]}))
    unproven = GOOD["unproven"]
    keep("unproven", "refused-kept-not-base64", "Kept", line(unproven | {"kept": ["A?=="]}))
    keep("unproven", "refused-kind-unknown", "Kind", line(unproven | {"records": [{"kind": "vow", "body": "{}"}]}))
    keep("identity", "valid-no-keys", "read", line(GOOD["identity"] | {"keys": []}))
    (HERE / "expected.tsv").write_text("file\toutcome\n" + "".join(sorted(rows)))


main()
