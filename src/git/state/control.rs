//! What steers git here: configuration, hooks, `info/`, replaced objects (D18).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use gix::refs::TargetRef;

use super::Cause;
use super::control_keys::covers;
use super::flags::Flags;
use crate::git::open::Repository;
use crate::git::plain;
use crate::model::ids::Digest;
use crate::model::state::{Control, Flag};
use crate::wire::digest::{Hasher, Label};

/// How many names of a directory are looked at; beyond, only their number counts.
const MOST: usize = 4096;
/// How deep `info/` is looked into.
const DEEPEST: usize = 8;

/// Reads what steers git, and flags what changes the meaning of objects.
pub(super) fn read(repository: &Repository, flags: &mut Flags) -> Result<Control, Cause> {
    if has_grafts(repository)? {
        flags.add(Flag::Grafts, b"info/grafts");
    }
    Ok(Control {
        config: config(repository, flags),
        hooks: directory(&hooks(repository)?, Depth::Flat, &[])?,
        info: info(repository)?,
        replace: replace(repository, flags)?,
    })
}

impl Repository {
    /// Names what makes git show other objects than the true ones, which are judged here: refs below
    /// `refs/replace/`, also broken ones, and grafts.
    pub(crate) fn disguises(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Ok(refs) = self.gix.references()
            && let Ok(refs) = refs.prefixed("refs/replace/")
        {
            let count = refs.count();
            found.extend((count > 0).then(|| format!("refs below refs/replace/ ({count})")));
        }
        // What cannot be read steers git no more than what is not there.
        if has_grafts(self).unwrap_or_default() {
            found.push("info/grafts".to_owned());
        }
        found
    }
}

/// Returns the digest over the keys that run programs or move things.
fn config(repository: &Repository, flags: &mut Flags) -> Digest {
    let mut hasher = Hasher::labelled(Label::Control);
    for one in repository.configuration() {
        if one.key == "attr.tree" {
            // Git then reads attributes from a tree, which we do not.
            flags.add(Flag::Unsupported, b"attr.tree");
        }
        if covers(&one.key) {
            hasher.framed(one.scope.as_str().as_bytes());
            hasher.framed(&one.key);
            hasher.update(&[u8::from(one.value.is_some())]);
            hasher.framed(&one.value.unwrap_or_default());
        }
    }
    hasher.finish()
}

/// Finds the directory of hooks as git does: relative to the top of the work tree.
fn hooks(repository: &Repository) -> Result<PathBuf, gix::Error> {
    let snapshot = repository.gix.config_snapshot();
    Ok(match snapshot.trusted_path("core.hooksPath")? {
        Some(path) => repository
            .work_dir()
            .map_or(path.clone(), |top| top.join(&path)),
        None => repository.common_dir().join("hooks"),
    })
}

/// Returns the digest over `info/`, shared and private.
///
/// `info/refs` is not read: it steers nothing, and maintenance writes it.
fn info(repository: &Repository) -> io::Result<Digest> {
    let mut hasher = Hasher::labelled(Label::Control);
    let mut dirs = vec![repository.common_dir().join("info")];
    if repository.git_dir() != repository.common_dir() {
        dirs.push(repository.git_dir().join("info"));
    }
    for dir in dirs {
        hasher.update(directory(&dir, Depth::Deep, &["refs"])?.as_bytes());
    }
    Ok(hasher.finish())
}

/// Says whether grafts change the parents of commits for git.
fn has_grafts(repository: &Repository) -> io::Result<bool> {
    let path = repository.common_dir().join("info/grafts");
    let bytes = plain::read(&path)?.unwrap_or_default();
    let mut lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines.any(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#")))
}

/// Returns the digest over replaced objects.
fn replace(repository: &Repository, flags: &mut Flags) -> Result<Digest, Cause> {
    let mut hasher = Hasher::labelled(Label::Control);
    let refs = repository.gix.references()?;
    let mut found: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for reference in refs.prefixed("refs/replace/")? {
        let reference = reference?;
        let name = reference.name().as_bstr().to_vec();
        let target = match reference.target() {
            TargetRef::Object(id) => id.as_bytes().to_vec(),
            TargetRef::Symbolic(name) => name.as_bstr().to_vec(),
        };
        found.insert(name, target);
    }
    for (name, target) in found {
        flags.add(Flag::Replace, &name);
        hasher.framed(&name);
        hasher.framed(&target);
    }
    Ok(hasher.finish())
}

/// How deep a directory is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Its files only.
    Flat,
    /// With directories below it.
    Deep,
}

/// Returns the digest over the names, modes and bytes of a directory; a missing one is empty.
fn directory(dir: &Path, depth: Depth, but: &[&str]) -> io::Result<Digest> {
    let mut hasher = Hasher::labelled(Label::Control);
    let mut pending = vec![(dir.to_owned(), Vec::new(), 0)];
    while let Some((dir, prefix, level)) = pending.pop() {
        let mut names = names(&dir)?;
        names.retain(|name| !prefix.is_empty() || but.iter().all(|but| name != but.as_bytes()));
        let count = u64::try_from(names.len()).unwrap_or(u64::MAX);
        hasher.update(&count.to_be_bytes());
        for name in names.into_iter().take(MOST) {
            let path = dir.join(OsStr::from_bytes(&name));
            let shown = [prefix.as_slice(), &name].concat();
            let is_directory = one(&mut hasher, &shown, &path)?;
            if is_directory && depth == Depth::Deep && level < DEEPEST {
                pending.push((path, [shown.as_slice(), b"/"].concat(), level + 1));
            }
        }
    }
    Ok(hasher.finish())
}

/// Lists the names in a directory, sorted.
fn names(dir: &Path) -> io::Result<Vec<Vec<u8>>> {
    let listed = match std::fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in listed {
        names.push(entry?.file_name().into_vec());
    }
    names.sort();
    Ok(names)
}

/// Adds one name; says whether it is a directory.
///
/// A link counts with its text and with what it leads to. Bytes beyond the limit, and what may not
/// be read, count by size and time.
fn one(hasher: &mut Hasher, name: &[u8], path: &Path) -> io::Result<bool> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    hasher.framed(name);
    hasher.update(&meta.permissions().mode().to_be_bytes());
    if meta.is_symlink() {
        let text = std::fs::read_link(path)?;
        hasher.framed(text.as_os_str().as_bytes());
    }
    if let Ok(bytes) = plain::read(path) {
        hasher.framed(&bytes.unwrap_or_default());
    } else {
        hasher.update(&meta.len().to_be_bytes());
        hasher.update(&meta.mtime().to_be_bytes());
        hasher.update(&meta.mtime_nsec().to_be_bytes());
    }
    Ok(meta.is_dir())
}
