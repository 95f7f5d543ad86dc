//! Findings about the plan: why a plan file is refused, and what a reader should know of it.

use super::{Effect, Row, Severity};

/// Makes the row of a defect: a plan that has it is no plan.
const fn refusal(code: &'static str, meaning: &'static str) -> Row {
    Row {
        code,
        severity: Severity::Error,
        effect: Effect::Refused,
        meaning,
    }
}

/// Makes the row of a warning.
const fn warning(code: &'static str, meaning: &'static str) -> Row {
    Row {
        code,
        severity: Severity::Warning,
        effect: Effect::None,
        meaning,
    }
}

/// The file is larger than 2,000,000 bytes; it is not read.
pub(crate) static JSON_TOO_LARGE: Row = refusal(
    "json-too-large",
    "The file is larger than 2,000,000 bytes; it is not read.",
);

/// The file begins with a byte order mark; JSON in UTF-8 has none.
pub(crate) static JSON_BYTE_ORDER_MARK: Row = refusal(
    "json-byte-order-mark",
    "The file begins with a byte order mark; JSON in UTF-8 has none.",
);

/// The file is not UTF-8 from the marked byte on.
pub(crate) static JSON_NOT_UTF8: Row = refusal(
    "json-not-utf8",
    "The file is not UTF-8 from the marked byte on.",
);

/// Lists and objects are nested more than 64 deep.
pub(crate) static JSON_TOO_DEEP: Row = refusal(
    "json-too-deep",
    "Lists and objects are nested more than 64 deep.",
);

/// The text is not JSON from the marked place on.
pub(crate) static JSON_SYNTAX: Row = refusal(
    "json-syntax",
    "The text is not JSON from the marked place on.",
);

/// NaN or Infinity: JSON has no such numbers.
pub(crate) static JSON_NOT_FINITE: Row = refusal(
    "json-not-finite",
    "NaN or Infinity: JSON has no such numbers.",
);

/// An escape names half of a surrogate pair, which is no character.
pub(crate) static JSON_LONE_SURROGATE: Row = refusal(
    "json-lone-surrogate",
    "An escape names half of a surrogate pair, which is no character.",
);

/// An object has the same key twice; two readers could see two plans.
pub(crate) static JSON_DUPLICATE_KEY: Row = refusal(
    "json-duplicate-key",
    "An object has the same key twice; two readers could see two plans.",
);

/// More than 1,000 findings; the rest is counted, not listed.
pub(crate) static TOO_MANY_FINDINGS: Row = refusal(
    "too-many-findings",
    "More than 1,000 findings; the rest is counted, not listed.",
);

/// A value is of another kind than this place asks for.
pub(crate) static WRONG_TYPE: Row = refusal(
    "wrong-type",
    "A value is of another kind than this place asks for.",
);

/// A key that must be there is not.
pub(crate) static MISSING_KEY: Row = refusal("missing-key", "A key that must be there is not.");

/// A key means nothing here; a typing error must not weaken a plan.
pub(crate) static UNKNOWN_KEY: Row = refusal(
    "unknown-key",
    "A key means nothing here; a typing error must not weaken a plan.",
);

/// A list that must name something is empty.
pub(crate) static EMPTY_LIST: Row =
    refusal("empty-list", "A list that must name something is empty.");

/// A text that must say something is empty or white space.
pub(crate) static BLANK_TEXT: Row = refusal(
    "blank-text",
    "A text that must say something is empty or white space.",
);

/// A text holds the character U+0000, which no program or path can be given.
pub(crate) static NUL_CHARACTER: Row = refusal(
    "nul-character",
    "A text holds the character U+0000, which no program or path can be given.",
);

/// A number is written with a fraction or an exponent where an integer is asked for.
pub(crate) static NOT_AN_INTEGER: Row = refusal(
    "not-an-integer",
    "A number is written with a fraction or an exponent where an integer is asked for.",
);

/// A number is smaller or greater than this place allows.
pub(crate) static OUT_OF_RANGE: Row = refusal(
    "out-of-range",
    "A number is smaller or greater than this place allows.",
);

/// `created` is not a date or time of ISO 8601.
pub(crate) static CREATED_INVALID: Row = refusal(
    "created-invalid",
    "`created` is not a date or time of ISO 8601.",
);

/// No type of claim is called so.
pub(crate) static CLAIM_TYPE_UNKNOWN: Row =
    refusal("claim-type-unknown", "No type of claim is called so.");
