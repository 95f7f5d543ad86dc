//! The index file: read, its paths checked, sparse directories expanded.

use std::path::Path;

use gix::ObjectId;
use gix::bstr::BStr;
use gix::index::State;
use gix::index::decode::Options;
use gix::index::entry::{Flags, Mode, Stat};
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};

use super::Cause;
use super::disk::file_in;
use super::listing::{Entry, Listing};
use super::objects::object;
use crate::git::open::Repository;
use crate::git::plain;

/// The longest index that is read: some ten million entries.
const LARGEST: u64 = 1 << 30;

/// The largest block from which the allocator of glibc learns, but for what it puts around it.
const LEARNED: usize = (32 << 20) - (1 << 16);

/// How many entries the expansion of sparse directories may give.
const MOST: usize = 20_000_000;

/// The mode of a directory.
const DIRECTORY: u32 = 0o040_000;

/// Reads the index in force; a missing one is empty.
///
/// An unknown mode, and a path that git would not write or that is there twice, are errors.
pub(in crate::git) fn read(repository: &Repository) -> Result<Listing, Cause> {
    let kind = repository.hash_kind();
    let path = &repository.index_path;
    use_memory_again();
    let file = plain::read_dated(path, LARGEST)
        .map_err(|error| format!("the index cannot be read: {error}"))?;
    let mut entries = Vec::new();
    let mut at = None;
    if let Some((bytes, modified)) = file {
        let (written, is_split) = decoded(path, kind, &bytes)?;
        // The list below takes as much room again: it gets this.
        drop(bytes);
        // Half of what a split index has seen was written at another time.
        at = Some(modified).filter(|_| !is_split);
        entries.reserve_exact(written.entries().len());
        for entry in written.entries() {
            take(repository, entry.path(&written), entry, &mut entries)?;
        }
    }
    Ok(Listing::new(entries, kind)?.written(at))
}

/// Lets large blocks that are given back be used again by this process.
///
/// The allocator of glibc hands each to the system and is given zeroed pages for the next, which
/// costs more than all else about a large index. It stops for blocks below the largest that it was
/// ever given back (`mallopt(3)`, `M_MMAP_THRESHOLD`), so it is given one, never written to, just
/// below the bound up to which it learns. Another allocator does what it does.
fn use_memory_again() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LEARNED)));
}

/// Decodes an index while another thread checks that it is whole.
///
/// One thread decodes, entry by entry: what the extension says that divides the work among threads
/// is not believed. The other half of a split index is read by gix; whether there is one is told.
fn decoded(path: &Path, kind: gix::hash::Kind, bytes: &[u8]) -> Result<(State, bool), Cause> {
    let options = Options {
        thread_limit: Some(1),
        ..Options::default()
    };
    let (state, is_whole) = std::thread::scope(|scope| {
        let checking = scope.spawn(|| is_whole(kind, bytes));
        // Of no matter: when the index was written is kept beside the list.
        let time = std::time::SystemTime::UNIX_EPOCH;
        let state = State::from_bytes(bytes, time.into(), kind, options);
        (state, checking.join().unwrap_or_default())
    });
    let (state, _) = state?;
    if !is_whole {
        return Err("the index does not have the checksum that it names".into());
    }
    if state.link().is_none() {
        return Ok((state, false));
    }
    let (state, _) = gix::index::File::at(path, kind, false, options)?.into_parts();
    Ok((state, true))
}

/// Says whether an index has the checksum at its end, which git may leave out.
fn is_whole(kind: gix::hash::Kind, bytes: &[u8]) -> bool {
    let length = bytes.len().saturating_sub(kind.len_in_bytes());
    let (content, checksum) = bytes.split_at(length);
    let Ok(named) = ObjectId::try_from(checksum) else {
        return false;
    };
    let mut hasher = gix::hash::hasher(kind);
    named.is_null() || {
        hasher.update(content);
        hasher.try_finalize().is_ok_and(|id| id == named)
    }
}

/// Takes one entry, expanding a sparse directory.
fn take(
    repository: &Repository,
    path: &BStr,
    entry: &gix::index::Entry,
    entries: &mut Vec<Entry>,
) -> Result<(), Cause> {
    let trimmed = path.strip_suffix(b"/").unwrap_or(path);
    if !is_fit(trimmed) {
        return Err("the index names a path that git would not write".into());
    }
    let of = |mode| Entry {
        path: trimmed.into(),
        stage: entry.flags.stage_raw(),
        mode,
        id: entry.id,
        flags: entry.flags,
        seen: entry.stat,
    };
    if entry.mode != Mode::DIR {
        let mode = entry
            .mode
            .to_tree_entry_mode()
            .ok_or("the index has an unknown mode")?;
        entries.push(of(u32::from(mode.value())));
        return Ok(());
    }
    let before = entries.len();
    if expand(repository, of(DIRECTORY), entries).is_none() {
        entries.truncate(before);
        entries.push(of(DIRECTORY));
    }
    Ok(())
}

/// Lists what a sparse directory stands for; none if its trees are not all here.
fn expand(repository: &Repository, directory: Entry, entries: &mut Vec<Entry>) -> Option<()> {
    let mut pending = vec![directory];
    while let Some(directory) = pending.pop() {
        let bytes = object(&repository.gix, &directory.id, Kind::Tree)?;
        for entry in TreeRefIter::from_bytes(&bytes, directory.id.kind()) {
            let entry = entry.ok()?;
            if !is_fit(entry.filename) || entries.len() > MOST {
                return None;
            }
            let found = Entry {
                path: file_in(&directory.path, entry.filename).into(),
                stage: 0,
                mode: u32::from(entry.mode.value()),
                id: entry.oid.to_owned(),
                flags: directory.flags | Flags::SKIP_WORKTREE,
                seen: Stat::default(),
            };
            match entry.mode.kind() {
                EntryKind::Tree => pending.push(found),
                EntryKind::Blob
                | EntryKind::BlobExecutable
                | EntryKind::Link
                | EntryKind::Commit => entries.push(found),
            }
        }
    }
    Some(())
}

/// Says whether a path stays inside the work tree and out of `.git`.
fn is_fit(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').all(|name| {
        !matches!(name, b"" | b"." | b"..")
            && !name.eq_ignore_ascii_case(b".git")
            && !name.contains(&0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_are_not_fit() {
        for path in [
            "", "/etc/x", "a/../b", "a//b", ".git/x", "a/.GIT", "./a", "a\0",
        ] {
            assert!(!is_fit(path.as_bytes()), "{path}");
        }
        assert!(is_fit(b"a/.gitignore"));
    }
}
