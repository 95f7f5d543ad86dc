#!/usr/bin/env python3
"""Makes the vectors of supervisor.json and expected.tsv: what is read, or what the reader says is wrong."""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
LEDGER = "ab" * 32
DEFAULT = "standard - -"
NO_LEDGER = "ledger is not 64 lower-case hex digits"
NO_PROFILE = "profile is none of light, standard, strict"
NO_LIST = "allow_flags is no list"
VALID = {
    "empty": (DEFAULT, "{}"),
    "white-space": (DEFAULT, " \n{ }\n"),
    "profile-light": ("light - -", '{"profile":"light"}'),
    "profile-strict": ("strict - -", '{"profile":"Strict"}'),
    "ledger": (f"standard {LEDGER} -", f'{{"ledger":"{LEDGER}"}}'),
    "allow-flags": ("standard - eol,nested", '{"allow_flags":["nested","eol","nested"]}'),
    "allow-nothing": (DEFAULT, '{"allow_flags":[]}'),
    "escaped": ("light - -", '{"pr\\u006ffile":"l\\u0069ght"}'),
    "of-plan-auditor": ("standard - -", '{"heartbeat_sec":30,"retries":{"max":3,"wait":1.5},"note":"ü","on":true,"off":null}'),
}
REFUSED = {
    "nothing": ("line 1: the file ends before the JSON text does", ""),
    "not-utf8": ("line 2: the byte 0xff is not UTF-8 here", b'{\n"a":"\xff"}'),
    "byte-order-mark": ("line 1: the file begins with a byte order mark", "\ufeff{}"),
    "comma": ("line 2: `}` cannot stand here", '{"profile":"light",\n}'),
    "comment": ("line 1: `/` cannot stand here", "{} // light"),
    "not-finite": ("line 1: NaN is no number of JSON", '{"a":NaN}'),
    "beyond-double": ("number out of range at line 1 column 10", '{"a":1e999}'),
    "half-pair": ("line 1: this escape is half of a surrogate pair and names no character", '{"a":"\\ud800"}'),
    "too-deep": ("line 1: lists and objects are nested more than 64 deep", '{"a":' + "[" * 64 + "]" * 64 + "}"),
    "doubled": ("line 1: this key was there before in the same object", '{"profile":"light","profile":"strict"}'),
    "doubled-escaped": ("line 1: this key was there before in the same object", '{"profile":"light","pr\\u006ffile":"strict"}'),
    "doubled-inside": ("line 2: this key was there before in the same object", '{"retries":{"a":1,\n"a":1}}'),
    "list": ("the root is no object", "[]"),
    "null": ("the root is no object", "null"),
    "profile-unknown": (NO_PROFILE, '{"profile":"hard"}'),
    "profile-blank": (NO_PROFILE, '{"profile":" light"}'),
    "profile-other-letters": (NO_PROFILE, '{"profile":"ſtrict"}'),
    "profile-null": (NO_PROFILE, '{"profile":null}'),
    "profile-number": (NO_PROFILE, '{"profile":1}'),
    "ledger-short": (NO_LEDGER, json.dumps({"ledger": LEDGER[1:]})),
    "ledger-upper-case": (NO_LEDGER, json.dumps({"ledger": LEDGER.upper()})),
    "ledger-null": (NO_LEDGER, '{"ledger":null}'),
    "ledger-list": (NO_LEDGER, json.dumps({"ledger": [LEDGER]})),
    "allow-flags-text": (NO_LIST, '{"allow_flags":"nested"}'),
    "allow-flags-null": (NO_LIST, '{"allow_flags":null}'),
    "allow-flags-object": (NO_LIST, '{"allow_flags":{"nested":true}}'),
    "flag-unknown": ('allow_flags names "shiny", which is no flag that disqualifies', '{"allow_flags":["nested","shiny"]}'),
    "flag-upper-case": ('allow_flags names "Nested", which is no flag that disqualifies', '{"allow_flags":["Nested"]}'),
    "flag-harmless": ('allow_flags names "renormalise", which is no flag that disqualifies', '{"allow_flags":["renormalise"]}'),
    "flag-number": ("allow_flags names 1, which is no flag that disqualifies", '{"allow_flags":[1]}'),
    "flag-any": ('allow_flags names "*", which is no flag that disqualifies', '{"allow_flags":["*"]}'),
}


def main():
    rows = []
    for old in HERE.glob("*.json"):
        old.unlink()
    for start, vectors in [("valid", VALID), ("refused", REFUSED)]:
        for name, (outcome, text) in vectors.items():
            (HERE / f"{start}-{name}.json").write_bytes(text if isinstance(text, bytes) else text.encode())
            rows.append(f"{start}-{name}.json\t{outcome}\n")
    (HERE / "expected.tsv").write_text("file\toutcome\n" + "".join(sorted(rows)))


main()
