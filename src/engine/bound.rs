//! Plan files, from a tree or from disk, as contracts or as findings.

use std::collections::BTreeMap;

use super::ports::{Objects, PlanFile, Workspace};
use super::stop::Stop;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::{Digest, Oid, PlanName};
use crate::wire::{contract, plan};

mod budget;

use budget::{Budget, MOST_FILES};

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

/// Reads plan files that were listed, up to the first that is beyond the budget of a tree: that one is
/// no valid plan, so that nothing passes with it.
pub(crate) fn of_files(files: Vec<PlanFile>) -> Vec<BoundPlan> {
    let mut budget = Budget::of_tree();
    let mut plans = Vec::new();
    let mut spent = Ok(());
    for file in files {
        let length = file.content.as_ref().map_or(0, Vec::len);
        let taken = spent.and_then(|()| budget.take_file(length));
        let content = taken.map_err(beyond).and(file.content);
        let (plan, compiled) = read(PlanFile { content, ..file });
        plans.push(plan);
        if taken.is_err() {
            break;
        }
        spent = budget.take_compiled(compiled);
    }
    plans
}

/// Says why a plan file is not read.
fn beyond(why: &str) -> String {
    format!("it is not read: of the plan files before it and this one, {why}")
}

/// Reads the plan files of a tree.
pub(crate) fn in_tree(objects: &dyn Objects, tree: &Oid) -> Result<Vec<BoundPlan>, Stop> {
    let mut budget = Budget::of_tree();
    let mut files = Vec::new();
    for Named { path, name, blob } in named_in_tree(objects, tree)? {
        let content = match blob {
            Ok(id) => {
                let bytes = bytes_of(objects, &path, &id)?;
                let taken = budget.take_file(bytes.len());
                taken.map(|()| bytes).map_err(beyond)
            }
            Err(why) => Err(why),
        };
        let is_spent = content.is_err() && budget.is_spent();
        files.push(PlanFile {
            name,
            path,
            content,
        });
        if is_spent {
            break;
        }
    }
    Ok(of_files(files))
}

/// What is known of plan files by their blobs: each is read once, however often it is named.
#[derive(Debug)]
pub(crate) struct Known {
    budget: Budget,
    contracts: BTreeMap<Oid, Option<Digest>>,
}

impl Known {
    /// Knows nothing.
    pub(crate) const fn nothing() -> Self {
        Self {
            budget: Budget::of_history(),
            contracts: BTreeMap::new(),
        }
    }

    /// Lists the valid contracts of a tree. Where reading them all would take too long, nothing is
    /// known of what was sealed.
    pub(crate) fn contracts_in_tree(
        &mut self,
        objects: &dyn Objects,
        tree: &Oid,
    ) -> Result<Vec<(PlanName, Digest)>, Stop> {
        let mut found = Vec::new();
        let named = named_in_tree(objects, tree)?.into_iter();
        // What is beyond was no plan when that tree was judged, and was never sealed.
        for Named { path, name, blob } in named.take(MOST_FILES) {
            let Ok(blob) = blob else { continue };
            let contract = match self.contracts.get(&blob) {
                Some(known) => *known,
                None => self.read(objects, (&path, &name), &blob)?,
            };
            found.extend(contract.map(|digest| (name, digest)));
        }
        Ok(found)
    }

    /// Reads one blob.
    fn read(
        &mut self,
        objects: &dyn Objects,
        (path, name): (&str, &PlanName),
        blob: &Oid,
    ) -> Result<Option<Digest>, Stop> {
        let bytes = bytes_of(objects, path, blob)?;
        self.budget.take_file(bytes.len()).map_err(too_much)?;
        let (plan, compiled) = read(PlanFile {
            name: name.clone(),
            path: path.to_owned(),
            content: Ok(bytes),
        });
        self.budget.take_compiled(compiled).map_err(too_much)?;
        let contract = plan.contract.map(|sealable| sealable.digest);
        self.contracts.insert(*blob, contract);
        Ok(contract)
    }
}

/// Says that the plan files of a history are not all read.
fn too_much(why: &str) -> Stop {
    let message = format!("the plan files since the fork point are not all read: {why}");
    Stop::Unknown(vec![
        Finding::new(&rows::HISTORY, message).hint("git log --stat -- .plan-auditor"),
    ])
}

