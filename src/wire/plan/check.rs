//! Reads checks into their normal form: `exec` is `run`, `cmd` is split, defaults are filled in.

use super::members::{Empty, Members, Shape};
use super::reader::Reader;
use super::{limits, row, suggest, words};
use crate::model::check::{Check, DEFAULT_MAX_BYTES};
use crate::wire::strict::{Member, Node, Value, quoted};

/// What a list of checks must prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// At least one check must run a program.
    Behaviour,
    /// Any check will do.
    Any,
}

/// The keys that are refused with a reason of their own, whatever their value.
const SHELL: &str = "shell";
const FORMAL_PLANNING: &str = "formal_planning";

/// One type of check in the plan format.
#[derive(Debug)]
struct Type {
    word: &'static str,
    shape: Shape,
    runs_program: bool,
    read: fn(&mut Reader<'_>, &Members<'_>) -> Option<Check>,
}

/// Every type of check.
static TYPES: [Type; 5] = [
    command("run", "a `run` check"),
    command("exec", "an `exec` check"),
    Type {
        word: "pytest",
        shape: Shape {
            what: "a `pytest` check",
            keys: &[
                "type",
                "args",
                "timeout",
                "expect_exit",
                "max_output_bytes",
                "output_regex",
                "env",
                SHELL,
                FORMAL_PLANNING,
            ],
            contract_keys: &["timeout_ms"],
            ignored: &[],
        },
        runs_program: true,
        read: pytest,
    },
    Type {
        word: "file_exists",
        shape: Shape {
            what: "a `file_exists` check",
            keys: &["type", "path", SHELL, FORMAL_PLANNING],
            contract_keys: &[],
            ignored: &[],
        },
        runs_program: false,
        read: file_exists,
    },
    Type {
        word: "regex",
        shape: Shape {
            what: "a `regex` check",
            keys: &[
                "type",
                "path",
                "pattern",
                "max_bytes",
                SHELL,
                FORMAL_PLANNING,
            ],
            contract_keys: &[],
            ignored: &[],
        },
        runs_program: false,
        read: regex,
    },
];

/// Makes a type of check that runs a program.
const fn command(word: &'static str, what: &'static str) -> Type {
    let keys = &[
        "type",
        "argv",
        "cmd",
        "timeout",
        "expect_exit",
        "max_output_bytes",
        "output_regex",
        "env",
        SHELL,
        FORMAL_PLANNING,
    ];
    let shape = Shape {
        what,
        keys,
        contract_keys: &["timeout_ms"],
        ignored: &[],
    };
    Type {
        word,
        shape,
        runs_program: true,
        read: run,
    }
}

/// Reads the checks of a step or an output.
pub(super) fn read_all(
    reader: &mut Reader<'_>,
    of: &Members<'_>,
    proof: Proof,
) -> Option<Vec<Check>> {
    let node = reader.required(of, "verify")?;
    let checks = reader.list(node, Empty::Refused, read);
    if proof == Proof::Behaviour && proves_nothing(node) {
        let message = "no check here runs a program, so nothing proves the step";
        let hint = Some("add a check of type `run` or `pytest`".to_owned());
        reader.refuse_hinted(
            &row::NO_BEHAVIOURAL_CHECK,
            &node.spot.opening(),
            message,
            hint,
        );
    }
    checks.whole()
}

/// Says whether checks are all of types that run nothing; not so if a type cannot be read.
fn proves_nothing(checks: &Node) -> bool {
    let Value::List(checks) = &checks.value else {
        return false;
    };
    let runs_nothing = |check| type_of(check).is_some_and(|found| !found.runs_program);
    !checks.is_empty() && checks.iter().all(runs_nothing)
}

/// Returns the type of a check, if it has a known one.
fn type_of(check: &Node) -> Option<&'static Type> {
    let Value::Object(members) = &check.value else {
        return None;
    };
    let Value::Text(word) = &members
        .iter()
        .find(|member| member.key == "type")?
        .node
        .value
    else {
        return None;
    };
    known_type(word)
}

fn known_type(word: &str) -> Option<&'static Type> {
    TYPES.iter().find(|known| known.word == word)
}

/// Reads one check.
fn read(reader: &mut Reader<'_>, node: &Node) -> Option<Check> {
    let Some(found) = type_of(node) else {
        refuse_type(reader, node);
        return None;
    };
    let members = reader.object(node, &found.shape)?;
    for (key, refuse) in REFUSED {
        if let Some(member) = members.member(key) {
            refuse(reader, member);
        }
    }
    (found.read)(reader, &members)
}

