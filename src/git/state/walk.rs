//! Walking the work tree for what is not tracked.
//!
//! Our own walk and not that of gix, because it must tell tracked rules from others, go on where a
//! directory cannot be read, and never wait on a FIFO. A directory that a tracked rule ignores and
//! that holds nothing tracked is not entered.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::path::Path;

use gix::bstr::ByteSlice as _;
use nix::dir::{Dir, Type};
use nix::fcntl::AtFlags;
use nix::sys::stat::{SFlag, fstatat};

use super::disk::{Barred, DEEPEST, Found, file_in, kind, look_in, open_directory};
use super::flags::Flags;
use super::ignores::{Ignores, Rules, Seen};
use super::listing::{Entry, Listing};
use super::objects::Blobs;
use super::own;
use crate::git::{nested, plain};
use crate::model::ids::Digest;
use crate::model::state::Flag;
use crate::wire::digest::sha256;

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Untracked files and links that git shows.
    pub(super) untracked: Vec<Vec<u8>>,
    /// What only untracked rules hide; a directory as a whole, with a slash at its end.
    pub(super) hidden: Vec<Vec<u8>>,
    /// The rules that hide it, as `FILE:LINE`.
    pub(super) hidden_by: BTreeSet<Vec<u8>>,
    /// Oddities.
    pub(super) flags: Flags,
    /// Ignore files read from disk, with the digest of their bytes.
    pub(super) rules: Vec<(Vec<u8>, Digest)>,
}

/// A walk in progress.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    /// The top of the work tree.
    top: &'a Path,
    /// The directory that all work trees share.
    common_dir: &'a Path,
    /// The index.
    listing: &'a Listing,
    /// The objects.
    blobs: &'a Blobs<'a>,
    /// The rules in force.
    ignores: Ignores,
    /// What was found.
    walked: Walked,
}

/// A directory to walk.
#[derive(Debug)]
struct Here<'a> {
    /// Its path from the top, without a slash at the end; empty for the top.
    path: &'a [u8],
    /// What the index has below it.
    entries: &'a [Entry],
    /// What becomes of untracked files in it at best.
    seen: Seen,
    /// How deep it lies.
    depth: usize,
}

/// A name in a directory.
#[derive(Debug)]
struct Name {
    /// The name.
    name: Vec<u8>,
    /// What it is.
    kind: Type,
}

/// A directory that was listed.
#[derive(Debug)]
struct Listed {
    /// The directory.
    dir: Dir,
    /// Its names, but for those that were known.
    names: Vec<Name>,
    /// Whether any name may be that of an ignore file.
    may_hold_rules: bool,
}

/// What the index has under a name.
#[derive(Clone, Copy, Debug)]
enum Tracked<'a> {
    /// A file or link.
    File,
    /// A submodule, or a sparse directory that is judged as a whole.
    Closed,
    /// A directory with these entries.
    Directory(&'a [Entry]),
}

impl<'a> Walk<'a> {
    /// Makes ready to walk.
    pub(super) fn new(
        (top, common_dir): (&'a Path, &'a Path),
        listing: &'a Listing,
        blobs: &'a Blobs<'a>,
        ignores: Ignores,
    ) -> Self {
        Self {
            top,
            common_dir,
            listing,
            blobs,
            ignores,
            walked: Walked::default(),
        }
    }

    /// Walks the whole work tree.
    pub(super) fn run(mut self) -> std::io::Result<Walked> {
        let flags = nix::fcntl::OFlag::O_DIRECTORY | nix::fcntl::OFlag::O_CLOEXEC;
        let top = nix::fcntl::open(self.top, flags, nix::sys::stat::Mode::empty())?;
        let here = Here {
            path: b"",
            entries: self.listing.entries(),
            seen: Seen::Shown,
            depth: 0,
        };
        self.directory(top, &here);
        Ok(self.walked)
    }

    /// Walks one directory.
    fn directory(&mut self, fd: OwnedFd, here: &Here<'_>) {
        let tracked = children(here);
        let is_file = |name: &[u8]| matches!(known(&tracked, name), Some(Tracked::File));
        let Some(listed) = list(fd, is_file).filter(|_| here.depth < DEEPEST) else {
            self.walked.flags.add(Flag::Unreadable, here.path);
            return;
        };
        let has_git = listed.names.iter().any(|name| name.name == b".git");
        if has_git && here.depth > 0 && self.is_closed(here) {
            return;
        }
        let is_bare = listed.names.is_empty() && here.entries.is_empty();
        if is_bare && here.seen == Seen::Shown && here.depth > 0 {
            // No tree has it, and a check can ask for it.
            self.walked.flags.add(Flag::EmptyDirectory, here.path);
        }
        let rules = self.rules(&listed, here);
        if let Some(rules) = &rules {
            self.ignores.push(here.path, rules);
        }
        for name in listed.names {
            if name.name != b".git" {
                self.name(&listed.dir, here, &tracked, &name);
            }
        }
        if rules.is_some() {
            self.ignores.pop();
        }
    }

