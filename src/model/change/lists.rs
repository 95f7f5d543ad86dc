//! Differences of two lists: as multisets, or pair by pair under a key.

use super::{Change, Class};

/// What differences of one list mean. An item in place of another is one that was removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classes {
    /// An item more.
    pub(super) added: Class,
    /// An item less.
    pub(super) removed: Class,
    /// The same items in another order.
    pub(super) reordered: Class,
}

/// Compares two lists as multisets, and the order of what both have.
pub(super) fn compared<T: PartialEq>(
    member: &str,
    (before, after): (&[T], &[T]),
    classes: Classes,
    text: impl Fn(&T) -> String,
) -> Vec<Change> {
    let (removed, kept_before) = apart(before, after);
    let (added, kept_after) = apart(after, before);
    let mut changes = changed(member, (&removed, &added), classes, &text);
    if kept_before != kept_after {
        changes.push(reordered(
            member,
            (&kept_before, &kept_after),
            classes,
            &text,
        ));
    }
    changes
}

/// Items of both lists under one key, the older first.
type Paired<'a, T> = Vec<(&'a T, &'a T)>;

/// Compares two lists by unique keys; items of both are returned in pairs.
pub(super) fn by_key<'a, T, K: PartialEq>(
    member: &str,
    (before, after): (&'a [T], &'a [T]),
    classes: Classes,
    key: impl Fn(&T) -> K,
    text: impl Fn(&T) -> String,
) -> (Vec<Change>, Paired<'a, T>) {
    let partner = |item: &T, of: &'a [T]| of.iter().find(|other| key(other) == key(item));
    let removed = before.iter().filter(|item| partner(item, after).is_none());
    let added = after.iter().filter(|item| partner(item, before).is_none());
    let one = |class, item: &T, is_new: bool| Change {
        class,
        member: member.to_owned(),
        before: (!is_new).then(|| text(item)),
        after: is_new.then(|| text(item)),
    };
    let mut changes: Vec<Change> = removed
        .map(|item| one(classes.removed, item, false))
        .collect();
    changes.extend(added.map(|item| one(classes.added, item, true)));
    let paired: Paired<'a, T> = before
        .iter()
        .filter_map(|item| Some((item, partner(item, after)?)))
        .collect();
    let order_before: Vec<K> = paired.iter().map(|(old, _)| key(old)).collect();
    let kept = after.iter().filter(|item| partner(item, before).is_some());
    let kept: Vec<&T> = kept.collect();
    if order_before != kept.iter().map(|item| key(item)).collect::<Vec<K>>() {
        let old: Vec<&T> = paired.iter().map(|(old, _)| *old).collect();
        changes.push(reordered(member, (&old, &kept), classes, &text));
    }
    (changes, paired)
}

/// Parts the items of a list into those that the other has not, as often, and the others.
fn apart<'a, T: PartialEq>(of: &'a [T], other: &[T]) -> (Vec<&'a T>, Vec<&'a T>) {
    let mut free: Vec<&T> = other.iter().collect();
    of.iter().partition(|item| {
        let found = free.iter().position(|other| other == item);
        found.map(|at| free.swap_remove(at)).is_none()
    })
}

/// Tells of items that went and came: first in pairs, one in place of the other.
fn changed<T>(
    member: &str,
    (removed, added): (&[&T], &[&T]),
    classes: Classes,
    text: &impl Fn(&T) -> String,
) -> Vec<Change> {
    let count = removed.len().max(added.len());
    let at = |items: &[&T], index: usize| items.get(index).map(|item| text(item));
    let change = |index| {
        let (before, after) = (at(removed, index), at(added, index));
        let class = if before.is_some() {
            classes.removed
        } else {
            classes.added
        };
        Change {
            class,
            member: member.to_owned(),
            before,
            after,
        }
    };
    (0..count).map(change).collect()
}

/// Tells of another order.
fn reordered<T>(
    member: &str,
    (before, after): (&[&T], &[&T]),
    classes: Classes,
    text: &impl Fn(&T) -> String,
) -> Change {
    let listed = |items: &[&T]| {
        let texts: Vec<String> = items.iter().map(|item| text(item)).collect();
        Some(texts.join("; "))
    };
    Change {
        class: classes.reordered,
        member: format!("{member} (order)"),
        before: listed(before),
        after: listed(after),
    }
}
