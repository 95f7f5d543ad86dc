//! A glance at a work tree: files that git saw as they are now are not read.
//!
//! What the index says of a file is believed here and nowhere else, so a glance is no state: it has
//! no digest of any content, and nothing that is recorded can be made of it.

use std::sync::atomic::AtomicUsize;

use gix::ObjectId;
use nix::sys::stat::{FileStat, Mode};

use super::attribute_files::Shared;
use super::attributes::Outside;
use super::content::Placed;
use super::disk::has_odd_mode;
use super::flags::Flags;
use super::ignores::Ignores;
use super::listing::Entry;
use super::objects::{Blobs, tree_of};
use super::reader::{Common, Reader};
use super::submodule::Submodules;
use super::taking::{self, Batch, Head, Trees};
use super::walk::{Walk, Walked};
use super::{Cause, control, index};
use crate::git::oid;
use crate::git::open::Repository;
use crate::model::state::{Flag, Glance, Noted};
use crate::model::text;

/// Takes a glance once; `Ok(Err(path))` names a file that changed meanwhile.
pub(super) fn take(repository: &Repository) -> Result<Result<Glance, String>, Cause> {
    let top = repository.work_dir().ok_or("there is no work tree")?;
    let head = taking::head(repository)?;
    let listing = index::read(repository)?;
    let (outside, shared) = (Outside::read(repository)?, Shared::default());
    let common = Common {
        top,
        listing: &listing,
        outside: &outside,
        shared: &shared,
        submodules: &Submodules::of(repository, (top, &listing), 0)?,
        believes_modes: taking::believes(repository, "core.fileMode"),
        believes_links: taking::believes(repository, "core.symlinks"),
        kind: repository.hash_kind(),
    };
    let Looked {
        tracked,
        walked,
        mut flags,
        changed,
    } = looked(repository, &common, &head)?;
    if let Some(path) = changed.first() {
        return Ok(Err(text::path(path)));
    }
    for path in shared.odd() {
        flags.add(Flag::Unsupported, &path);
    }
    control::read(repository, &mut flags)?;
    flags.extend(walked.flags);
    let flags = flags.noted().into_iter();
    let flags = flags.filter(|(flag, noted)| flag.is_disqualifying() && noted.count > 0);
    let trees = Trees::of(&common, || tracked.iter().flat_map(|batch| &batch.files))?;
    let mut entries = listing.entries().iter();
    Ok(Ok(Glance {
        head: head.commit.map(|id| oid(&id)),
        branch: head.branch,
        tree: oid(&trees.files),
        staged_tree: trees.staged.map(|id| oid(&id)),
        is_unmerged: entries.any(|entry| entry.stage != 0),
        untracked: Noted::of(&walked.untracked),
        flags: flags.collect(),
        trust: trees.trust,
    }))
}

/// What was found.
struct Looked {
    /// Tracked files.
    tracked: Vec<Batch<Placed>>,
    /// What is not tracked, sorted.
    walked: Walked,
    /// Oddities of tracked files that were read.
    flags: Flags,
    /// Paths that changed meanwhile, sorted.
    changed: Vec<Vec<u8>>,
}

/// Looks at all files, with two threads of which one walks first.
fn looked(repository: &Repository, common: &Common<'_>, head: &Head) -> Result<Looked, Cause> {
    let tree = head
        .commit
        .and_then(|commit| tree_of(&repository.gix, &commit));
    let sync = repository.gix.clone().into_sync();
    let next = AtomicUsize::new(0);
    let work = |gix: &gix::Repository| -> Result<_, std::io::Error> {
        let mut reader = Reader::new(common, Blobs::new(gix, tree))?;
        let tracked = taking::share(&mut reader, common, &next, look);
        Ok((tracked, reader.findings))
    };
    let ignores = Ignores::new(repository)?;
    std::thread::scope(|scope| {
        let helping = scope.spawn(|| {
            let mut gix = sync.to_thread_local();
            gix.objects.ignore_replacements = true;
            work(&gix)
        });
        let blobs = Blobs::new(&repository.gix, tree);
        let dirs = (common.top, repository.common_dir());
        let mut walked = Walk::new(dirs, common.listing, &blobs, ignores).run()?;
        walked.untracked.sort();
        let (mut tracked, found) = work(&repository.gix)?;
        let (more, others) = helping.join().map_err(|_| "a looking thread broke off")??;
        tracked.extend(more);
        taking::sort(&mut tracked);
        let mut flags = found.flags;
        flags.extend(others.flags);
        let mut changed = found.changed;
        changed.extend(others.changed);
        changed.sort();
        Ok(Looked {
            tracked,
            walked,
            flags,
            changed,
        })
    })
}

/// Believes what the index has of a path, or reads it.
fn look(reader: &mut Reader<'_>, entries: &[Entry]) -> Option<Placed> {
    let believed = entries.first().and_then(|entry| reader.believed(entry));
    believed.or_else(|| reader.tracked(entries).map(|content| content.placed))
}

/// Says whether a file has exactly the stat data that git saw.
///
/// Stricter than git under any setting, but for the device, which a mount may change. Git writes
/// the size 0 where it was not sure of a file.
pub(super) fn is_as_seen(entry: &Entry, now: &FileStat, kind: gix::hash::Kind) -> bool {
    let seen = &entry.seen;
    let mode = match now.st_mode & 0o170_100 {
        0o100_000 => 0o100_644,
        0o100_100 => 0o100_755,
        _ => return false,
    };
    let times = [
        (i64::from(seen.mtime.secs), now.st_mtime),
        (i64::from(seen.mtime.nsecs), now.st_mtime_nsec),
        (i64::from(seen.ctime.secs), now.st_ctime),
        (i64::from(seen.ctime.nsecs), now.st_ctime_nsec),
        (i64::from(seen.size), now.st_size),
    ];
    let is_sure = seen.size != 0 || entry.id == ObjectId::empty_blob(kind);
    mode == entry.mode
        && !has_odd_mode(Mode::from_bits_truncate(now.st_mode))
        && is_sure
        && times.into_iter().all(|(seen, now)| seen == now)
        && u64::from(seen.ino) == now.st_ino & u64::from(u32::MAX)
        && (seen.uid, seen.gid) == (now.st_uid, now.st_gid)
}