    /// Says whether a directory with a `.git` in it is left alone, and flags it if it should not be
    /// here.
    fn is_closed(&mut self, here: &Here<'_>) -> bool {
        use std::os::unix::ffi::OsStrExt as _;
        let dot_git = self
            .top
            .join(std::ffi::OsStr::from_bytes(here.path))
            .join(".git");
        let is_tracked = !here.entries.is_empty();
        if !is_tracked && nested::is_own_worktree(self.common_dir, &dot_git) {
            // Its files are no commit's, and a check can reach them.
            if here.seen == Seen::Shown {
                self.walked.flags.add(Flag::OwnWorktree, here.path);
            }
            return true;
        }
        if here.seen == Seen::Shown {
            self.walked.flags.add(Flag::Nested, here.path);
        }
        !is_tracked && nested::git_dir_of(&dot_git).is_some()
    }

    /// Reads the ignore file of a directory, from disk or, in a sparse checkout, from the index.
    fn rules(&mut self, listed: &Listed, here: &Here<'_>) -> Option<Rules> {
        use std::os::fd::AsFd as _;
        let path = file_in(here.path, b".gitignore");
        let entry = self.listing.steering(&path);
        let found = if listed.may_hold_rules {
            look_in(listed.dir.as_fd(), b".gitignore")
        } else {
            Found::Missing
        };
        match found {
            Found::File(mut file) if file.size <= plain::LIMIT => {
                let mut buffer = Vec::new();
                let bytes = file.read_into(&mut buffer).ok()?.to_vec();
                self.walked.rules.push((path, sha256(&bytes)));
                Some(Rules {
                    bytes,
                    is_tracked: entry.is_some(),
                })
            }
            Found::Missing => {
                let bytes = self.blobs.blob(&entry.filter(|e| e.is_skipped())?.id)?;
                Some(Rules {
                    bytes,
                    is_tracked: true,
                })
            }
            Found::File(_)
            | Found::Directory
            | Found::Link(_)
            | Found::Special
            | Found::Unreadable => None,
        }
    }

    /// Takes one name of a directory.
    fn name(&mut self, dir: &Dir, here: &Here<'_>, tracked: &[(&[u8], Tracked<'_>)], name: &Name) {
        let path = file_in(here.path, &name.name);
        let is_directory = name.kind == Type::Directory;
        let entries = match known(tracked, &name.name) {
            Some(Tracked::File) if !is_directory => return,
            Some(Tracked::Closed) if is_directory => return,
            Some(Tracked::Directory(entries)) if is_directory => entries,
            Some(Tracked::File | Tracked::Closed | Tracked::Directory(_)) | None => &[],
        };
        let seen = match here.seen {
            Seen::Ignored => Seen::Ignored,
            Seen::Shown | Seen::Hidden => here.seen.max(self.ignores.verdict(&path, is_directory)),
        };
        if seen == Seen::Ignored && entries.is_empty() {
            return;
        }
        let is_own = entries.is_empty() && own::is_state(&path, is_directory);
        let seen = if is_own { Seen::Hidden } else { seen };
        if is_directory {
            self.subdirectory(dir, here, &name.name, (&path, entries, seen));
        } else {
            self.untracked(path, name.kind, seen);
        }
    }

    /// Takes an untracked file.
    fn untracked(&mut self, path: Vec<u8>, kind: Type, seen: Seen) {
        match (seen, kind) {
            (Seen::Ignored, _) => {}
            (Seen::Hidden, _) => self.hidden(path, false),
            (Seen::Shown, Type::File | Type::Symlink) => self.walked.untracked.push(path),
            (Seen::Shown, _) => self.walked.flags.add(Flag::Special, &path),
        }
    }

    /// Notes what is hidden, and by which rule.
    fn hidden(&mut self, path: Vec<u8>, is_directory: bool) {
        let name = path.strip_suffix(b"/").unwrap_or(&path);
        let rule = if own::is_state(name, is_directory) {
            Some(own::RULE.to_vec())
        } else {
            self.ignores.rule(name, is_directory)
        };
        self.walked.hidden_by.extend(rule);
        self.walked.hidden.push(path);
    }

    /// Enters a directory, or notes it where it is hidden as a whole.
    fn subdirectory(
        &mut self,
        dir: &Dir,
        here: &Here<'_>,
        name: &[u8],
        (path, entries, seen): (&[u8], &[Entry], Seen),
    ) {
        use std::os::fd::AsFd as _;
        let fd = match open_directory(dir.as_fd(), name) {
            Ok(fd) => fd,
            Err(Barred::Missing) => return,
            Err(Barred::Unreadable) => {
                self.walked.flags.add(Flag::Unreadable, path);
                return;
            }
        };
        let depth = here.depth + 1;
        if seen == Seen::Hidden && entries.is_empty() {
            if self.holds_anything(fd, path, depth) {
                self.hidden([path, b"/"].concat(), true);
            }
            return;
        }
        let below = Here {
            path,
            entries,
            seen,
            depth,
        };
        self.directory(fd, &below);
    }

    /// Says whether a hidden directory holds anything that tracked rules do not ignore.
    fn holds_anything(&self, fd: OwnedFd, path: &[u8], depth: usize) -> bool {
        use std::os::fd::AsFd as _;
        let Some(listed) = list(fd, |_| false).filter(|_| depth < DEEPEST) else {
            return true;
        };
        listed.names.into_iter().any(|name| {
            let below = file_in(path, &name.name);
            let is_directory = name.kind == Type::Directory;
            if self.ignores.verdict(&below, is_directory) == Seen::Ignored {
                return false;
            }
            !is_directory
                || open_directory(listed.dir.as_fd(), &name.name)
                    .is_ok_and(|fd| self.holds_anything(fd, &below, depth + 1))
        })
    }
}

