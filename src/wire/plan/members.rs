//! The shapes of objects and lists in a plan.

use crate::wire::strict::{Member, Node, Spot};

/// Whether a list may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Empty {
    Allowed,
    Refused,
}

/// Which keys an object may have.
#[derive(Debug)]
pub(super) struct Shape {
    /// What the object is, with its article.
    pub(super) what: &'static str,
    /// The keys that mean something, and those that are refused by name.
    pub(super) keys: &'static [&'static str],
    /// The keys that only a contract has.
    pub(super) contract_keys: &'static [&'static str],
    /// The keys that are read and ignored.
    pub(super) ignored: &'static [&'static str],
}

/// An object whose keys were looked at.
#[derive(Debug)]
pub(super) struct Members<'t> {
    what: &'static str,
    opening: Spot,
    list: &'t [Member],
}

impl<'t> Members<'t> {
    /// Takes an object of this shape.
    pub(super) const fn new(shape: &Shape, opening: Spot, list: &'t [Member]) -> Self {
        Self {
            what: shape.what,
            opening,
            list,
        }
    }

    /// Takes an object whose keys were looked at elsewhere.
    pub(super) const fn of(what: &'static str, opening: Spot, list: &'t [Member]) -> Self {
        Self {
            what,
            opening,
            list,
        }
    }

    /// Says what the object is, with its article.
    pub(super) const fn what(&self) -> &'static str {
        self.what
    }

    /// Returns a member with its key.
    pub(super) fn member(&self, key: &str) -> Option<&'t Member> {
        self.list.iter().find(|member| member.key == key)
    }

    /// Returns the value of a member.
    pub(super) fn get(&self, key: &str) -> Option<&'t Node> {
        self.member(key).map(|member| &member.node)
    }

    /// Returns the place of the opening bracket.
    pub(super) const fn opening(&self) -> &Spot {
        &self.opening
    }
}

/// What could be read of a list.
#[derive(Debug)]
pub(super) struct Items<T> {
    /// The items that could be read.
    pub(super) values: Vec<T>,
    /// Whether these are all.
    pub(super) is_complete: bool,
}

impl<T> Items<T> {
    /// A list that is not there: complete, and without items.
    pub(super) const fn none() -> Self {
        Self {
            values: Vec::new(),
            is_complete: true,
        }
    }

    /// A value that is no list.
    pub(super) const fn unreadable() -> Self {
        Self {
            values: Vec::new(),
            is_complete: false,
        }
    }

    /// Returns all items, or none if one could not be read.
    pub(super) fn whole(self) -> Option<Vec<T>> {
        self.is_complete.then_some(self.values)
    }
}
