#!/usr/bin/env python3
"""Makes the vectors of supervisor.json and expected.tsv: what is read, or what the reader says is wrong."""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
LEDGER = "ab" * 32
DEFAULT = "standard - - 3"
NO_LEDGER = "ledger is not 64 lower-case hex digits"
NO_PROFILE = "profile is none of light, standard, strict"
NO_LIST = "allow_flags is no list"
NO_ATTEMPTS = "max_attempts is no whole number from 1 to 100"
VALID = {
    "empty": (DEFAULT, "{}"),
    "white-space": (DEFAULT, " \n{ }\n"),
    "profile-light": ("light - - 3", '{"profile":"light"}'),
    "profile-strict": ("strict - - 3", '{"profile":"Strict"}'),
    "ledger": (f"standard {LEDGER} - 3", f'{{"ledger":"{LEDGER}"}}'),
    "allow-flags": ("standard - eol,nested 3", '{"allow_flags":["nested","eol","nested"]}'),
    "allow-nothing": (DEFAULT, '{"allow_flags":[]}'),
    "anchors": (DEFAULT, json.dumps({"disregard_anchors": ["1" * 40, "2" * 64]})),
    "escaped": ("light - - 3", '{"pr\\u006ffile":"l\\u0069ght"}'),
    "of-plan-auditor": (DEFAULT, '{"heartbeat_sec":30,"retries":{"max":3,"wait":1.5},"note":"ü","on":true,"off":null}'),
    "attempts": ("standard - - 1", '{"max_attempts":1}'),
    "attempts-most": ("standard - - 100", '{"max_attempts":100}'),
    # A number that nobody asks for is left alone, however large.
    "beyond-double": (DEFAULT, '{"a":1e999}'),
}
# What is wrong, the text, and what of it is wrong.
REFUSED = {
    "nothing": ("the file ends before the JSON text does", "", ""),
    "not-utf8": ("the byte 0xff is not UTF-8 here", b'{\n"a":"\xff"}', b"\xff"),
    "byte-order-mark": ("the file begins with a byte order mark", "\ufeff{}", "\ufeff"),
    "comma": ("`}` cannot stand here", '{"profile":"light",\n}', "}"),
    "comment": ("`/` cannot stand here", "{} // light", "//"),
    "not-finite": ("NaN is no number of JSON", '{"a":NaN}', "NaN"),
    "half-pair": ("this escape is half of a surrogate pair and names no character", '{"a":"\\ud800"}', "\\ud800"),
    "too-deep": ("lists and objects are nested more than 64 deep", '{"a":' + "[" * 64 + "]" * 64 + "}", "[]"),
    "doubled": ("this key was there before in the same object", '{"profile":"light","profile":"strict"}', '"profile":"strict"'),
    "doubled-escaped": ("this key was there before in the same object", '{"profile":"light","pr\\u006ffile":"strict"}', '"pr\\u006f'),
    "doubled-inside": ("this key was there before in the same object", '{"retries":{"a":1,\n"a":1}}', '"a":1}'),
    "list": ("the root is no object", "[]", "["),
    "null": ("the root is no object", "null", "null"),
    "profile-unknown": (NO_PROFILE, '{"profile":"hard"}', '"hard'),
    "profile-blank": (NO_PROFILE, '{"profile":" light"}', '" light'),
    "profile-other-letters": (NO_PROFILE, '{"profile":"ſtrict"}', '"ſtrict'),
    "profile-null": (NO_PROFILE, '{"profile":null}', "null"),
    "profile-number": (NO_PROFILE, '{"profile":1}', "1"),
    "ledger-short": (NO_LEDGER, json.dumps({"ledger": LEDGER[1:]}), f'"{LEDGER[1:]}'),
    "ledger-upper-case": (NO_LEDGER, json.dumps({"ledger": LEDGER.upper()}), f'"{LEDGER.upper()}'),
    "ledger-null": (NO_LEDGER, '{"ledger":null}', "null"),
    "ledger-list": (NO_LEDGER, json.dumps({"ledger": [LEDGER]}), "["),
    "allow-flags-text": (NO_LIST, '{"allow_flags":"nested"}', '"nested'),
    "allow-flags-null": (NO_LIST, '{"allow_flags":null}', "null"),
    "allow-flags-object": (NO_LIST, '{"allow_flags":{"nested":true}}', '{"nested'),
    "flag-unknown": ('allow_flags names `shiny`, which is no flag that disqualifies', '{"allow_flags":["nested","shiny"]}', '"shiny'),
    "flag-upper-case": ('allow_flags names `Nested`, which is no flag that disqualifies', '{"allow_flags":["Nested"]}', '"Nested'),
    "flag-harmless": ('allow_flags names `renormalise`, which is no flag that disqualifies', '{"allow_flags":["renormalise"]}', '"renormalise'),
    "flag-number": ("allow_flags names a number, which is no flag", '{"allow_flags":[1]}', "1"),
    "anchors-text": ("disregard_anchors is no list", json.dumps({"disregard_anchors": "1" * 40}), '"1111'),
    "anchors-short": ("disregard_anchors names what is no commit id in full", '{"disregard_anchors":["1111111"]}', '"1111'),
    "flag-any": ('allow_flags names `*`, which is no flag that disqualifies', '{"allow_flags":["*"]}', '"*'),
    "attempts-zero": (NO_ATTEMPTS, '{"max_attempts":0}', '0'),
    "attempts-many": (NO_ATTEMPTS, '{"max_attempts":101}', '101'),
    "attempts-negative": (NO_ATTEMPTS, '{"max_attempts":-1}', '-1'),
    "attempts-fraction": (NO_ATTEMPTS, '{"max_attempts":3.0}', '3.0'),
    "attempts-exponent": (NO_ATTEMPTS, '{"max_attempts":1e1}', '1e1'),
    "attempts-text": (NO_ATTEMPTS, '{"max_attempts":"3"}', '"3"'),
    "attempts-true": (NO_ATTEMPTS, '{"max_attempts":true}', 'true'),
    "attempts-null": (NO_ATTEMPTS, '{"max_attempts":null}', 'null'),
    "attempts-list": (NO_ATTEMPTS, '{"max_attempts":[3]}', '[3]'),
    "attempts-huge": (NO_ATTEMPTS, '{"max_attempts":18446744073709551617}', '18446744073709551617'),
}


def place(text, wrong):
    """Returns line and column of the last place of something wrong, counted in characters from 1."""
    if isinstance(text, bytes):
        text, wrong = text.decode("latin-1"), wrong.decode("latin-1")
    before = text[: text.rindex(wrong)]
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def main():
    rows = []
    for old in HERE.glob("*.json"):
        old.unlink()
    for start, vectors in [("valid", VALID), ("refused", REFUSED)]:
        for name, (outcome, text, *wrong) in vectors.items():
            outcome = f"{place(text, wrong[0])} {outcome}" if wrong else outcome
            (HERE / f"{start}-{name}.json").write_bytes(text if isinstance(text, bytes) else text.encode())
            rows.append(f"{start}-{name}.json\t{outcome}\n")
    (HERE / "expected.tsv").write_text("file\toutcome\n" + "".join(sorted(rows)))


main()
