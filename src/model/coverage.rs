//! Coverage: which requirements the steps of a plan must answer.

use super::contract::Priority;

/// Returns the id that a requirement written as a bare text has, by its position from 1.
pub(crate) fn positional_id(position: usize) -> String {
    format!("REQ-{position:03}")
}

/// Says whether a requirement of this priority needs a step that covers it.
pub(crate) const fn needs_step(priority: Priority) -> bool {
    match priority {
        Priority::Must | Priority::Should => true,
        Priority::May => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_may_needs_no_step() {
        assert!(needs_step(Priority::Must) && needs_step(Priority::Should));
        assert!(!needs_step(Priority::May));
    }

    #[test]
    fn bare_texts_are_numbered() {
        assert_eq!(positional_id(1), "REQ-001");
        assert_eq!(positional_id(1234), "REQ-1234");
    }
}
