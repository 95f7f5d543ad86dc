//! Tests of the plan reader.
