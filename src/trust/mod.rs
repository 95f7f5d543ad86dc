//! Who may say what: SSH signatures and HMACs checked in process, allowed signers, roles.

pub(crate) mod allowed_signers;
pub(crate) mod keyring;
pub(crate) mod signers;
pub(crate) mod soundness;
pub(crate) mod sshsig;
#[cfg(test)]
mod vector_tests;
