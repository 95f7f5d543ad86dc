//! Tests of the contract's bytes.
