//! Paths of a plan: relative to the top of the tree and never out of it.

/// Says why a text is no safe relative path; none if it is one.
///
/// A backslash counts as a separator, so that a path means no more on another system.
pub(crate) fn fault(path: &str) -> Option<&'static str> {
    if path.trim().is_empty() {
        return Some("it is blank");
    }
    if path.starts_with(['/', '\\']) {
        return Some("it is absolute");
    }
    if has_drive(path) {
        return Some("it names a drive");
    }
    let leaves = path.split(['/', '\\']).any(|part| part == "..");
    leaves.then_some("it has a `..` part")
}

/// Says whether a path begins with a drive letter.
fn has_drive(path: &str) -> bool {
    let mut bytes = path.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic()) && bytes.next() == Some(b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_inside_the_tree_are_safe() {
        for path in ["a", ".", "./a", "a/b.c", "a..b/..c", "ü/日", "a b"] {
            assert_eq!(fault(path), None, "{path}");
        }
    }

    #[test]
    fn paths_that_may_leave_the_tree_are_not() {
        for path in [
            "", " ", "/a", "\\a", "..", "a/../b", "a\\..\\b", "C:\\a", "c:a", "//h/s",
        ] {
            assert!(fault(path).is_some(), "{path}");
        }
    }
}
