//! Cargo.toml and Cargo.lock.

use super::{Group, Listing, Package};
use crate::model::claim::evidence::Reason;
use crate::preflight::data::{self, Format, Map, Node};

/// The tables of dependencies.
const TABLES: [(&str, Group); 5] = [
    ("dependencies", Group::Normal),
    ("dev-dependencies", Group::Dev),
    ("dev_dependencies", Group::Dev),
    ("build-dependencies", Group::Build),
    ("build_dependencies", Group::Build),
];

/// Reads a manifest.
pub(super) fn manifest(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Toml, text)?;
    let mut listing = Listing::default();
    let shared = document.at(&["workspace", "dependencies"]).here()?;
    tables(&document, shared, &mut listing);
    if let Some(targets) = document.at(&["target"]).here()?.and_then(Node::map) {
        for (_, target) in &targets.members {
            tables(target, shared, &mut listing);
        }
    }
    Ok(listing)
}

/// Takes the dependencies out of the tables of a manifest, or of one of its targets.
fn tables(at: &Node, shared: Option<&Node>, listing: &mut Listing) {
    for (name, group) in TABLES {
        let table = at.map().and_then(|map| map.get(name)).and_then(Node::map);
        for (key, node) in table.map_or(&[][..], |table| &table.members) {
            dependency(key, node, (group, shared), listing);
        }
    }
}

/// Takes one dependency.
fn dependency(key: &str, node: &Node, at: (Group, Option<&Node>), listing: &mut Listing) {
    let (group, shared) = at;
    let is_shared = flag(node.map(), "workspace");
    let of_workspace = shared
        .and_then(Node::map)
        .and_then(|shared| shared.get(key));
    let stated = if is_shared { of_workspace } else { Some(node) };
    let Some(stated) = stated else {
        // The name that it has there may be another one.
        listing.is_open = true;
        return;
    };
    let package = stated.map().and_then(|map| map.get("package"));
    let name = package.and_then(Node::text).unwrap_or(key);
    let is_optional = flag(node.map(), "optional");
    let group = if is_optional { Group::Optional } else { group };
    listing.add(name, group, node.span.clone());
}

/// Says whether a member is true.
fn flag(map: Option<&Map>, key: &str) -> bool {
    let member = map.and_then(|map| map.get(key));
    member
        .and_then(Node::as_scalar)
        .is_some_and(|scalar| scalar.text == "true")
}

/// Reads a lock file.
pub(super) fn lock(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Toml, text)?;
    Ok(Listing {
        packages: packages(&document)?,
        is_open: false,
    })
}

/// Reads the packages of a lock file, as Cargo, poetry and uv write them.
pub(super) fn packages(document: &Node) -> Result<Vec<Package>, Reason> {
    let Some(list) = document.at(&["package"]).here()? else {
        return Ok(Vec::new());
    };
    let list = list.list().ok_or(Reason::ParseError)?;
    let one = |node: &Node| {
        let text = |key: &str| node.map().and_then(|map| map.get(key)).and_then(Node::text);
        let version = node.map().and_then(|map| map.get("version"));
        Ok(Package {
            name: text("name").ok_or(Reason::ParseError)?.to_owned(),
            group: Group::Normal,
            version: text("version").map(str::to_owned),
            span: version.unwrap_or(node).span.clone(),
        })
    };
    list.iter().map(one).collect()
}
