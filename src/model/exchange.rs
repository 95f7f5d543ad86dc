//! How the evidence of a clone stands to that of the remote it goes to, as far as the clone knows.

/// The remote that evidence goes to, and what it had when it was asked last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exchange {
    /// The remote.
    pub(crate) remote: String,
    /// What it had.
    pub(crate) there: There,
}

/// What a remote had of the ledger when it was asked last. Nobody asks it for this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum There {
    /// No ledger, or it was never asked.
    Nothing,
    /// A ledger that lacks something of the one here.
    Less,
    /// All that is here.
    All,
}