/// Lists a directory without the files that are `known`; none if it cannot be read.
///
/// Most names are known, so no room is made for them.
fn list(fd: OwnedFd, known: impl Fn(&[u8]) -> bool) -> Option<Listed> {
    let mut dir = Dir::from_fd(fd).ok()?;
    let mut found = Vec::new();
    let mut may_hold_rules = false;
    for entry in dir.iter() {
        let entry = entry.ok()?;
        let name = entry.file_name().to_bytes();
        if matches!(name, b"." | b"..") {
            continue;
        }
        may_hold_rules |= may_be_rules(name);
        let kind = entry.file_type();
        let is_file = kind.is_some_and(|kind| kind != Type::Directory);
        if !(is_file && known(name)) {
            found.push((name.to_vec(), kind));
        }
    }
    let mut names = Vec::with_capacity(found.len());
    for (name, kind) in found {
        // A name that is gone by now was none.
        if let Some(kind) = kind.or_else(|| ask(&dir, &name)) {
            names.push(Name { name, kind });
        }
    }
    Some(Listed {
        dir,
        names,
        may_hold_rules,
    })
}

/// Says whether a file system might find this name when asked for an ignore file.
///
/// Some fold case, some skip letters beyond ASCII: only names that no rule could fold are out.
fn may_be_rules(name: &[u8]) -> bool {
    name.starts_with(b".") || !name.is_ascii()
}

/// Finds what the index has under a name of a directory.
fn known<'a>(tracked: &[(&[u8], Tracked<'a>)], name: &[u8]) -> Option<Tracked<'a>> {
    let at = tracked
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    tracked.get(at).map(|(_, tracked)| *tracked)
}

/// Asks for the kind of a name where the directory does not tell.
fn ask(dir: &Dir, name: &[u8]) -> Option<Type> {
    let stat = fstatat(dir, name, AtFlags::AT_SYMLINK_NOFOLLOW).ok()?;
    match kind(&stat) {
        SFlag::S_IFREG => Some(Type::File),
        SFlag::S_IFDIR => Some(Type::Directory),
        SFlag::S_IFLNK => Some(Type::Symlink),
        _ => Some(Type::Fifo),
    }
}

/// Lists what the index has directly in a directory, sorted by name.
fn children<'a>(here: &Here<'a>) -> Vec<(&'a [u8], Tracked<'a>)> {
    let start = if here.path.is_empty() {
        0
    } else {
        here.path.len() + 1
    };
    let mut found = Vec::new();
    let mut rest = here.entries;
    while let Some(entry) = rest.first() {
        let below = entry.path.get(start..).unwrap_or_default();
        let Some(slash) = below.find_byte(b'/') else {
            let tracked = if entry.is_gitlink() || entry.mode == 0o040_000 {
                Tracked::Closed
            } else {
                Tracked::File
            };
            found.push((below, tracked));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        };
        let prefix = entry.path.get(..=start + slash).unwrap_or_default();
        let (inside, after) = rest.split_at(
            rest.partition_point(|entry| entry.path.starts_with(prefix))
                .max(1),
        );
        found.push((
            below.get(..slash).unwrap_or_default(),
            Tracked::Directory(inside),
        ));
        rest = after;
    }
    found.sort_by_key(|(name, _)| *name);
    found
}