/// Says why a key is refused.
type Refusal = fn(&mut Reader<'_>, &Member);

/// The keys that are refused by name.
const REFUSED: [(&str, Refusal); 2] = [
    (SHELL, refuse_shell),
    (FORMAL_PLANNING, refuse_formal_planning),
];

fn refuse_shell(reader: &mut Reader<'_>, member: &Member) {
    let message = "checks run programs without a shell; `shell` is refused whatever it says";
    let hint = Some(r#"name the shell as the program: "argv": ["sh", "-c", "…"]"#.to_owned());
    reader.refuse_hinted(&row::SHELL_REFUSED, &member.key_spot, message, hint);
}

fn refuse_formal_planning(reader: &mut Reader<'_>, member: &Member) {
    let message = "formal planning searches a model that the plan brings along; \
                   it proves nothing about the code and is not supported";
    reader.refuse(&row::FORMAL_PLANNING_REFUSED, &member.key_spot, message);
}

/// Says what is wrong with a check that has no known type.
fn refuse_type(reader: &mut Reader<'_>, node: &Node) {
    let Value::Object(members) = &node.value else {
        reader.refuse_kind(node, "a check");
        return;
    };
    let Some(member) = members.iter().find(|member| member.key == "type") else {
        reader.refuse(
            &row::MISSING_KEY,
            &node.spot.opening(),
            "a check needs `type`",
        );
        return;
    };
    let Some(word) = reader.any_text(&member.node) else {
        return;
    };
    let nearest = suggest::nearest(&word, TYPES.iter().map(|known| known.word));
    let hint = match nearest {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "the types are run, exec, pytest, file_exists and regex".to_owned(),
    };
    let message = format!("there is no type of check {}", quoted(&word));
    reader.refuse_hinted(
        &row::CHECK_TYPE_UNKNOWN,
        &member.node.spot,
        message,
        Some(hint),
    );
}

/// Reads a check that runs a program.
fn run(reader: &mut Reader<'_>, check: &Members<'_>) -> Option<Check> {
    let argv = match (check.get("argv"), check.get("cmd")) {
        (Some(argv), None) => reader.list(argv, Empty::Refused, Reader::word).whole(),
        (None, Some(cmd)) => split(reader, cmd),
        (None, None) => {
            refuse_command(reader, check, "the check needs `argv` or `cmd`");
            None
        }
        (Some(_), Some(_)) => {
            refuse_command(reader, check, "the check has both `argv` and `cmd`");
            None
        }
    };
    let limits = limits::read(reader, check);
    Some(Check::Run {
        argv: argv?,
        limits: limits?,
    })
}

fn refuse_command(reader: &mut Reader<'_>, check: &Members<'_>, message: &str) {
    reader.refuse(&row::COMMAND_AMBIGUOUS, check.opening(), message);
}

/// Reads a command in one text.
fn split(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<String>> {
    let words = split_words(reader, node)?;
    if words.is_empty() {
        reader.refuse(&row::BLANK_TEXT, &node.spot, "the command has no word");
        return None;
    }
    Some(words)
}

/// Splits a text into words, none of them empty.
fn split_words(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<String>> {
    let command = reader.text(node)?;
    let Some(words) = words::split(&command) else {
        let message = "a quote in the command is not closed";
        reader.refuse(&row::CMD_UNSPLITTABLE, &node.spot, message);
        return None;
    };
    if words.iter().any(String::is_empty) {
        reader.refuse(
            &row::BLANK_TEXT,
            &node.spot,
            "the command has an empty word",
        );
        return None;
    }
    if let Some(word) = words::operator(&command) {
        let message = format!(
            "{} would be a plain argument: there is no shell",
            quoted(&word)
        );
        let hint = r#"make it two checks, name the shell ("argv": ["sh", "-c", "…"]), or quote what is an argument"#;
        reader.refuse_hinted(
            &row::LOOKS_LIKE_SHELL,
            &node.spot,
            message,
            Some(hint.to_owned()),
        );
        return None;
    }
    Some(words)
}

/// Reads a check that runs pytest.
fn pytest(reader: &mut Reader<'_>, check: &Members<'_>) -> Option<Check> {
    let args = reader.optional(check, "args", Vec::new(), pytest_args);
    let limits = limits::read(reader, check);
    Some(Check::Pytest {
        args: args?,
        limits: limits?,
    })
}

/// Reads the arguments of pytest, in one text or in a list.
fn pytest_args(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<String>> {
    match &node.value {
        Value::Text(text) if text.trim().is_empty() => Some(Vec::new()),
        Value::Text(_) => split_words(reader, node),
        Value::List(_) => reader.list(node, Empty::Allowed, Reader::word).whole(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            reader.refuse_kind(node, "a text or a list");
            None
        }
    }
}

/// Reads a check that asks for a file.
fn file_exists(reader: &mut Reader<'_>, check: &Members<'_>) -> Option<Check> {
    let path = reader
        .required(check, "path")
        .and_then(|node| reader.path(node));
    Some(Check::FileExists { path: path? })
}

/// Reads a check that searches a file.
fn regex(reader: &mut Reader<'_>, check: &Members<'_>) -> Option<Check> {
    let path = reader
        .required(check, "path")
        .and_then(|node| reader.path(node));
    let pattern = reader
        .required(check, "pattern")
        .and_then(|node| reader.expression(node));
    let max_bytes = reader.optional(check, "max_bytes", DEFAULT_MAX_BYTES, limits::max_bytes);
    Some(Check::Regex {
        path: path?,
        pattern: pattern?,
        max_bytes: max_bytes?,
    })
}
