//! pyproject.toml, files of requirements, and the locks of poetry and uv.

use std::ops::Range;

use super::{Group, Listing, Package, cargo};
use crate::model::claim::evidence::Reason;
use crate::preflight::data::{self, Format, Node};

/// Writes a name as the index compares it (PEP 503).
pub(super) fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for sign in name.chars() {
        if !['-', '_', '.'].contains(&sign) {
            normal.push(sign.to_ascii_lowercase());
        } else if !normal.ends_with('-') {
            normal.push('-');
        }
    }
    normal
}

/// Reads a lock file of poetry or uv.
pub(super) fn lock(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Toml, text)?;
    Ok(Listing {
        packages: cargo::packages(&document)?,
        is_open: false,
    })
}

/// Reads a project (PEP 621, PEP 735, PEP 518, poetry, uv).
pub(super) fn project(text: &str) -> Result<Listing, Reason> {
    let document = data::read(Format::Toml, text)?;
    let mut listing = Listing::default();
    let dynamic = document.at(&["project", "dynamic"]).here()?;
    let mut dynamic = dynamic.and_then(Node::list).unwrap_or_default().iter();
    listing.is_open = dynamic.any(|item| {
        item.text()
            .is_some_and(|text| text.ends_with("dependencies"))
    });
    for (path, group) in [
        (&["project", "dependencies"][..], Group::Normal),
        (&["build-system", "requires"], Group::Build),
        (&["tool", "uv", "dev-dependencies"], Group::Dev),
    ] {
        if let Some(list) = document.at(path).here()? {
            specifiers(list, group, &mut listing)?;
        }
    }
    for (path, group) in [
        (&["project", "optional-dependencies"][..], Group::Optional),
        (&["dependency-groups"], Group::Dev),
    ] {
        let lists = document.at(path).here()?.and_then(Node::map);
        for (_, list) in lists.map_or(&[][..], |lists| &lists.members) {
            specifiers(list, group, &mut listing)?;
        }
    }
    poetry(&document, &mut listing)?;
    Ok(listing)
}

/// Takes a list of specifiers; what includes another group of the same file adds nothing.
fn specifiers(list: &Node, group: Group, listing: &mut Listing) -> Result<(), Reason> {
    for item in list.list().ok_or(Reason::ParseError)? {
        if let Some(text) = item.text() {
            let name = name(text).ok_or(Reason::ParseError)?;
            listing.add(name, group, item.span.clone());
        }
    }
    Ok(())
}

/// Takes the tables of poetry.
fn poetry(document: &Node, listing: &mut Listing) -> Result<(), Reason> {
    let at = |path: &[&str]| document.at(path).here();
    let mut tables = vec![
        (at(&["tool", "poetry", "dependencies"])?, Group::Normal),
        (at(&["tool", "poetry", "dev-dependencies"])?, Group::Dev),
    ];
    let groups = at(&["tool", "poetry", "group"])?.and_then(Node::map);
    for (_, node) in groups.map_or(&[][..], |groups| &groups.members) {
        let inside = node.map().and_then(|map| map.get("dependencies"));
        tables.push((inside, Group::Dev));
    }
    for (table, group) in tables {
        let table = table.and_then(Node::map);
        for (key, node) in table.map_or(&[][..], |table| &table.members) {
            let optional = node.map().and_then(|map| map.get("optional"));
            let optional = optional.and_then(Node::as_scalar);
            let is_optional = optional.is_some_and(|scalar| scalar.text == "true");
            let group = if is_optional { Group::Optional } else { group };
            // The language itself stands among them.
            if normal(key) != "python" {
                listing.add(key, group, node.span.clone());
            }
        }
    }
    Ok(())
}

/// Returns the name that a specifier begins with (PEP 508).
fn name(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    let end = text.find(|sign| !is_name(sign)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let follows = rest.trim_start().chars().next();
    let is_one = follows.is_none_or(|sign| "[(<>=!~;@".contains(sign));
    (is_one && name.starts_with(|sign: char| sign.is_ascii_alphanumeric())).then_some(name)
}

/// A line of a file of requirements, and where it stands.
type Line<'t> = (&'t str, Range<usize>);

/// Reads a file of requirements.
pub(super) fn requirements(text: &str) -> Result<Listing, Reason> {
    read_lines(text, |_| None)
}

/// Reads the versions of a file of requirements that are fixed.
pub(super) fn pins(text: &str) -> Result<Listing, Reason> {
    read_lines(text, |line| {
        // Under a condition it is not said which version is taken.
        let line = line.split(" --").next().unwrap_or_default();
        let (before, version) = line.split_once("==")?;
        let is_plain = !before.contains(['<', '>', '!', '~', ';', '@', '=']);
        let version = version.trim();
        let is_fixed = is_plain && !version.contains(['*', ',', ';', '=', ' ']);
        is_fixed.then(|| version.to_owned())
    })
}

/// Reads a file of requirements line by line.
fn read_lines(text: &str, version: fn(&str) -> Option<String>) -> Result<Listing, Reason> {
    let mut listing = Listing::default();
    for (line, span) in lines(text) {
        if line.starts_with('-') {
            // Constraints and indexes add no requirement; everything else may.
            let option = line.split([' ', '=']).next().unwrap_or_default();
            let adds_nothing = [
                "-c",
                "--constraint",
                "-i",
                "--index-url",
                "--extra-index-url",
            ];
            listing.is_open |= !adds_nothing.contains(&option);
            continue;
        }
        // A continued line is not joined: what is on the next one cannot be told from here.
        if line.ends_with('\\') && version(line.trim_end_matches('\\').trim()).is_none() {
            return Err(Reason::Ambiguous);
        }
        let body = line.trim_end_matches('\\').trim();
        match name(body) {
            Some(name) => listing.packages.push(Package {
                name: name.to_owned(),
                group: Group::Normal,
                version: version(body),
                span,
            }),
            // An address or a directory: which package lies there is not said.
            None if body.contains(['/', ':']) || body == "." => listing.is_open = true,
            None => return Err(Reason::ParseError),
        }
    }
    Ok(listing)
}

/// Divides a file into lines without comments; lines that only give hashes to the one before are left out.
fn lines(text: &str) -> Vec<Line<'_>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for whole in text.split_inclusive('\n') {
        let uncommented = match whole.find(" #") {
            _ if whole.trim_start().starts_with('#') => "",
            Some(at) => whole.get(..at).unwrap_or_default(),
            None => whole,
        };
        let body = uncommented.trim();
        let from = start + (uncommented.len() - uncommented.trim_start().len());
        start += whole.len();
        if !body.is_empty() && !body.starts_with("--hash=") {
            found.push((body, from..from + body.len()));
        }
    }
    found
}
