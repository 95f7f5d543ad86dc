//! The name of a plan on the command line.

use crate::model::ids::PlanName;

/// Reads the name of a plan.
pub(super) fn read(text: &str) -> Result<PlanName, String> {
    PlanName::parse(text).ok_or_else(|| {
        "a plan's name is a letter or digit, then letters, digits, `.`, `_`, `-`, 128 at most"
            .to_owned()
    })
}
