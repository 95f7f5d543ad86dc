//! The type that only people decide.

use super::{Form, Layer, Type, may, must};

/// Somebody with authority says so.
pub(crate) static HUMAN: Type = Type {
    name: "human",
    layer: Layer::People,
    states: "Somebody with the authority says so: business rules, contracts of other teams.",
    abstains: "Never: it is HUMAN_REQUIRED until it is answered.",
    fields: &[
        must(
            "statement",
            Form::Text,
            "what is to be confirmed, as a sentence that is true or false",
        ),
        must(
            "authority",
            Form::Text,
            "who can say: a principal of `.plan-auditor/allowed_signers` that may approve",
        ),
        may(
            "paths",
            Form::Globs,
            "what the answer speaks of: it expires when these files change; without them it does not",
        ),
    ],
    example: r#""statement":"refunds below 50 EUR need no second person","authority":"finance""#,
};
