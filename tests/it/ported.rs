//! Plans in the manner of plan-auditor's documents, written anew: they validate unchanged and end in
//! PASS in a repository whose .gitignore is empty.

use serde_json::{Value, json};

use crate::support::{World, need};

/// Seals, audits and commits a plan beside these files, and demands that HEAD is proven.
fn ends_in_a_pass(plan: &Value, files: &[(&str, &str)]) {
    let world = World::new();
    world.write(".gitignore", "");
    world.write(
        ".plan-auditor/plan.json",
        serde_json::to_string_pretty(plan).unwrap(),
    );
    for (path, text) in files {
        world.write(path, text);
    }
    world.init();
    world.git(["add", "-A"]);

    world.json(["validate"]).is("OK", 0);
    world.seal();
    let audit = world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Do the work"]);

    assert_eq!(audit.at("/plans/default/usable"), true, "{}", audit.ran);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_first_plan_of_one_step_ends_in_a_pass() {
    if !need("python3") {
        return;
    }
    let plan = json!({
        "id": "greeting",
        "task": "Add a module that greets",
        "created": "2026-01-05T09:30:00",
        "requirements": ["greet(name) returns a greeting"],
        "steps": [{
            "id": 1,
            "title": "Write greet.py",
            "status": "pending",
            "covers": ["REQ-001"],
            "verify": [
                { "type": "file_exists", "path": "greet.py" },
                { "type": "regex", "path": "greet.py", "pattern": "def greet\\(" },
                { "type": "run", "cmd": "python3 -c \"import greet; assert greet.greet('Ada') == 'Hello, Ada'\"",
                  "timeout": 60 }
            ]
        }]
    });

    ends_in_a_pass(
        &plan,
        &[(
            "greet.py",
            "def greet(name):\n    return f'Hello, {name}'\n",
        )],
    );
}

#[test]
fn the_plan_of_a_number_series_with_pytest_ends_in_a_pass() {
    if !need("pytest") {
        return;
    }
    let plan = json!({
        "task": "Write fib(n) with tests",
        "created": "2026-01-05T09:30:00Z",
        "requirements": [
            { "id": "REQ-1", "description": "fib(n) returns the n-th number", "priority": "must" },
            { "id": "REQ-2", "description": "a negative n is refused", "priority": "should" },
            { "id": "REQ-3", "description": "it is quick", "priority": "may" }
        ],
        "required_tools": ["python3"],
        "snapshot": ["fib.py", "test_fib.py"],
        "steps": [
            {
                "id": 1, "title": "Write fib.py", "covers": ["REQ-1"], "depends_on": [],
                "outputs": [{ "name": "module", "verify": [{ "type": "file_exists", "path": "fib.py" }] }],
                "verify": [{ "type": "exec", "argv": ["python3", "-c", "import fib; print(fib.fib(10))"],
                             "output_regex": "(?m)^55$" }]
            },
            {
                "id": 2, "title": "Test it", "covers": ["REQ-1", "REQ-2"], "depends_on": [1],
                "requires_outputs": [{ "step": 1, "name": "module" }],
                "verify": [{ "type": "pytest", "args": "-q test_fib.py", "timeout": 120 }]
            }
        ]
    });
    let module = "def fib(n):\n    if n < 0:\n        raise ValueError(n)\n    a, b = 0, 1\n    \
                  for _ in range(n):\n        a, b = b, a + b\n    return a\n";
    let tests = "import pytest\nfrom fib import fib\n\n\ndef test_first():\n    \
                 assert [fib(n) for n in range(5)] == [0, 1, 1, 2, 3]\n\n\ndef test_negative():\n    \
                 with pytest.raises(ValueError):\n        fib(-1)\n";

    ends_in_a_pass(&plan, &[("fib.py", module), ("test_fib.py", tests)]);
}

#[test]
fn a_plan_of_steps_in_sequence_as_an_agent_writes_it_ends_in_a_pass() {
    if !need("python3") {
        return;
    }
    let plan = json!({
        "task": "Count words in a file from the command line",
        "created": "2026-01-05",
        "requirements": [
            { "id": "R1", "description": "prints the number of words", "priority": "MUST" },
            { "id": "R2", "description": "a missing file gives exit code 2" }
        ],
        "steps": [
            { "id": 10, "title": "Count", "status": "verified", "covers": ["R1"],
              "verify": [{ "type": "run", "argv": ["python3", "count.py", "words.txt"], "output_regex": "^3\\s*$" }] },
            { "id": 20, "title": "Refuse", "status": "pending", "covers": ["R2"],
              "verify": [{ "type": "exec", "cmd": "python3 count.py missing.txt", "expect_exit": 2 }] }
        ]
    });
    let program = "import sys\ntry:\n    print(len(open(sys.argv[1]).read().split()))\n\
                   except FileNotFoundError:\n    sys.exit(2)\n";

    ends_in_a_pass(
        &plan,
        &[("count.py", program), ("words.txt", "one two three\n")],
    );
}
