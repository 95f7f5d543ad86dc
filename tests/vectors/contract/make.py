#!/usr/bin/env python3
"""Makes the vectors of contracts and expected.tsv: what is read, or why the bytes are no contract.

What every plan file must keep has its vectors in ../plan; here is what only the canonical form has.
"""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
RUN = {
    "argv": ["true"], "env": [], "expect_exit": 0, "max_output_bytes": 2000000, "output_regex": None, "timeout_ms": 300000,
    "type": "run",
}


def step(number, **changes):
    members = {
        "covers": [], "creates": [], "deletes": [], "depends_on": [], "exclusive": False, "id": number, "inputs": [], "modifies": [],
        "outputs": [], "requires_outputs": [], "title": "x", "uses_symbol": [], "verify": [RUN],
    }
    return members | changes


def contract(*steps, **changes):
    members = {
        "claims": [], "created": "2026-11-29", "pins": [], "required_tools": [], "requirements": [], "scope": [], "steps": list(steps),
        "task": "x",
    }
    return members | changes


def canonical(value):
    """Writes a value whose keys are ASCII in RFC 8785 form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


ONE = contract(step(1))
OUTPUT = {"name": "bin", "verify": [{"path": "a", "type": "file_exists"}]}
BACKED = [step(1, outputs=[OUTPUT]), step(2, depends_on=[1], requires_outputs=[{"name": "bin", "step": 1}])]
REQUIREMENT = {"description": "works", "id": "R1", "priority": "must"}
CHECKS = [
    RUN | {"argv": ["a b", "ü"], "env": ["HOME"], "expect_exit": -9, "output_regex": "^ok$", "timeout_ms": 1},
    {name: value for name, value in RUN.items() if name != "argv"} | {"args": [], "type": "pytest", "timeout_ms": 86400000},
    {"path": "a", "type": "file_exists"},
    {"max_bytes": 1024, "path": "a", "pattern": "x", "type": "regex"},
]
CLAIM = {"criticality": "high", "expect": True, "id": "C1", "path": "a", "steps": [], "type": "path_exists"}
CLAIMS = [
    CLAIM | {"because": "x", "kind": "file", "steps": [1]},
    {"criticality": "low", "expect": False, "id": "C2", "literal": "x", "paths": ["a/**"], "steps": [], "type": "text_absent"},
    {"criticality": "medium", "expect": True, "id": "C3", "max": 2, "min": 1, "paths": ["a"], "steps": [], "type": "glob_count"},
]
VALID = {
    "smallest": ONE,
    "claim-that-holds-on": contract(step(1), claims=[CLAIM | {"hold": True}]),
    "claims": contract(step(1), claims=CLAIMS),
    "every-check": contract(step(1, verify=CHECKS)),
    "sequence": contract(step(1), step(2, depends_on=[1])),
    "graph": contract(*BACKED, step(3)),
    "every-member": contract(
        step(1, covers=["R1"], creates=["c"], deletes=["d"], exclusive=True, inputs=["src/**"], modifies=["m"], uses_symbol=["f"]),
        pins=["tests/**"], required_tools=["cc"], requirements=[REQUIREMENT], scope=["src/**"],
    ),
}


def respelled():
    """Bytes that mean a contract and are spelled otherwise."""
    text = canonical(ONE)
    yield "space", text.replace("{", "{ ", 1)
    yield "newline", text + "\n"
    yield "other-order", json.dumps(dict(reversed(ONE.items())), separators=(",", ":"))
    yield "needless-escape", text.replace('"task":"x"', '"task":"\\u0078"')
    yield "slash-escaped", canonical(contract(step(1), task="a/b")).replace("a/b", "a\\/b")
    yield "upper-case-escape", canonical(contract(step(1), task="a\x1f")).replace("\\u001f", "\\u001F")
    for name in ["claims", "pins", "scope", "required_tools", "requirements"]:
        yield f"no-{name}", canonical({key: value for key, value in ONE.items() if key != name})
    for name in ["covers", "depends_on", "exclusive", "outputs", "requires_outputs", "uses_symbol"]:
        only = {key: value for key, value in step(1).items() if key != name}
        yield f"no-{name}", canonical(contract(only))
    for name in ["env", "expect_exit", "max_output_bytes", "output_regex", "timeout_ms"]:
        only = {key: value for key, value in RUN.items() if key != name}
        yield f"no-{name}", canonical(contract(step(1, verify=[only])))
    yield "timeout-seconds", text.replace('"timeout_ms":300000', '"timeout":300')
    yield "timeout-both", text.replace('"timeout_ms":300000', '"timeout":300,"timeout_ms":300000')
    yield "exec", text.replace('"type":"run"', '"type":"exec"')
    yield "cmd", text.replace('"argv":["true"]', '"cmd":"true"')
    yield "args-text", canonical(VALID["every-check"]).replace('"args":[]', '"args":""')
    yield "outputs-null", text.replace('"outputs":[]', '"outputs":null')
    yield "extension-key", text.replace('"task"', '"x-a":1,"task"')
    yield "status", text.replace('"title"', '"status":1,"title"')
    yield "snapshot", text.replace('"scope"', '"snapshot":[],"scope"')
    yield "requirement-text", canonical(contract(step(1, covers=["REQ-001"]), requirements=["works"]))
    yield "priority-upper-case", canonical(contract(step(1, covers=["R1"]), requirements=[REQUIREMENT | {"priority": "MUST"}]))
    only = {key: value for key, value in CLAIM.items() if key != "steps"}
    yield "claim-no-steps", canonical(contract(step(1), claims=[only]))
    yield "claim-hold-false", canonical(contract(step(1), claims=[CLAIM | {"hold": False}]))
    yield "claim-extension-key", canonical(contract(step(1), claims=[CLAIM | {"x-a": 1}]))
    yield "id-untrimmed", canonical(contract(step(1, covers=["R1"]), requirements=[REQUIREMENT | {"id": " R1"}]))


def invalid():
    """Bytes that break a rule, and where the first fault lies."""
    text = canonical(ONE)
    yield "nothing", "$", ""
    yield "null", "$", "null"
    yield "list", "$", "[]"
    yield "byte-order-mark", "$", "\ufeff" + text
    yield "not-utf8", "$", text.encode().replace(b'"x"', b'"\xff"', 1)
    yield "two", "$", text + text
    yield "doubled-key", "$.task", text.replace('"task":"x"', '"task":"x","task":"x"')
    yield "claims", "$.claims[0]", canonical(contract(step(1), claims=[{}]))
    yield "claim-unknown-key", "$.claims[0].more", canonical(contract(step(1), claims=[CLAIM | {"more": 1}]))
    yield "claim-unsupported", "$.claims[0].type", canonical(contract(step(1), claims=[CLAIM | {"type": "schema_constraint"}]))
    yield "unknown-key", "$.more", canonical(ONE | {"more": 1})
    yield "no-task", "$", canonical({key: value for key, value in ONE.items() if key != "task"})
    yield "no-steps", "$.steps", canonical(contract())
    yield "step-id-zero", "$.steps[0].id", canonical(contract(step(0)))
    yield "step-id-float", "$.steps[0].id", text.replace('"id":1', '"id":1.0')
    yield "step-twice", "$.steps[1].id", canonical(contract(step(1), step(1)))
    yield "depends-on-unknown", "$.steps[0].depends_on[0]", canonical(contract(step(1, depends_on=[2])))
    yield "depends-on-circle", "$.steps[0].depends_on[0]", canonical(contract(step(1, depends_on=[2]), step(2, depends_on=[1])))
    yield "edge-not-backed", "$.steps[1].depends_on[0]", canonical(contract(step(1), step(2, depends_on=[1]), step(3, depends_on=[1])))
    yield "covers-unknown", "$.steps[0].covers[0]", canonical(contract(step(1, covers=["R1"])))
    yield "must-not-covered", "$.requirements[0].id", canonical(contract(step(1), requirements=[REQUIREMENT]))
    yield "argv-empty", "$.steps[0].verify[0].argv", canonical(contract(step(1, verify=[RUN | {"argv": []}])))
    yield "timeout-zero", "$.steps[0].verify[0].timeout_ms", canonical(contract(step(1, verify=[RUN | {"timeout_ms": 0}])))
    yield "timeout-too-long", "$.steps[0].verify[0].timeout_ms", canonical(contract(step(1, verify=[RUN | {"timeout_ms": 86400001}])))
    yield "timeout-fraction", "$.steps[0].verify[0].timeout_ms", canonical(contract(step(1, verify=[RUN | {"timeout_ms": 1.5}])))
    yield "timeout-null", "$.steps[0].verify[0].timeout_ms", canonical(contract(step(1, verify=[RUN | {"timeout_ms": None}])))
    yield "exit-null", "$.steps[0].verify[0].expect_exit", canonical(contract(step(1, verify=[RUN | {"expect_exit": None}])))
    yield "regex-broken", "$.steps[0].verify[0].output_regex", canonical(contract(step(1, verify=[RUN | {"output_regex": "("}])))
    yield "env-of-git", "$.steps[0].verify[0].env[0]", canonical(contract(step(1, verify=[RUN | {"env": ["GIT_DIR"]}])))
    yield "shell", "$.steps[0].verify[0].type", canonical(contract(step(1, verify=[RUN | {"type": "shell"}])))
    yield "path-outside", "$.steps[0].creates[0]", canonical(contract(step(1, creates=["../x"])))
    yield "pin-outside", "$.pins[0]", canonical(contract(step(1), pins=["../x"]))


def main():
    rows = []

    def keep(name, outcome, text):
        (HERE / f"{name}.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        rows.append(f"{name}.json\t{outcome}\n")

    for old in HERE.glob("*.json"):
        old.unlink()
    for name, value in VALID.items():
        keep(f"valid-{name}", "contract", canonical(value))
    for name, text in respelled():
        keep(f"refused-spelling-{name}", "NotCanonical", text)
    for name, path, text in invalid():
        keep(f"refused-{name}", f"Invalid {path}", text)
    (HERE / "expected.tsv").write_text("file\toutcome\n" + "".join(sorted(rows)))


main()
