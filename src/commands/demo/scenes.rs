//! The scenes of the demo, as data.

/// One scene: what it shows, files it writes, commands with the exit codes they must give.
pub(super) struct Scene {
    /// What it shows.
    pub(super) title: &'static str,
    /// Files to write first.
    pub(super) writes: &'static [(&'static str, &'static str)],
    /// Arguments of git, and the exit code that is expected.
    pub(super) commands: &'static [(&'static [&'static str], u8)],
}

/// The plan of the demo.
const PLAN: &str = r#"{
  "task": "Greet the user by name",
  "created": "2026-01-01T00:00:00Z",
  "requirements": [
    { "id": "R1", "description": "greet.sh greets whom it is told", "priority": "must" }
  ],
  "steps": [
    {
      "id": 1,
      "title": "Write greet.sh",
      "covers": ["R1"],
      "verify": [
        { "type": "file_exists", "path": "greet.sh" },
        { "type": "run", "argv": ["sh", "greet.sh", "Ada"], "output_regex": "^Hello, Ada!" }
      ]
    }
  ]
}
"#;

/// Every scene, in order.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        title: "1. A repository, a key, and a plan with a machine check",
        writes: &[],
        commands: &[
            (&["init", "--quiet"], 0),
            (&["plan-audit", "init", "--no-hooks"], 0),
        ],
    },
    Scene {
        title: "2. The plan is sealed: nothing unsealed is ever executed",
        writes: &[
            (".plan-auditor/plan.json", PLAN),
            ("greet.sh", "echo \"Hello, world!\"\n"),
        ],
        commands: &[(&["add", "."], 0), (&["plan-audit", "seal"], 0)],
    },
    Scene {
        title: "3. \"Done\", says the agent. It is not: the audit fails",
        writes: &[],
        commands: &[(&["plan-audit", "audit"], 1)],
    },
    Scene {
        title: "4. Now it is fixed; the audit passes, and so does the commit",
        writes: &[("greet.sh", "echo \"Hello, $1!\"\n")],
        commands: &[
            (&["add", "."], 0),
            (&["plan-audit", "audit"], 0),
            (&["commit", "--quiet", "-m", "Greet by name"], 0),
            (&["plan-audit", "verify", "HEAD"], 0),
        ],
    },
    Scene {
        title: "5. Evidence belongs to the tree: an amended message is still proven",
        writes: &[],
        commands: &[
            (
                &[
                    "commit",
                    "--quiet",
                    "--amend",
                    "-m",
                    "Greet the user by name",
                ],
                0,
            ),
            (&["plan-audit", "verify", "HEAD"], 0),
        ],
    },
    Scene {
        title: "6. A weaker plan in place of the sealed one is refused, and nothing runs",
        writes: &[(".plan-auditor/plan.json", WEAKER)],
        commands: &[
            (&["plan-audit", "audit"], 2),
            (&["checkout", "--quiet", "--", ".plan-auditor/plan.json"], 0),
        ],
    },
    Scene {
        title: "7. One changed byte, and the evidence does not fit any more",
        writes: &[("greet.sh", "echo \"Hello, $1?\"\n")],
        commands: &[
            (&["commit", "--quiet", "-am", "Ask instead"], 0),
            (&["plan-audit", "verify", "HEAD"], 1),
        ],
    },
    Scene {
        title: "8. Evidence copied to another commit, or made up, does not count",
        writes: &[],
        commands: &[
            (
                &[
                    "notes",
                    "--ref=plan-audit",
                    "copy",
                    BEFORE_THE_FIRST_COMMIT,
                    "HEAD",
                ],
                0,
            ),
            (
                &["notes", "--ref=plan-audit", "append", "-m", FORGED, "HEAD"],
                0,
            ),
            (&["plan-audit", "verify", "HEAD"], 1),
            (&["plan-audit", "log"], 0),
        ],
    },
];

/// A plan whose check always passes.
const WEAKER: &str = r#"{
  "task": "Greet the user by name",
  "created": "2026-01-01T00:00:00Z",
  "requirements": [
    { "id": "R1", "description": "greet.sh greets whom it is told", "priority": "must" }
  ],
  "steps": [
    {
      "id": 1,
      "title": "Write greet.sh",
      "covers": ["R1"],
      "verify": [{ "type": "run", "argv": ["true"] }]
    }
  ]
}
"#;

/// The empty tree: what was recorded before the first commit hangs on it.
const BEFORE_THE_FIRST_COMMIT: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// A line that looks like a record and is none.
const FORGED: &str = r#"{"v":1,"kind":"audit","body":{"outcome":"PASS"}}"#;
