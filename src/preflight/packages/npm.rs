//! package.json, package-lock.json and pnpm-lock.yaml.

use super::{Group, Listing, Package};
use crate::model::claim::evidence::Reason;
use crate::preflight::data::{self, Format, Node};

/// The members of a manifest that hold dependencies.
const MEMBERS: [(&str, Group); 4] = [
    ("dependencies", Group::Normal),
    ("devDependencies", Group::Dev),
    ("optionalDependencies", Group::Optional),
    ("peerDependencies", Group::Peer),
];
/// How a specification begins that takes another package under this name.
const ALIAS: &str = "npm:";

/// Reads a manifest.
pub(super) fn manifest(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Json, text)?;
    let members = document.map().ok_or(Reason::ParseError)?;
    let mut listing = Listing::default();
    for (name, group) in MEMBERS {
        let list = members.get(name).and_then(Node::map);
        for (key, node) in list.map_or(&[][..], |list| &list.members) {
            let alias = node.text().and_then(|text| text.strip_prefix(ALIAS));
            let name = alias.map_or(key.as_str(), |alias| divided(alias).0);
            listing.add(name, group, node.span.clone());
        }
    }
    Ok(listing)
}

/// Divides `name@version`; a scope begins with the same sign.
fn divided(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() => (name, Some(version)),
        Some(_) | None => (text, None),
    }
}

/// Reads a lock file of npm, version 2 or 3.
pub(super) fn lock(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Json, text)?;
    let version = document.at(&["lockfileVersion"]).here()?;
    let version = version.and_then(Node::as_scalar);
    if !version.is_some_and(|version| ["2", "3"].contains(&version.text.as_str())) {
        return Err(Reason::UnsupportedLanguage);
    }
    let packages = document.at(&["packages"]).here()?.and_then(Node::map);
    let packages = packages.ok_or(Reason::ParseError)?;
    let mut listing = Listing::default();
    // The first key, which is empty, is the project itself.
    for (key, node) in packages.members.iter().filter(|(key, _)| !key.is_empty()) {
        let map = node.map().ok_or(Reason::ParseError)?;
        // A link stands for another entry.
        if map.get("link").is_some() {
            continue;
        }
        let own = map.get("name").and_then(Node::text);
        let placed = key.rsplit_once("node_modules/").map(|(_, name)| name);
        let Some(name) = own.or(placed) else {
            continue;
        };
        let version = map.get("version");
        listing.packages.push(Package {
            name: name.to_owned(),
            group: Group::Normal,
            version: version.and_then(Node::text).map(str::to_owned),
            span: version.unwrap_or(node).span.clone(),
        });
    }
    Ok(listing)
}

/// Reads a lock file of pnpm, version 5, 6 or 9.
pub(super) fn pnpm(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Yaml, text)?;
    let version = document.at(&["lockfileVersion"]).here()?;
    let version = version.and_then(Node::as_scalar);
    let version = version.map_or("", |scalar| scalar.text.as_str());
    let major = version.split('.').next().unwrap_or_default();
    let divide: fn(&str) -> Option<(&str, &str)> = match major {
        "5" => |key| key.strip_prefix('/')?.rsplit_once('/'),
        "6" => |key| at(key.strip_prefix('/')?),
        "9" => at,
        _ => return Err(Reason::UnsupportedLanguage),
    };
    let Some(packages) = document.at(&["packages"]).here()? else {
        return Ok(Listing::default());
    };
    let packages = packages.map().ok_or(Reason::ParseError)?;
    let mut listing = Listing::default();
    for (key, node) in &packages.members {
        let text = |member: &str| {
            node.map()
                .and_then(|map| map.get(member))
                .and_then(Node::text)
        };
        let (name, version) = match (text("name"), divide(key)) {
            (Some(name), _) => (name, text("version")),
            (None, Some((name, version))) => (name, Some(version)),
            // What comes from elsewhere, and says no name.
            (None, None) => {
                listing.is_open = true;
                continue;
            }
        };
        // Version 5 writes peers behind the version, after this sign.
        let plain = version.and_then(|version| version.split(['(', '_']).next());
        listing.packages.push(Package {
            name: name.to_owned(),
            group: Group::Normal,
            version: plain.map(str::to_owned),
            span: node.span.clone(),
        });
    }
    Ok(listing)
}

/// Divides a key of pnpm into name and version, without the peers that follow in brackets.
fn at(key: &str) -> Option<(&str, &str)> {
    let key = key.split('(').next()?;
    let (name, version) = divided(key);
    Some((name, version?))
}
