//! `dependency_declared`, `dependency_version`: what manifests and lock files say of a package.

use semver::{Version, VersionReq};

use crate::model::claim::evidence::Reason;
use crate::preflight::packages::{self, Listing, Naming, Package};
use crate::preflight::probe::{Answer, Probe, TextFile};

/// Decides `dependency_declared`.
pub(in crate::preflight) fn declared(probe: &mut Probe<'_>) -> Answer {
    let Some((naming, file, listing)) = read(probe, packages::manifest) else {
        return probe.absent();
    };
    let statement = probe.statement();
    let group = statement.optional("group");
    let is_of = |package: &&Package| group.is_none_or(|group| package.group.as_str() == group);
    let mut candidates = listing.packages.iter().filter(is_of);
    match named(&mut candidates, naming, statement.text("name")) {
        Ok(found) if found.is_empty() && listing.is_open => Answer::Unknown(Reason::Ambiguous),
        Ok(found) if found.is_empty() => Answer::Fails,
        Ok(found) => {
            for package in found {
                point(probe, &file, package, true);
            }
            Answer::Holds
        }
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Decides `dependency_version`.
pub(in crate::preflight) fn version(probe: &mut Probe<'_>) -> Answer {
    let Ok(wanted) = VersionReq::parse(probe.statement().text("version")) else {
        // The plan reader refuses these.
        return Answer::Unknown(Reason::ParseError);
    };
    let Some((naming, file, listing)) = read(probe, packages::lock) else {
        return probe.absent();
    };
    let name = probe.statement().text("name");
    let found = match named(&mut listing.packages.iter(), naming, name) {
        Ok(found) if found.is_empty() && listing.is_open => {
            return Answer::Unknown(Reason::Ambiguous);
        }
        // A package that is not there has no version: neither one that meets it nor another.
        Ok(found) if found.is_empty() => return Answer::Vacuous { holds: false },
        Ok(found) => found,
        Err(reason) => return Answer::Unknown(reason),
    };
    let answers = found.iter().map(|package| meets(&wanted, package));
    let Some(answers) = answers.collect::<Option<Vec<bool>>>() else {
        return Answer::Unknown(Reason::Ambiguous);
    };
    let holds = answers.iter().all(|&meets| meets);
    if !holds && answers.iter().any(|&meets| meets) {
        return Answer::Unknown(Reason::Ambiguous);
    }
    for package in found {
        point(probe, &file, package, holds);
    }
    Answer::when(holds)
}

/// Reads the file of packages of a statement.
fn read(
    probe: &mut Probe<'_>,
    reader: fn(&[u8]) -> Option<(Naming, packages::Read)>,
) -> Option<(Naming, TextFile, Listing)> {
    let scope = probe.scope();
    let entry = scope.entries.first()?;
    let Some((naming, read)) = reader(&entry.path) else {
        probe.leave_out(&entry.path, Reason::UnsupportedLanguage);
        return None;
    };
    let file = probe.text(entry)?;
    match read(file.text()) {
        Ok(listing) => Some((naming, file, listing)),
        Err(reason) => {
            probe.leave_out(&entry.path, reason);
            None
        }
    }
}

/// Returns the packages of a name; a reason where it is open whether one is it.
fn named<'p>(
    packages: &mut dyn Iterator<Item = &'p Package>,
    naming: Naming,
    name: &str,
) -> Result<Vec<&'p Package>, Reason> {
    let (mut found, mut is_open) = (Vec::new(), false);
    for package in packages {
        match naming.is_same(name, &package.name) {
            Some(true) => found.push(package),
            Some(false) => {}
            None => is_open = true,
        }
    }
    if found.is_empty() && is_open {
        return Err(Reason::Ambiguous);
    }
    Ok(found)
}

/// Says whether the version of a package meets a requirement; none where that is open. What comes before a
/// release meets only requirements that speak of such versions, and that alone is no failure.
fn meets(wanted: &VersionReq, package: &Package) -> Option<bool> {
    let version = Version::parse(package.version.as_deref()?).ok()?;
    let meets = wanted.matches(&version);
    (meets || version.pre.is_empty()).then_some(meets)
}

/// Notes where a package is named.
fn point(probe: &mut Probe<'_>, file: &TextFile, package: &Package, holds: bool) {
    let range = (!package.span.is_empty()).then(|| file.range(package.span.clone()));
    probe.point(&file.entry, range, holds);
}