/// A type of claim that this version does not test.
pub(crate) static CLAIM_TYPE_UNSUPPORTED: Row = refusal(
    "claim-type-unsupported",
    "This version does not test claims of this type, and so does not take the plan.",
);
/// Another claim has this id already.
pub(crate) static CLAIM_ID_DUPLICATE: Row = refusal(
    "claim-id-duplicate",
    "Another claim of the plan has this id already.",
);
/// A claim names a step that the plan does not have.
pub(crate) static CLAIM_STEP_UNKNOWN: Row = refusal(
    "claim-step-unknown",
    "A claim names a step that the plan does not have.",
);
/// A claim has not the fields that its type asks for.
pub(crate) static CLAIM_FIELD: Row = refusal(
    "claim-field",
    "A field of a claim is not what its type asks for; `git plan-audit claims explain TYPE` tells.",
);
/// The plan has more claims than are tested.
pub(crate) static CLAIMS_TOO_MANY: Row =
    refusal("claims-too-many", "The plan has more than 500 claims.");

/// A path is absolute or leaves the tree.
pub(crate) static PATH_UNSAFE: Row =
    refusal("path-unsafe", "A path is absolute or leaves the tree.");

/// A path pattern cannot be read, or could never match a path of the tree.
pub(crate) static PATTERN_INVALID: Row = refusal(
    "pattern-invalid",
    "A path pattern cannot be read, or could never match a path of the tree.",
);

/// A regular expression cannot be read or is too large.
pub(crate) static REGEX_INVALID: Row = refusal(
    "regex-invalid",
    "A regular expression cannot be read or is too large.",
);

/// A regular expression uses look-around or back-references, which take unbounded time.
pub(crate) static REGEX_UNSUPPORTED: Row = refusal(
    "regex-unsupported",
    "A regular expression uses look-around or back-references, which take unbounded time.",
);

/// One list holds more than 1,000 path patterns, or the plan more than 1,000 regular expressions, or such as are too large all together.
pub(crate) static TOO_MANY_PATTERNS: Row = refusal(
    "too-many-patterns",
    "One list holds more than 1,000 path patterns, or the plan more than 1,000 regular expressions, or such as are too large all together.",
);

/// Two requirements have the same id once white space is trimmed.
pub(crate) static REQUIREMENT_DUPLICATE: Row = refusal(
    "requirement-duplicate",
    "Two requirements have the same id once white space is trimmed.",
);

/// A priority is not must, should or may.
pub(crate) static PRIORITY_UNKNOWN: Row =
    refusal("priority-unknown", "A priority is not must, should or may.");

/// Two steps have the same id.
pub(crate) static STEP_ID_DUPLICATE: Row =
    refusal("step-id-duplicate", "Two steps have the same id.");

/// No check of the step runs a program, so nothing proves it.
pub(crate) static NO_BEHAVIOURAL_CHECK: Row = refusal(
    "no-behavioural-check",
    "No check of the step runs a program, so nothing proves it.",
);

/// A step declares the same output twice.
pub(crate) static OUTPUT_DUPLICATE: Row =
    refusal("output-duplicate", "A step declares the same output twice.");

/// A step requires the same output twice.
pub(crate) static REQUIRED_OUTPUT_DUPLICATE: Row = refusal(
    "required-output-duplicate",
    "A step requires the same output twice.",
);

/// A required output is not declared by the step it names.
pub(crate) static REQUIRED_OUTPUT_UNKNOWN: Row = refusal(
    "required-output-unknown",
    "A required output is not declared by the step it names.",
);

/// A required output belongs to a step that this step does not depend on.
pub(crate) static REQUIRED_OUTPUT_UNREACHABLE: Row = refusal(
    "required-output-unreachable",
    "A required output belongs to a step that this step does not depend on.",
);

/// Some steps say what they depend on and this one does not.
pub(crate) static DEPENDS_ON_MISSING: Row = refusal(
    "depends-on-missing",
    "Some steps say what they depend on and this one does not.",
);

/// A step names the same dependency twice.
pub(crate) static DEPENDS_ON_DUPLICATE: Row = refusal(
    "depends-on-duplicate",
    "A step names the same dependency twice.",
);

/// A step depends on itself.
pub(crate) static DEPENDS_ON_SELF: Row = refusal("depends-on-self", "A step depends on itself.");

/// A step depends on a step that is not in the plan.
pub(crate) static DEPENDS_ON_UNKNOWN: Row = refusal(
    "depends-on-unknown",
    "A step depends on a step that is not in the plan.",
);

/// Steps depend on each other in a circle.
pub(crate) static DEPENDS_ON_CYCLE: Row = refusal(
    "depends-on-cycle",
    "Steps depend on each other in a circle.",
);

/// A step depends on another without requiring any of its outputs.
pub(crate) static DEPENDENCY_UNBACKED: Row = refusal(
    "dependency-unbacked",
    "A step depends on another without requiring any of its outputs.",
);

/// A step covers a requirement that the plan does not have.
pub(crate) static COVERS_UNKNOWN: Row = refusal(
    "covers-unknown",
    "A step covers a requirement that the plan does not have.",
);

