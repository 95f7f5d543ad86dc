//! Types that text and data formats decide.

use super::{Form, Layer, SCOPE_PATH, SCOPE_PATHS, Type, may, must, one_of};

/// What is searched for, to the letter.
const LITERAL: super::Field = one_of("search", "literal", Form::Word, "this text, to the letter");
/// What is searched for, by a pattern.
const REGEX: super::Field = one_of("search", "regex", Form::Expression, "what matches this");

/// A text is there.
pub(crate) static TEXT_PRESENT: Type = Type {
    name: "text_present",
    layer: Layer::Data,
    states: "At least one file of the scope holds the text.",
    abstains: "It was not found, and a file of the scope could not be searched: too large, no text, not UTF-8, an LFS pointer, a submodule, not in this clone.",
    fields: &[SCOPE_PATH, SCOPE_PATHS, LITERAL, REGEX],
    example: r#""path":"src/main.rs","literal":"fn main""#,
};

/// A text is nowhere.
pub(crate) static TEXT_ABSENT: Type = Type {
    name: "text_absent",
    layer: Layer::Data,
    states: "No file of the scope holds the text.",
    abstains: "As `text_present`. Where `path` names nothing, or `paths` match nothing, it is INCONCLUSIVE too: nothing was searched.",
    fields: &[SCOPE_PATH, SCOPE_PATHS, LITERAL, REGEX],
    example: r#""paths":["src/**/*.rs"],"regex":"unsafe\\s*\\{""#,
};

/// A setting has a value.
pub(crate) static CONFIG_VALUE: Type = Type {
    name: "config_value",
    layer: Layer::Data,
    states: "The file has the key, with the value where one is stated. Numbers and booleans are compared as they are spelt; a list or a table has no value.",
    abstains: "The file cannot be read in its format, has a key twice, more than one document or more than 64 levels (TOML: 80), or leaves the value to its reader: aliases, merges and tags (YAML), interpolation and quotes (INI, .env).",
    fields: &[
        must("path", Form::Path, "the file"),
        must(
            "key",
            Form::Texts,
            "the key, part by part; an item of a list by its number from 0; of INI section and key, of .env the name",
        ),
        may(
            "format",
            Form::Choice(&["toml", "yaml", "json", "ini", "env"]),
            "the format; else that of the file's name",
        ),
        may("equals", Form::Word, "the value"),
        may("one_of", Form::Texts, "the values that it may have"),
        may("matches", Form::Expression, "a pattern that it matches"),
    ],
    example: r#""path":"Cargo.toml","key":["package","edition"],"equals":"2024""#,
};

/// A dependency is declared.
pub(crate) static DEPENDENCY_DECLARED: Type = Type {
    name: "dependency_declared",
    layer: Layer::Data,
    states: "The manifest declares the dependency: Cargo.toml, package.json, pyproject.toml, requirements*.txt, go.mod. The name is that of the package, not of an alias.",
    abstains: "The manifest cannot be read; or it does not name the package and includes another file, or inherits names from one.",
    fields: &[
        must("path", Form::Path, "the manifest"),
        must("name", Form::Text, "the name of the package"),
        may(
            "group",
            Form::Choice(&["normal", "dev", "build", "optional", "peer"]),
            "only there",
        ),
    ],
    example: r#""path":"Cargo.toml","name":"serde""#,
};

/// A dependency has a version.
pub(crate) static DEPENDENCY_VERSION: Type = Type {
    name: "dependency_version",
    layer: Layer::Data,
    states: "The lock file resolves the package to a version that meets the requirement: Cargo.lock, package-lock.json, pnpm-lock.yaml, poetry.lock, uv.lock, requirements*.txt (`==` only), go.mod (from Go 1.17, what is not replaced).",
    abstains: "The file cannot be read, the version is none of three numbers or comes before a release, or several versions are there that do not agree on the answer. Where the package is not there the claim is false, and its contrary is INCONCLUSIVE.",
    fields: &[
        must("path", Form::Path, "the lock file"),
        must("name", Form::Text, "the name of the package"),
        must("version", Form::Versions, "what the version must meet"),
    ],
    example: r#""path":"Cargo.lock","name":"serde","version":">=1.0.200, <2""#,
};

/// A table has a constraint.
pub(crate) static SCHEMA_CONSTRAINT: Type = Type {
    name: "schema_constraint",
    layer: Layer::Data,
    states: "The SQL migrations, folded in order, leave the table, column or constraint.",
    abstains: "A migration holds a statement that is not understood.",
    fields: &[
        must(
            "paths",
            Form::Globs,
            "the migrations, in the order of their paths",
        ),
        must("table", Form::Text, "the table"),
        may("columns", Form::Texts, "the columns"),
        must(
            "constraint",
            Form::Choice(&[
                "table",
                "column",
                "unique",
                "not_null",
                "primary_key",
                "foreign_key",
                "index",
            ]),
            "what there is",
        ),
    ],
    example: r#""paths":["migrations/*.sql"],"table":"refunds","columns":["payment_id"],"constraint":"unique""#,
};

/// An operation is documented.
pub(crate) static API_CONTRACT: Type = Type {
    name: "api_contract",
    layer: Layer::Data,
    states: "The OpenAPI document (3.0, 3.1) has the operation, with what is stated of it.",
    abstains: "The document cannot be read, refers to another file or in a circle, or puts a schema on the way together of others (oneOf, anyOf, allOf, not and their like); a response may be meant by `default` or by a range; several media types, none of them JSON.",
    fields: &[
        must("path", Form::Path, "the document"),
        must(
            "method",
            Form::Choice(&[
                "get", "put", "post", "delete", "options", "head", "patch", "trace",
            ]),
            "the method",
        ),
        must(
            "route",
            Form::Text,
            "the path of the operation, as the document writes it",
        ),
        may("parameter", Form::Text, "it has this parameter"),
        may(
            "required",
            Form::Choice(&["true", "false"]),
            "whether that parameter or property is required",
        ),
        may("status", Form::Text, "it documents this response"),
        may(
            "property",
            Form::Text,
            "the body of the request, or with `status` of that response, has this property",
        ),
        may(
            "value_type",
            Form::Text,
            "the type of that property or parameter",
        ),
    ],
    example: r#""path":"openapi.yaml","method":"post","route":"/refunds","status":"201""#,
};

/// An API broke nothing.
pub(crate) static API_COMPATIBLE_WITH: Type = Type {
    name: "api_compatible_with",
    layer: Layer::Data,
    states: "The OpenAPI document breaks nothing that it promised at `commit`, by a closed list of breaking changes.",
    abstains: "As `api_contract`, at either commit.",
    fields: &[
        must("path", Form::Path, "the document"),
        must("commit", Form::Commit, "since when"),
    ],
    example: r#""path":"openapi.yaml","commit":"4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
};

/// A document is valid.
pub(crate) static JSON_SCHEMA_VALID: Type = Type {
    name: "json_schema_valid",
    layer: Layer::Data,
    states: "The JSON document is valid under the JSON schema (draft 4 to 2020-12, which is the one where `$schema` is not there). `format` decides nothing.",
    abstains: "Either is no JSON; the schema is none, refers to another document, by an anchor or in a circle, takes too much, or does not say its draft where drafts differ; or only a `format` decides.",
    fields: &[
        must("path", Form::Path, "the document"),
        must("schema", Form::Path, "the schema"),
    ],
    example: r#""path":"config.json","schema":"config.schema.json""#,
};
