//! What manifests declare and lock files resolve, of several package managers.

mod cargo;
mod go;
mod npm;
mod python;

use std::ops::Range;

use crate::model::claim::evidence::Reason;

/// Where a dependency belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    /// What the program needs.
    Normal,
    /// What work on it needs.
    Dev,
    /// What building it needs.
    Build,
    /// What it can do without.
    Optional,
    /// What its user brings.
    Peer,
}

impl Group {
    /// Returns the word of claims.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Dev => "dev",
            Self::Build => "build",
            Self::Optional => "optional",
            Self::Peer => "peer",
        }
    }
}

/// A package that a file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Package {
    /// Its name as it is spelt.
    pub(super) name: String,
    /// Where it belongs.
    pub(super) group: Group,
    /// Its version; none where none is fixed.
    pub(super) version: Option<String>,
    /// Where it is named.
    pub(super) span: Range<usize>,
}

/// What a file names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Listing {
    /// The packages in the order of the text.
    pub(super) packages: Vec<Package>,
    /// Whether there may be more than is written: another file is included, or a name is inherited.
    pub(super) is_open: bool,
}

impl Listing {
    /// Adds a package without a version.
    fn add(&mut self, name: impl Into<String>, group: Group, span: Range<usize>) {
        self.packages.push(Package {
            name: name.into(),
            group,
            version: None,
            span,
        });
    }
}

/// How the names of packages are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// As they are spelt.
    Exact,
    /// As they are spelt, and no two differ only in `-` and `_`.
    Cargo,
    /// Without case, and `-`, `_` and `.` alike (PEP 503).
    Python,
}

impl Naming {
    /// Says whether two names are the same; none where that is open.
    pub(super) fn is_same(self, one: &str, other: &str) -> Option<bool> {
        match self {
            Self::Exact => Some(one == other),
            Self::Cargo if one == other => Some(true),
            Self::Cargo => (one.replace('_', "-") != other.replace('_', "-")).then_some(false),
            Self::Python => Some(python::normal(one) == python::normal(other)),
        }
    }
}

/// Reads a file of packages.
pub(super) type Read = fn(&str) -> Result<Listing, Reason>;

/// Returns how a manifest is read, by its name.
pub(super) fn manifest(path: &[u8]) -> Option<(Naming, Read)> {
    match name_of(path)? {
        "Cargo.toml" => Some((Naming::Cargo, cargo::manifest)),
        "package.json" => Some((Naming::Exact, npm::manifest)),
        "pyproject.toml" => Some((Naming::Python, python::project)),
        "go.mod" => Some((Naming::Exact, go::declared)),
        name if is_requirements(name) => Some((Naming::Python, python::requirements)),
        _ => None,
    }
}

/// Returns how a lock file is read, by its name.
pub(super) fn lock(path: &[u8]) -> Option<(Naming, Read)> {
    match name_of(path)? {
        "Cargo.lock" => Some((Naming::Cargo, cargo::lock)),
        "package-lock.json" | "npm-shrinkwrap.json" => Some((Naming::Exact, npm::lock)),
        "pnpm-lock.yaml" => Some((Naming::Exact, npm::pnpm)),
        "poetry.lock" | "uv.lock" => Some((Naming::Python, python::lock)),
        "go.mod" => Some((Naming::Exact, go::resolved)),
        name if is_requirements(name) => Some((Naming::Python, python::pins)),
        _ => None,
    }
}

/// Returns the last part of a path.
fn name_of(path: &[u8]) -> Option<&str> {
    let name = path.rsplit(|byte| *byte == b'/').next()?;
    std::str::from_utf8(name).ok()
}

/// Says whether a file is one of requirements, as pip's users name them.
fn is_requirements(name: &str) -> bool {
    let stem = name.strip_suffix(".txt");
    stem.is_some_and(|stem| stem.starts_with("requirements"))
}

#[cfg(test)]
mod tests;
