//! What lies in a notes tree and is no note: it is nobody's evidence, is carried along, and is told.

use std::collections::BTreeSet;

use super::super::ids::from_gix;
use super::super::objects::ObjectsError;
use super::super::open::Repository;
use super::fanout::{Named, read};
use crate::model::ids::Oid;

/// How many are named.
const MOST: usize = 1_000;

/// Names the entries that are no notes, each directory read once; what lies below one that leads to
/// no note is not looked at.
pub(super) fn of(repo: &Repository, root: &Oid) -> Result<Vec<String>, ObjectsError> {
    let digits = repo.gix.object_hash().len_in_hex();
    let mut seen = BTreeSet::from([*root]);
    let mut waiting = vec![(String::new(), String::new(), *root)];
    let mut strays = BTreeSet::new();
    while let Some((prefix, path, id)) = waiting.pop() {
        for entry in read(repo, &id)? {
            let object = from_gix(&entry.oid);
            let name = format!("{path}{}", entry.filename);
            match Named::of(&prefix, &entry, digits) {
                Named::Directory(below) if seen.insert(object) => {
                    waiting.push((below, format!("{name}/"), object));
                }
                Named::Directory(_) | Named::Note(_) => {}
                Named::Nothing if strays.len() < MOST => {
                    strays.insert(name);
                }
                Named::Nothing => return Ok(strays.into_iter().collect()),
            }
        }
    }
    Ok(strays.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    #[test]
    fn only_what_is_no_note_is_named() {
        let world = World::new();
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let note = "1".repeat(40);
        world.git(&["read-tree", "--empty"]);
        let below = format!("12/{}", "1".repeat(38));
        for (mode, name) in [
            ("100644", note.as_str()),
            ("100644", &below),
            ("100644", "README"),
            ("120000", &"2".repeat(40)),
            ("100644", "12/README"),
            ("100644", "zz/notes/x"),
            ("100644", &"A".repeat(40)),
        ] {
            let entry = format!("{mode},{},{name}", blob.trim());
            world.git(&["update-index", "--add", "--cacheinfo", &entry]);
        }
        let tree = world.git(&["write-tree"]);

        let found = of(&world.repository(), &Oid::parse(tree.trim()).unwrap()).unwrap();

        let (link, capitals) = ("2".repeat(40), "A".repeat(40));
        assert_eq!(found, ["12/README", &link, &capitals, "README", "zz"]);
    }
}
