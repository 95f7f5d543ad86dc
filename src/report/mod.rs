//! Views of outcomes: text for people, JSON for machines. Two views of one value.

pub(crate) mod diagnostic;
pub(crate) mod export;
pub(crate) mod host;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod text;
