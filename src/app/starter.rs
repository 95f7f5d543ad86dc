//! The plan skeleton that `init --starter` writes.

use std::path::Path;

use super::session::local;
use crate::engine::stop::Stop;
use crate::local::file::{self, Readers};
use crate::model::finding::{Finding, judging as rows};
use crate::model::time::Timestamp;

/// A plan that is valid as it stands; its one check fails until it is replaced.
const PLAN: &str = r#"{
  "task": "Say in one sentence what the work is",
  "created": "@CREATED@",
  "requirements": [
    { "id": "R1", "description": "Say what must hold when the work is done", "priority": "must" }
  ],
  "steps": [
    {
      "id": 1,
      "title": "Say what this step does",
      "covers": ["R1"],
      "verify": [
        { "type": "run", "cmd": "false", "timeout": 60 }
      ]
    }
  ]
}
"#;

/// Writes the skeleton; a plan directory that is a link is refused.
pub(super) fn write(top: &Path, path: &Path, now: Timestamp) -> Result<(), Stop> {
    let directory = top.join(".plan-auditor");
    let is_link = directory
        .symlink_metadata()
        .is_ok_and(|metadata| !metadata.is_dir());
    if is_link {
        let message = ".plan-auditor is there and is no directory; nothing was written";
        return Err(Stop::refuse(Finding::new(&rows::OCCUPIED, message)));
    }
    std::fs::create_dir_all(&directory)
        .map_err(|error| Stop::broken("make .plan-auditor")(error.into()))?;
    let text = PLAN.replace("@CREATED@", &now.to_string());
    file::write(path, text.as_bytes(), Readers::Usual).map_err(local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::PlanName;

    #[test]
    fn the_skeleton_is_a_valid_plan() {
        let text = PLAN.replace("@CREATED@", "2026-01-01T00:00:00Z");

        let reading = crate::wire::plan::read(&PlanName::default_plan(), "p", text.as_bytes());

        assert!(reading.contract.is_some(), "{:?}", reading.findings);
        assert_eq!(reading.findings, []);
    }
}
