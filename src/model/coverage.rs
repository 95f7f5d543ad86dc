//! Coverage: which requirements the steps of a plan answer.

use std::collections::BTreeSet;

use super::contract::{Priority, Requirement};

/// Returns the id that a requirement written as a bare text has, by its position from 1.
pub(crate) fn positional_id(position: usize) -> String {
    format!("REQ-{position:03}")
}

/// Says whether a requirement of this priority needs a step.
pub(crate) const fn needs_step(priority: Priority) -> bool {
    match priority {
        Priority::Must | Priority::Should => true,
        Priority::May => false,
    }
}

/// Returns the requirements that need a step and have none.
pub(crate) fn uncovered<'a>(
    requirements: &'a [Requirement],
    covered: &BTreeSet<&str>,
) -> Vec<&'a Requirement> {
    let lacks_step = |requirement: &&Requirement| {
        needs_step(requirement.priority) && !covered.contains(requirement.id.as_str())
    };
    requirements.iter().filter(lacks_step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_may_needs_no_step() {
        let requirement = |id: &str, priority| Requirement {
            id: id.to_owned(),
            description: "x".to_owned(),
            priority,
        };
        let all = [
            requirement("a", Priority::Must),
            requirement("b", Priority::Should),
            requirement("c", Priority::May),
            requirement("d", Priority::Must),
        ];

        let left = uncovered(&all, &BTreeSet::from(["d"]));

        let ids: Vec<_> = left
            .iter()
            .map(|requirement| requirement.id.as_str())
            .collect();
        assert_eq!(ids, ["a", "b"]);
    }

    #[test]
    fn bare_texts_are_numbered() {
        assert_eq!(positional_id(1), "REQ-001");
        assert_eq!(positional_id(1234), "REQ-1234");
    }
}
