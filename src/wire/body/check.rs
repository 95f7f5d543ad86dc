//! Members of the result of one check.

use serde::{Deserialize, Serialize};

use super::NotABody;
use crate::model::check::{Captured, CheckResult, End, Program};
use crate::model::ids::Digest;
use crate::wire::text::Text;

/// The members as written. Members that a result has not are left out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<i32>,
    end: String,
    leaked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<bool>,
    ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<OutputMembers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<ProgramMembers>,
    variables: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// What a program wrote.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutputMembers {
    bytes: u64,
    sha256: Text<Digest>,
}

/// The program that ran.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramMembers {
    path: String,
    sha256: Text<Digest>,
}

/// Splits an end into its word, its number and its reason.
fn spelled(end: &End) -> (&'static str, Option<i32>, Option<&str>) {
    match end {
        End::Exited(code) => ("exited", Some(*code), None),
        End::Signalled(signal) => ("signalled", Some(*signal), None),
        End::TimedOut => ("timed-out", None, None),
        End::OutputLimit => ("output-limit", None, None),
        End::CouldNotStart(why) => ("could-not-start", None, Some(why)),
        End::Interrupted => ("interrupted", None, None),
        End::Blocked => ("blocked", None, None),
        End::AskedTerminal => ("asked-terminal", None, None),
        End::Found => ("found", None, None),
        End::NotFound(why) => ("not-found", None, Some(why)),
    }
}

/// Joins word, number and reason; a number or reason that does not belong is refused.
fn joined(word: &str, code: Option<i32>, why: Option<String>) -> Result<End, NotABody> {
    match (word, code, why) {
        ("exited", Some(code), None) => Ok(End::Exited(code)),
        ("signalled", Some(signal), None) => Ok(End::Signalled(signal)),
        ("timed-out", None, None) => Ok(End::TimedOut),
        ("output-limit", None, None) => Ok(End::OutputLimit),
        ("could-not-start", None, Some(why)) => Ok(End::CouldNotStart(why)),
        ("interrupted", None, None) => Ok(End::Interrupted),
        ("blocked", None, None) => Ok(End::Blocked),
        ("asked-terminal", None, None) => Ok(End::AskedTerminal),
        ("found", None, None) => Ok(End::Found),
        ("not-found", None, Some(why)) => Ok(End::NotFound(why)),
        _ => Err(NotABody),
    }
}

impl From<&CheckResult> for Members {
    fn from(result: &CheckResult) -> Self {
        let (word, code, why) = spelled(&result.end);
        let output = result.output.as_ref();
        let program = result.program.as_ref();
        Self {
            code,
            end: word.to_owned(),
            leaked: result.leaked,
            matched: result.matched,
            ms: result.duration_ms,
            output: output.map(|out| OutputMembers {
                bytes: out.bytes,
                sha256: Text(out.sha256),
            }),
            program: program.map(|program| ProgramMembers {
                path: program.path.clone(),
                sha256: Text(program.sha256),
            }),
            variables: result.variables.clone(),
            why: why.map(str::to_owned),
        }
    }
}

impl Members {
    /// Makes the result.
    pub(super) fn into_result(self) -> Result<CheckResult, NotABody> {
        Ok(CheckResult {
            end: joined(&self.end, self.code, self.why)?,
            duration_ms: self.ms,
            matched: self.matched,
            program: self.program.map(|program| Program {
                path: program.path,
                sha256: program.sha256.0,
            }),
            output: self.output.map(|output| Captured {
                bytes: output.bytes,
                sha256: output.sha256.0,
            }),
            leaked: self.leaked,
            variables: self.variables,
        })
    }
}
