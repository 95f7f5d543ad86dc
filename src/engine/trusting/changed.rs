//! What of a judged place differs from the trust point in what carries trust, and what ends that.
//!
//! A line of work that never touched these files may have left before they changed: what it holds is
//! older, and a merge takes what the trust point has. That alone is no failure. It is one as soon as
//! any commit of the line, or any commit of the trust point's history that it grew from, holds
//! something else: then a merge could bring it.

use std::collections::BTreeSet;

use super::{DIRECTORY, POLICIES, Trusting, rows, tree_of, trust_files};
use crate::engine::ports::Objects;
use crate::engine::stop::Stop;
use crate::model::finding::Finding;
use crate::model::ids::Oid;
use crate::model::record::TrustChange;
use crate::model::state::{TRUST_FILES, TrustFiles};
use crate::trust::signers::Source;

/// Where a judged place comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The commit that is judged, or on which the workspace stands.
    pub(crate) tip: Option<&'a Oid>,
    /// The tree that an update replaces.
    pub(crate) old: Replaced<'a>,
}

/// What the judged place replaces.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replaced<'a> {
    /// Nothing: no update is judged.
    Nothing,
    /// What has this tree.
    Tree(&'a Oid),
    /// Something that is not all here.
    Unknown,
}

impl Trusting {
    /// Says what of the judged files differs from the trust point in what carries trust.
    pub(crate) fn changed(
        &self,
        objects: &dyn Objects,
        after: &TrustFiles,
        line: Line<'_>,
    ) -> Result<Option<Finding>, Stop> {
        let Some(point) = self.tree.as_ref().filter(|_| !self.has_accepted) else {
            return Ok(None);
        };
        let differs = differing(&trust_files(objects, point)?, after);
        if differs.is_empty() {
            return Ok(None);
        }
        let names = differs.join(", ");
        if self.signers_source() == &Source::OwnKeys {
            let message = format!("{names} in {DIRECTORY}/ differ from the trust point");
            return Ok(Some(Finding::new(&rows::TRUST_CHANGED_UNLISTED, message)));
        }
        let point = self.point_name();
        let touches = self.touches(objects, after, line)?;
        Ok(Some(match touches {
            Touches::Nothing => {
                let message = format!(
                    "{names} in {DIRECTORY}/ have changed at {point} since this line of work left it: \
                     what is there counts"
                );
                Finding::new(&rows::TRUST_BEHIND, message)
            }
            Touches::Replaces => {
                let message = format!(
                    "{names} in {DIRECTORY}/ differ from the trust point, which has newer ones"
                );
                Finding::new(&rows::TRUST_CHANGED, message)
                    .hint(format!("git merge {point} takes over what is there"))
            }
            Touches::Files => {
                let message = format!("{names} in {DIRECTORY}/ differ from the trust point");
                Finding::new(&rows::TRUST_CHANGED, message).hint(self.way_out(&differs))
            }
        }))
    }

    /// Says whether a line of work could bring other files of trust to the trust point.
    fn touches(
        &self,
        objects: &dyn Objects,
        after: &TrustFiles,
        line: Line<'_>,
    ) -> Result<Touches, Stop> {
        let (Some(point), Some(tip)) = (&self.point, line.tip) else {
            return Ok(Touches::Files);
        };
        let walk = objects
            .between(tip, Some(&point.commit))
            .map_err(Stop::broken("walk to the trust point"))?;
        if !walk.complete {
            return Ok(Touches::Files);
        }
        let mut around: BTreeSet<Oid> = walk.commits.into_iter().chain([*tip]).collect();
        let mut left = BTreeSet::new();
        for id in &around {
            let commit = objects.commit(id).map_err(Stop::broken("read a commit"))?;
            match commit {
                // What a root holds comes from nowhere but this line.
                Some(commit) if commit.parents.is_empty() => return Ok(Touches::Files),
                Some(commit) => left.extend(commit.parents),
                None => return Ok(Touches::Files),
            }
        }
        around.extend(left);
        for id in &around {
            if trust_files(objects, &tree_of(objects, id)?)? != *after {
                return Ok(Touches::Files);
            }
        }
        Ok(match line.old {
            Replaced::Nothing => Touches::Nothing,
            Replaced::Tree(tree) if trust_files(objects, tree)? == *after => Touches::Nothing,
            Replaced::Tree(_) | Replaced::Unknown => Touches::Replaces,
        })
    }

    /// Names the trust point as a person does.
    fn point_name(&self) -> &str {
        let name = self
            .point
            .as_ref()
            .map_or("HEAD", |point| point.name.as_str());
        name.strip_prefix("refs/remotes/").unwrap_or(name)
    }

    /// Says what ends a change of trust: people decide, or the trust point holds it; or a person
    /// accepts what its tip holds in this clone.
    fn way_out(&self, differs: &[&str]) -> String {
        let point = self.point_name();
        let is_tip = self.point.as_ref().is_some_and(|point| point.is_parent);
        if is_tip && !differs.contains(&POLICIES) {
            let tip = point.trim_end_matches('^');
            return format!(
                "git show {tip} -- {DIRECTORY} shows the change; git plan-audit init --no-hooks accepts the \
                 signers and settings at {tip} in this clone; commits after {tip} are judged by them"
            );
        }
        format!(
            "git diff {point} -- {DIRECTORY} shows it; if this line of work is not meant to change it: git \
             merge {point}. If it is, somebody decides who is listed at {point} and may approve: git plan-audit \
             review --approve -m TEXT COMMIT, git plan-audit sync. Where nobody can, people look at it alone on a \
             branch, pushed with git push --no-verify and merged by somebody who may push to {point}: what comes \
             after is judged by it"
        )
    }
}

/// What a line of work does to what carries trust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Touches {
    /// It has what the trust point had where it left.
    Nothing,
    /// It has that too, and would be put in the place of what is newer.
    Replaces,
    /// It has something else.
    Files,
}

/// Lists the files that differ, as they are now.
pub(crate) fn differing_files(before: &TrustFiles, after: &TrustFiles) -> TrustChange {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path));
    differing
        .map(|path| (path.clone(), after.get(path).copied()))
        .collect()
}

/// Names the files and directories that differ.
fn differing(before: &TrustFiles, after: &TrustFiles) -> Vec<&'static str> {
    let of = |files: &TrustFiles, name: &str| -> TrustFiles {
        let files = files.clone().into_iter();
        let is_of = |path: &str| path.split('/').next() == Some(name);
        files.filter(|(path, _)| is_of(path)).collect()
    };
    TRUST_FILES
        .into_iter()
        .filter(|name| of(before, name) != of(after, name))
        .collect()
}
