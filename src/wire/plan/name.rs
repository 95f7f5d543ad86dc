//! Which paths of a tree are plan files, and what the plans are called.

use crate::model::ids::PlanName;
use crate::model::text;

/// Returns the plan whose file lies at a path from the top of the tree; none if it is no plan file.
///
/// What looks like a plan file and has a name that no plan may have is an error with the reason,
/// never passed over: a plan that nobody reads would bind nothing without a word.
pub(crate) fn plan_name_of(path: &str) -> Result<Option<PlanName>, String> {
    if path == ".plan-auditor/plan.json" {
        return Ok(Some(PlanName::default_plan()));
    }
    let Some(file) = path.strip_prefix(".plan-auditor/plans/") else {
        return Ok(None);
    };
    let Some((stem, suffix)) = split_suffix(file) else {
        return Ok(None);
    };
    named(stem, suffix).map(Some)
}

/// Splits the name of a file in `plans/` where it ends in `.json` in whatever case.
fn split_suffix(file: &str) -> Option<(&str, &str)> {
    let (stem, suffix) = file.rsplit_once('.')?;
    (!file.contains('/') && suffix.eq_ignore_ascii_case("json")).then_some((stem, suffix))
}

/// Reads the name of a plan file.
fn named(stem: &str, suffix: &str) -> Result<PlanName, String> {
    if stem == PlanName::DEFAULT {
        return Err("`default` is the plan in .plan-auditor/plan.json; \
                    no file in plans/ may take its name"
            .to_owned());
    }
    // `a.json` and `a.JSON` would be two files of one plan, and one of them would go unread.
    if suffix != "json" {
        return Err(format!(
            "the suffix `.{}` is to be spelt `.json`",
            text::shown(suffix)
        ));
    }
    PlanName::parse(stem).ok_or_else(|| {
        let shown = text::shown(stem);
        format!("`{shown}` is no name of a plan: letters, digits, `.`, `_`, `-`, at most 128")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_files_have_the_names_of_their_plans() {
        let name = |path| plan_name_of(path).unwrap().map(|name| name.to_string());

        assert_eq!(name(".plan-auditor/plan.json").unwrap(), "default");
        assert_eq!(
            name(".plan-auditor/plans/cache.v2.json").unwrap(),
            "cache.v2"
        );
        assert_eq!(name(".plan-auditor/plans/plan.json").unwrap(), "plan");
    }

    #[test]
    fn other_files_are_no_plans() {
        for path in [
            "plan.json",
            ".plan-auditor/other.json",
            ".plan-auditor/plans/a.txt",
            ".plan-auditor/plans/sub/a.json",
            ".plan-auditor/plans/json",
            "sub/.plan-auditor/plan.json",
        ] {
            assert_eq!(plan_name_of(path), Ok(None), "{path}");
        }
    }

    #[test]
    fn bad_names_are_errors_and_not_passed_over() {
        for file in [
            "default.json",
            "a.JSON",
            "-a.json",
            ".json",
            "a b.json",
            "ü.json",
            "..json",
        ] {
            assert!(
                plan_name_of(&format!(".plan-auditor/plans/{file}")).is_err(),
                "{file}"
            );
        }
    }

    #[test]
    fn a_name_and_its_path_belong_together() {
        for name in ["default", "a", "cache.v2"] {
            let name = PlanName::parse(name).unwrap();
            assert_eq!(plan_name_of(&name.path()), Ok(Some(name)));
        }
    }
}
