//! Collecting what is odd, path by path.

use std::collections::BTreeMap;

use crate::model::state::{Flag, Noted};

/// The oddities met so far.
#[derive(Debug, Default)]
pub(super) struct Flags(BTreeMap<Flag, Vec<Vec<u8>>>);

impl Flags {
    /// Notes an oddity of a path.
    pub(super) fn add(&mut self, flag: Flag, path: &[u8]) {
        self.0.entry(flag).or_default().push(path.to_vec());
    }

    /// Takes over what another has met.
    pub(super) fn extend(&mut self, other: Self) {
        for (flag, paths) in other.0 {
            self.0.entry(flag).or_default().extend(paths);
        }
    }

    /// Ends the collection.
    pub(super) fn noted(self) -> BTreeMap<Flag, Noted> {
        let all = self.0.into_iter();
        all.map(|(flag, paths)| (flag, Noted::of(paths))).collect()
    }
}