/// Reads one plan file, and says how many bytes its patterns have once compiled.
fn read(file: PlanFile) -> (BoundPlan, usize) {
    let PlanFile {
        name,
        path,
        content,
    } = file;
    match content {
        Ok(bytes) => {
            let reading = plan::read(&name, &path, &bytes);
            let compiled = reading.compiled;
            let contract = reading.contract.map(sealable);
            let findings = reading
                .findings
                .into_iter()
                .map(|each| each.of_plan(&name))
                .collect();
            let plan = BoundPlan {
                name,
                path,
                bytes,
                contract,
                findings,
            };
            (plan, compiled)
        }
        Err(why) => {
            let finding = Finding::new(&rows::PLAN_INVALID, format!("{path}: {why}"));
            let findings = vec![finding.of_plan(&name)];
            let plan = BoundPlan {
                name,
                path,
                bytes: Vec::new(),
                contract: None,
                findings,
            };
            (plan, 0)
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

/// A plan file as a tree names it.
struct Named {
    path: String,
    name: PlanName,
    /// What holds it, or why it is no plan.
    blob: Result<Oid, String>,
}

/// Lists the plan files of a tree, `default` first, then by name.
fn named_in_tree(objects: &dyn Objects, tree: &Oid) -> Result<Vec<Named>, Stop> {
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
                files.extend(plan_file(path, entry.mode, entry.id));
            }
        }
    }
    Ok(files)
}

/// Finds a plan directory that is no directory: behind a link plans would bind nothing.
fn hidden_directory(objects: &dyn Objects, tree: &Oid) -> Result<Vec<Named>, Stop> {
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
fn no_directory(path: &str) -> Named {
    Named {
        name: PlanName::default_plan(),
        path: path.to_owned(),
        blob: Err("it is no directory".to_owned()),
    }
}

/// Names one entry of the plan directories; none when it is no plan.
fn plan_file(path: String, mode: u32, id: Oid) -> Option<Named> {
    let (name, blob) = match plan::plan_name_of(&path) {
        Ok(name) if FILES.contains(&mode) => (name?, Ok(id)),
        Ok(name) => (name?, Err("it is no regular file".to_owned())),
        Err(why) => (PlanName::default_plan(), Err(why)),
    };
    Some(Named { path, name, blob })
}

/// Reads a plan file that must be here.
fn bytes_of(objects: &dyn Objects, path: &str, id: &Oid) -> Result<Vec<u8>, Stop> {
    let blob = objects.blob(id).map_err(Stop::broken("read a plan file"))?;
    blob.ok_or_else(|| missing(path, id))
}

/// Says that a plan file's object is not here.
fn missing(path: &str, id: &Oid) -> Stop {
    let finding = Finding::new(
        &rows::HISTORY,
        format!("{path} ({id}) is not in this clone"),
    );
    Stop::Unknown(vec![finding.hint("git fetch --no-filter --refetch")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{Fake, Proves, plan as text};

    fn file(name: usize, content: &str) -> PlanFile {
        PlanFile {
            name: PlanName::default_plan(),
            path: format!(".plan-auditor/plans/{name}.json"),
            content: Ok(content.into()),
        }
    }

    fn why(plan: &BoundPlan) -> &str {
        &plan.findings.first().unwrap().message
    }

    #[test]
    fn plan_files_beyond_the_budget_of_a_tree_are_not_read() {
        let long = " ".repeat(1 << 20);
        for (content, read, reason) in [
            ("{}", 1_000, "they are too many"),
            (&long, 16, "they are too large, all together"),
        ] {
            let plans = of_files((0..read + 2).map(|name| file(name, content)).collect());

            let (last, before) = plans.split_last().unwrap();
            assert_eq!(before.len(), read);
            assert!(!before.iter().any(|plan| why(plan).contains("not read")));
            assert!(why(last).ends_with(reason), "{}", why(last));
            assert_eq!(last.contract, None);
        }
    }

    #[test]
    fn patterns_are_counted_too() {
        let mut budget = Budget::of_tree();

        assert!(budget.take_compiled(200 << 20).is_ok());
        assert!(budget.take_compiled(100 << 20).is_err());
        assert!(budget.take_compiled(1).is_err());
    }

    #[test]
    fn a_blob_is_read_once_however_often_it_is_named() {
        let fake = Fake::with(Proves::Hmac);
        for name in ["a", "b", "c"] {
            fake.write(&format!(".plan-auditor/plans/{name}.json"), &text("true"));
        }
        fake.commit();
        let tree = fake.resolve("HEAD").unwrap().unwrap().tree;
        let mut known = Known {
            budget: Budget::of_files(1),
            contracts: BTreeMap::new(),
        };

        assert_eq!(known.contracts_in_tree(&fake, &tree).unwrap().len(), 3);
        fake.write(".plan-auditor/plans/d.json", &text("false"));
        fake.commit();
        let tree = fake.resolve("HEAD").unwrap().unwrap().tree;

        let result = known.contracts_in_tree(&fake, &tree);

        assert!(matches!(result, Err(Stop::Unknown(_))), "{result:?}");
    }
}
