//! The plan files among the files of a tree that need not be an object.

use gix::objs::Kind;

use super::super::state::listing::{Entry, Listing};
use super::super::state::objects::object;
use crate::model::ids::PlanName;
use crate::model::repository::PlanFile;
use crate::model::text;
use crate::wire::plan::plan_name_of;

/// Directories of plans: where one of them is no directory, plans would bind nothing.
const DIRECTORIES: [&[u8]; 2] = [b".plan-auditor", b".plan-auditor/plans"];

/// Reads the plan files, `default` first, then by name.
pub(super) fn of(listing: &Listing, gix: &gix::Repository) -> Vec<PlanFile> {
    let entries = listing.entries().iter();
    entries.filter_map(|entry| plan_file(entry, gix)).collect()
}

/// Reads one entry; none when it is no plan.
fn plan_file(entry: &Entry, gix: &gix::Repository) -> Option<PlanFile> {
    let path = text::path(&entry.path);
    let found = |name, content| {
        let path = path.clone();
        Some(PlanFile {
            name,
            path,
            content,
        })
    };
    if DIRECTORIES.contains(&&*entry.path) {
        let why = "it is no directory".to_owned();
        return found(PlanName::default_plan(), Err(why));
    }
    match plan_name_of(&path) {
        Ok(None) => None,
        Err(why) => found(PlanName::default_plan(), Err(why)),
        Ok(Some(name)) if !entry.is_file() => found(name, Err("it is no regular file".to_owned())),
        Ok(Some(name)) => {
            let bytes = object(gix, &entry.id, Kind::Blob);
            let missing = || format!("its object {} is not in this clone", entry.id);
            found(name, bytes.ok_or_else(missing))
        }
    }
}
