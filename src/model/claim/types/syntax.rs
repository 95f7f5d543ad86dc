//! Types that the syntax of a language decides: Rust, Python, TypeScript, JavaScript, Go, Java, C.

use super::{Form, Layer, SCOPE_PATH, SCOPE_PATHS, Type, may, must, some_of};

/// The kinds of definitions.
const KINDS: Form = Form::Choice(&["function", "type", "constant", "module"]);
/// When definitions cannot be told to be absent.
const ABSTAINS: &str = "It was not found, and a file of the scope is of another language, has a syntax error, was not parsed in time, could not be read, or may define what it does not write (macros, `exec`); or nothing was in the scope.";

/// The name of a definition.
const SYMBOL: super::Field = must(
    "symbol",
    Form::Text,
    "its name; with containers before it, divided by dots, where it must lie in them",
);

/// What says which definition is meant, and where.
const DEFINITION: &[super::Field] = &[
    SCOPE_PATH,
    SCOPE_PATHS,
    SYMBOL,
    may("kind", KINDS, "what it is"),
];

/// A definition is there.
pub(crate) static SYMBOL_EXISTS: Type = Type {
    name: "symbol_exists",
    layer: Layer::Syntax,
    states: "A file of the scope defines the symbol.",
    abstains: ABSTAINS,
    fields: DEFINITION,
    example: r#""path":"services/provider.py","symbol":"Provider.refund","kind":"function""#,
};

/// A definition is nowhere.
pub(crate) static SYMBOL_ABSENT: Type = Type {
    name: "symbol_absent",
    layer: Layer::Syntax,
    states: "No file of the scope defines the symbol.",
    abstains: ABSTAINS,
    fields: DEFINITION,
    example: r#""paths":["services/**/*.py"],"symbol":"refund_all""#,
};

/// A function has these parameters.
pub(crate) static SYMBOL_SIGNATURE: Type = Type {
    name: "symbol_signature",
    layer: Layer::Syntax,
    states: "The function takes exactly these parameters in this order (the receiver is none of them), and gives this type where one is stated, as it is spelt.",
    abstains: "It is there several times, its parameters are more than plain names, or its file cannot be parsed. Where it is not there the claim is false, and its contrary is INCONCLUSIVE.",
    fields: &[
        must("path", Form::Path, "the file"),
        SYMBOL,
        some_of("stated", "params", Form::Parameters, "its parameters"),
        some_of(
            "stated",
            "returns",
            Form::Text,
            "the type that it gives, blanks aside",
        ),
    ],
    example: r#""path":"services/provider.py","symbol":"Provider.refund","params":[{"name":"amount","optional":true}]"#,
};

/// There is exactly one definition.
pub(crate) static SYMBOL_UNIQUE: Type = Type {
    name: "symbol_unique",
    layer: Layer::Syntax,
    states: "The scope defines the symbol exactly once.",
    abstains: ABSTAINS,
    fields: DEFINITION,
    example: r#""paths":["src/**/*.rs"],"symbol":"main""#,
};

/// A file imports something.
pub(crate) static IMPORTS: Type = Type {
    name: "imports",
    layer: Layer::Syntax,
    states: "A file of the scope imports `module`, and `name` from it where one is stated, as the language spells it.",
    abstains: "It was not found, and a file of the scope imports everything of that module, or a module that is not written, or could not be parsed.",
    fields: &[
        SCOPE_PATH,
        SCOPE_PATHS,
        must(
            "module",
            Form::Text,
            "the module, as the language spells it",
        ),
        may("name", Form::Text, "what is taken from it"),
    ],
    example: r#""path":"app/views.py","module":"django.http","name":"JsonResponse""#,
};

/// A function calls another.
pub(crate) static CALLS: Type = Type {
    name: "calls",
    layer: Layer::Syntax,
    states: "The body of the function calls something of this name. What is called indirectly is not seen.",
    abstains: "No such call was found: a call may be indirect. Only `\"syntactic\":\"true\"` makes that a failure.",
    fields: &[
        must("path", Form::Path, "the file"),
        SYMBOL,
        must(
            "calls",
            Form::Text,
            "the last part of the name that is called",
        ),
        may(
            "syntactic",
            Form::Choice(&["true"]),
            "only what is written counts",
        ),
    ],
    example: r#""path":"src/pay.rs","symbol":"refund","calls":"charge""#,
};

/// A name is used nowhere.
pub(crate) static NO_REFERENCES: Type = Type {
    name: "no_references",
    layer: Layer::Syntax,
    states: "No file of the scope uses the name, its definitions aside.",
    abstains: "A file of the scope could not be parsed, or a string holds the name: it may be used by it. A comment is no use.",
    fields: &[
        must("paths", Form::Globs, "the files to look at"),
        must("symbol", Form::Text, "the name, one part"),
    ],
    example: r#""paths":["src/**/*.rs"],"symbol":"old_refund""#,
};

/// A name is used only in some files.
pub(crate) static ONLY_REFERENCED_BY: Type = Type {
    name: "only_referenced_by",
    layer: Layer::Syntax,
    states: "Of the files of the scope only those of `by` use the name, its definitions aside.",
    abstains: "As `no_references`, of the files that are not among `by`.",
    fields: &[
        must("paths", Form::Globs, "the files to look at"),
        must("symbol", Form::Text, "the name, one part"),
        must("by", Form::Globs, "the files that may use it"),
    ],
    example: r#""paths":["src/**/*.rs"],"symbol":"charge","by":["src/pay/**"]"#,
};

/// A test is there.
pub(crate) static TEST_EXISTS: Type = Type {
    name: "test_exists",
    layer: Layer::Syntax,
    states: "A file of the scope holds a test of this name.",
    abstains: ABSTAINS,
    fields: &[
        SCOPE_PATH,
        SCOPE_PATHS,
        must(
            "name",
            Form::Text,
            "the name of the test: of its function, or the text that the test runner shows",
        ),
    ],
    example: r#""paths":["tests/**"],"name":"a_refund_is_booked_once""#,
};
