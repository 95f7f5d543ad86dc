//! Evaluators over trees in memory: true, false, undecidable and hostile, each with its contrary.

mod limits;
mod objects;
mod reuse;
mod syntax;
mod text;