/// A step covers the same requirement twice.
pub(crate) static COVERS_DUPLICATE: Row = refusal(
    "covers-duplicate",
    "A step covers the same requirement twice.",
);

/// No step covers a requirement of priority must or should.
pub(crate) static REQUIREMENT_UNCOVERED: Row = refusal(
    "requirement-uncovered",
    "No step covers a requirement of priority must or should.",
);

/// A check is of a type that does not exist.
pub(crate) static CHECK_TYPE_UNKNOWN: Row = refusal(
    "check-type-unknown",
    "A check is of a type that does not exist.",
);

/// A check that runs a program has neither or both of `argv` and `cmd`.
pub(crate) static COMMAND_AMBIGUOUS: Row = refusal(
    "command-ambiguous",
    "A check that runs a program has neither or both of `argv` and `cmd`.",
);

/// A `cmd` cannot be split into words: a quote is not closed.
pub(crate) static CMD_UNSPLITTABLE: Row = refusal(
    "cmd-unsplittable",
    "A `cmd` cannot be split into words: a quote is not closed.",
);

/// A check asks for a shell; programs are run by their words alone.
pub(crate) static SHELL_REFUSED: Row = refusal(
    "shell-refused",
    "A check asks for a shell; programs are run by their words alone.",
);

/// A check asks for formal planning, which proves nothing about the code and is not supported.
pub(crate) static FORMAL_PLANNING_REFUSED: Row = refusal(
    "formal-planning-refused",
    "A check asks for formal planning, which proves nothing about the code and is not supported.",
);

/// A check asks for an environment variable that cannot be named or is never handed on.
pub(crate) static ENV_REFUSED: Row = refusal(
    "env-refused",
    "A check asks for an environment variable that cannot be named or is never handed on.",
);

/// The plan has no requirements, so nothing says what it is for.
pub(crate) static NO_REQUIREMENTS: Row = warning(
    "no-requirements",
    "The plan has no requirements, so nothing says what it is for.",
);

/// A `cmd` has an unquoted word that a shell would act on; here it would be a plain argument.
pub(crate) static LOOKS_LIKE_SHELL: Row = refusal(
    "looks-like-shell",
    "A `cmd` has an unquoted word that a shell would act on; here it would be a plain argument.",
);

/// The plan is still the skeleton that `init --starter` writes.
pub(crate) static SKELETON: Row = warning(
    "plan-skeleton",
    "The plan is still the skeleton that `init --starter` writes: it speaks of no work.",
);

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &JSON_TOO_LARGE,
    &JSON_BYTE_ORDER_MARK,
    &JSON_NOT_UTF8,
    &JSON_TOO_DEEP,
    &JSON_SYNTAX,
    &JSON_NOT_FINITE,
    &JSON_LONE_SURROGATE,
    &JSON_DUPLICATE_KEY,
    &TOO_MANY_FINDINGS,
    &WRONG_TYPE,
    &MISSING_KEY,
    &UNKNOWN_KEY,
    &EMPTY_LIST,
    &BLANK_TEXT,
    &NUL_CHARACTER,
    &NOT_AN_INTEGER,
    &OUT_OF_RANGE,
    &CREATED_INVALID,
    &CLAIM_TYPE_UNKNOWN,
    &CLAIM_TYPE_UNSUPPORTED,
    &CLAIM_ID_DUPLICATE,
    &CLAIM_STEP_UNKNOWN,
    &CLAIM_FIELD,
    &CLAIMS_TOO_MANY,
    &PATH_UNSAFE,
    &PATTERN_INVALID,
    &REGEX_INVALID,
    &REGEX_UNSUPPORTED,
    &TOO_MANY_PATTERNS,
    &REQUIREMENT_DUPLICATE,
    &PRIORITY_UNKNOWN,
    &STEP_ID_DUPLICATE,
    &NO_BEHAVIOURAL_CHECK,
    &OUTPUT_DUPLICATE,
    &REQUIRED_OUTPUT_DUPLICATE,
    &REQUIRED_OUTPUT_UNKNOWN,
    &REQUIRED_OUTPUT_UNREACHABLE,
    &DEPENDS_ON_MISSING,
    &DEPENDS_ON_DUPLICATE,
    &DEPENDS_ON_SELF,
    &DEPENDS_ON_UNKNOWN,
    &DEPENDS_ON_CYCLE,
    &DEPENDENCY_UNBACKED,
    &COVERS_UNKNOWN,
    &COVERS_DUPLICATE,
    &REQUIREMENT_UNCOVERED,
    &CHECK_TYPE_UNKNOWN,
    &COMMAND_AMBIGUOUS,
    &CMD_UNSPLITTABLE,
    &SHELL_REFUSED,
    &FORMAL_PLANNING_REFUSED,
    &ENV_REFUSED,
    &NO_REQUIREMENTS,
    &LOOKS_LIKE_SHELL,
    &SKELETON,
];
