//! Durable files outside git's objects: they are never evidence, and losing them loses no verdict.

pub(crate) mod file;
pub(crate) mod identity;
pub(crate) mod instance;
pub(crate) mod lock;
pub(crate) mod pending;
pub(crate) mod places;
pub(crate) mod random;
pub(crate) mod remembered;
