//! What a child process gave, as text and as JSON.

use std::process::Output;

use serde_json::Value;

/// A process that ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// What was run, for messages.
    pub(crate) line: String,
    /// Its exit code; 128 and the signal if it was ended by one.
    pub(crate) code: i32,
    /// What it wrote to stdout.
    pub(crate) stdout: String,
    /// What it wrote to stderr.
    pub(crate) stderr: String,
}

impl Ran {
    /// Takes the output of a process.
    pub(crate) fn new(line: String, output: &Output) -> Self {
        use std::os::unix::process::ExitStatusExt as _;
        let signal = output.status.signal().map(|signal| 128 + signal);
        Self {
            line,
            code: output.status.code().or(signal).unwrap(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Demands an exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert!(
            self.code == code,
            "expected exit {code}, got {}\n{self}",
            self.code
        );
        self
    }

    /// Demands a word on either stream, in any case.
    #[track_caller]
    pub(crate) fn says(self, word: &str) -> Self {
        let text = format!("{}{}", self.stdout, self.stderr).to_lowercase();
        assert!(
            text.contains(&word.to_lowercase()),
            "`{word}` is missing\n{self}"
        );
        self
    }

    /// Demands that stdout holds exactly one JSON object and nothing else.
    #[track_caller]
    pub(crate) fn into_json(self) -> Json {
        let mut values = serde_json::Deserializer::from_str(&self.stdout).into_iter::<Value>();
        let value = values.next();
        assert!(values.next().is_none(), "more than one value\n{self}");
        let Some(Ok(value @ Value::Object(_))) = value else {
            panic!("stdout is not one JSON object\n{self}");
        };
        assert_eq!(
            value["exit"], self.code,
            "the object speaks of another exit\n{self}"
        );
        Json { ran: self, value }
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            line,
            code,
            stdout,
            stderr,
        } = self;
        write!(f, "$ {line}\n[exit {code}]\n{stdout}\n--- stderr\n{stderr}")
    }
}

/// A process that ended and spoke JSON.
#[derive(Debug)]
pub(crate) struct Json {
    /// The process.
    pub(crate) ran: Ran,
    /// The one object of its stdout.
    pub(crate) value: Value,
}

impl Json {
    /// Demands an outcome and its exit code.
    #[track_caller]
    pub(crate) fn is(self, outcome: &str, exit: i32) -> Self {
        let found = self.value["outcome"].as_str().unwrap_or_default();
        assert!(
            found == outcome && self.ran.code == exit,
            "expected {outcome} and exit {exit}\n{}",
            self.ran
        );
        self
    }

    /// Returns a member by its JSON pointer, which must be there.
    #[track_caller]
    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.value
            .pointer(pointer)
            .unwrap_or_else(|| panic!("no {pointer}\n{}", self.ran))
    }

    /// Returns a text member.
    #[track_caller]
    pub(crate) fn text(&self, pointer: &str) -> &str {
        self.at(pointer)
            .as_str()
            .unwrap_or_else(|| panic!("{pointer} is no text\n{}", self.ran))
    }

    /// Returns the items of a list.
    #[track_caller]
    pub(crate) fn list(&self, pointer: &str) -> &[Value] {
        self.at(pointer)
            .as_array()
            .unwrap_or_else(|| panic!("{pointer} is no list\n{}", self.ran))
    }

    /// Returns the hint of the first finding with a code, which must be there; empty where it has none.
    #[track_caller]
    pub(crate) fn hint(&self, code: &str) -> &str {
        let mut found = self.list("/findings").iter();
        let found = found.find(|finding| finding["code"] == code);
        let finding = found.unwrap_or_else(|| panic!("no {code}\n{}", self.ran));
        finding["hint"].as_str().unwrap_or_default()
    }

    /// Returns the codes of the findings.
    pub(crate) fn codes(&self) -> Vec<&str> {
        self.list("/findings")
            .iter()
            .filter_map(|finding| finding["code"].as_str())
            .collect()
    }
}
