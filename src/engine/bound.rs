//! Plan files, from a tree or from disk, as contracts or as findings.

use super::ports::{Objects, PlanFile, Workspace};
use super::stop::Stop;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::{Digest, Oid, PlanName};
use crate::wire::{contract, plan};

/// The mode of a directory in a tree.
const DIRECTORY: u32 = 0o040_000;
/// The modes of regular files in a tree.
const FILES: [u32; 2] = [0o100_644, 0o100_755];

/// A plan file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoundPlan {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// Its file.
    pub(crate) path: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// Its contract; none when it is not valid.
    pub(crate) contract: Option<Sealable>,
    /// What is to be said of it; an error among it where there is no contract.
    pub(crate) findings: Vec<Finding>,
}

/// A valid contract in its canonical form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sealable {
    /// The contract.
    pub(crate) contract: Contract,
    /// Its canonical bytes.
    pub(crate) bytes: Vec<u8>,
    /// Their digest.
    pub(crate) digest: Digest,
}

/// Reads the plan files on disk.
pub(crate) fn on_disk(workspace: &dyn Workspace) -> Result<Vec<BoundPlan>, Stop> {
    let files = workspace
        .plans()
        .map_err(Stop::broken("read the plan files"))?;
    Ok(of_files(files))
}

/// Reads plan files that were listed.
pub(crate) fn of_files(files: Vec<PlanFile>) -> Vec<BoundPlan> {
    files.into_iter().map(read).collect()
}

/// Reads the plan files of a tree.
pub(crate) fn in_tree(objects: &dyn Objects, tree: &Oid) -> Result<Vec<BoundPlan>, Stop> {
    files_in_tree(objects, tree).map(of_files)
}

/// Reads one plan file.
fn read(file: PlanFile) -> BoundPlan {
    let PlanFile {
        name,
        path,
        content,
    } = file;
    match content {
        Ok(bytes) => {
            let reading = plan::read(&name, &path, &bytes);
            let contract = reading.contract.map(sealable);
            let findings = reading
                .findings
                .into_iter()
                .map(|each| each.of_plan(&name))
                .collect();
            BoundPlan {
                name,
                path,
                bytes,
                contract,
                findings,
            }
        }
        Err(why) => {
            let finding = Finding::new(&rows::PLAN_INVALID, format!("{path}: {why}"));
            let findings = vec![finding.of_plan(&name)];
            BoundPlan {
                name,
                path,
                bytes: Vec::new(),
                contract: None,
                findings,
            }
        }
    }
}

/// Brings a contract into its canonical form.
fn sealable(contract: Contract) -> Sealable {
    let bytes = contract::write(&contract);
    let digest = contract::digest(&bytes);
    Sealable {
        contract,
        bytes,
        digest,
    }
}

/// Lists the plan files of a tree, `default` first, then by name.
fn files_in_tree(objects: &dyn Objects, tree: &Oid) -> Result<Vec<PlanFile>, Stop> {
    let mut files = hidden_directory(objects, tree)?;
    for directory in [".plan-auditor", ".plan-auditor/plans"] {
        let entries = objects
            .entries(tree, directory)
            .map_err(Stop::broken("read a tree"))?;
        for entry in entries.unwrap_or_default() {
            let path = format!("{directory}/{}", crate::model::text::path(&entry.name));
            if path == ".plan-auditor/plans" {
                files.extend((entry.mode != DIRECTORY).then(|| no_directory(&path)));
            } else {
                files.extend(plan_file(objects, path, entry.mode, &entry.id)?);
            }
        }
    }
    Ok(files)
}

/// Finds a plan directory that is no directory: behind a link plans would bind nothing.
fn hidden_directory(objects: &dyn Objects, tree: &Oid) -> Result<Vec<PlanFile>, Stop> {
    let top = objects
        .entries(tree, "")
        .map_err(Stop::broken("read a tree"))?;
    let found = top
        .into_iter()
        .flatten()
        .find(|entry| entry.name == b".plan-auditor");
    let is_hidden = found.is_some_and(|entry| entry.mode != DIRECTORY);
    Ok(is_hidden
        .then(|| no_directory(".plan-auditor"))
        .into_iter()
        .collect())
}

/// Makes the plan file that stands for a directory which is none.
fn no_directory(path: &str) -> PlanFile {
    PlanFile {
        name: PlanName::default_plan(),
        path: path.to_owned(),
        content: Err("it is no directory".to_owned()),
    }
}

/// Reads one entry of the plan directories; none when it is no plan.
fn plan_file(
    objects: &dyn Objects,
    path: String,
    mode: u32,
    id: &Oid,
) -> Result<Option<PlanFile>, Stop> {
    let name = match plan::plan_name_of(&path) {
        Ok(None) => return Ok(None),
        Ok(Some(name)) => name,
        Err(why) => {
            return Ok(Some(PlanFile {
                name: PlanName::default_plan(),
                path,
                content: Err(why),
            }));
        }
    };
    let content = if FILES.contains(&mode) {
        let blob = objects.blob(id).map_err(Stop::broken("read a plan file"))?;
        Ok(blob.ok_or_else(|| missing(&path, id))?)
    } else {
        Err("it is no regular file".to_owned())
    };
    Ok(Some(PlanFile {
        name,
        path,
        content,
    }))
}

/// Says that a plan file's object is not here.
fn missing(path: &str, id: &Oid) -> Stop {
    let finding = Finding::new(
        &rows::HISTORY,
        format!("{path} ({id}) is not in this clone"),
    );
    Stop::Unknown(vec![finding.hint("git fetch --no-filter --refetch")])
}
