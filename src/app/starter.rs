//! The plan skeleton that `init --starter` writes.

use std::path::Path;

use super::session::local;
use crate::engine::stop::Stop;
use crate::local::file::{self, Readers};
use crate::model::finding::{Finding, judging as rows};
use crate::model::time::Timestamp;
use crate::wire::plan::SKELETON_TASK;

/// A plan that is valid as it stands; its one check fails until it is replaced.
const PLAN: &str = r#"{
  "task": "@TASK@",
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
    let text = skeleton(&now.to_string());
    file::write(path, text.as_bytes(), Readers::Usual).map_err(local)
}

/// Fills in the skeleton.
fn skeleton(created: &str) -> String {
    PLAN.replace("@TASK@", SKELETON_TASK)
        .replace("@CREATED@", created)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::PlanName;

    #[test]
    fn the_skeleton_is_a_valid_plan_that_is_called_one() {
        let text = skeleton("2026-01-01T00:00:00Z");

        let reading = crate::wire::plan::read(&PlanName::default_plan(), "p", text.as_bytes());

        assert!(reading.contract.is_some(), "{:?}", reading.findings);
        let codes: Vec<&str> = reading.findings.iter().map(|each| each.row.code).collect();
        assert_eq!(codes, ["plan-skeleton"]);
    }
}
