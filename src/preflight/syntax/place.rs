//! Where a node stands: the nodes around it, which a tree tells only at great cost.

/// A node around another one, with the field that it is of the one around it.
pub(in crate::preflight) type Around<'w> = (&'w str, Option<&'w str>);

/// Where a node stands.
pub(in crate::preflight) struct Place<'w> {
    /// The nodes around, outermost first.
    pub(super) around: &'w [Around<'w>],
    /// Which field it is of the last one.
    pub(super) field: Option<&'w str>,
    /// Whether names here are of no concern to what lies around.
    pub(super) is_local: bool,
}

impl Place<'_> {
    /// Returns the kind of the node so many nodes further out, from 0; empty outside of the file.
    pub(super) fn above(&self, count: usize) -> &str {
        let mut outwards = self.around.iter().rev();
        outwards.nth(count).map_or("", |(kind, _)| kind)
    }

    /// Returns the kind of the node around.
    pub(super) fn parent(&self) -> &str {
        self.above(0)
    }

    /// Returns which field the node around is of the one around that.
    pub(super) fn field_of_parent(&self) -> Option<&str> {
        self.around.last().and_then(|(_, field)| *field)
    }

    /// Returns the kind of the nearest node around that is none of some kinds.
    pub(super) fn beyond(&self, kinds: &[&str]) -> &str {
        let mut outwards = self.around.iter().rev().map(|(kind, _)| *kind);
        outwards.find(|kind| !kinds.contains(kind)).unwrap_or("")
    }
}
