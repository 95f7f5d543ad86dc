//! A glance at a work tree: files that git saw as they are now are not read.
//!
//! What the index says of a file is believed here and nowhere else, so a glance is no state: it has
//! no digest of any content, and nothing that is recorded can be made of it.

use std::sync::atomic::AtomicUsize;

use gix::ObjectId;
use nix::sys::stat::FileStat;

use super::attribute_files::Shared;
use super::attributes::Outside;
use super::content::Placed;
use super::listing::Entry;
use super::objects::{Blobs, tree_of};
use super::reader::{Common, Reader};
use super::submodule::Submodules;
use super::taking::{self, Batch, Head, Trees};
use super::{Cause, index};
use crate::git::oid;
use crate::git::open::Repository;
use crate::model::state::Glance;
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
    let tracked = match tracked(repository, &common, &head)? {
        Ok(tracked) => tracked,
        Err(path) => return Ok(Err(text::path(&path))),
    };
    let trees = Trees::of(&common, || tracked.iter().flat_map(|batch| &batch.files))?;
    let mut entries = listing.entries().iter();
    Ok(Ok(Glance {
        head: head.commit.map(|id| oid(&id)),
        branch: head.branch,
        tree: oid(&trees.files),
        staged_tree: trees.staged.map(|id| oid(&id)),
        is_unmerged: entries.any(|entry| entry.stage != 0),
    }))
}

/// What was found of tracked files, or a path that changed meanwhile.
type Tracked = Result<Vec<Batch<Placed>>, Vec<u8>>;

/// Looks at all tracked files, with two threads.
fn tracked(repository: &Repository, common: &Common<'_>, head: &Head) -> Result<Tracked, Cause> {
    let tree = head
        .commit
        .and_then(|commit| tree_of(&repository.gix, &commit));
    let sync = repository.gix.clone().into_sync();
    let next = AtomicUsize::new(0);
    let work = |gix: &gix::Repository| -> Result<_, std::io::Error> {
        let mut reader = Reader::new(common, Blobs::new(gix, tree))?;
        let tracked = taking::share(&mut reader, common, &next, look);
        Ok((tracked, reader.findings.changed))
    };
    std::thread::scope(|scope| {
        let helping = scope.spawn(|| {
            let mut gix = sync.to_thread_local();
            gix.objects.ignore_replacements = true;
            work(&gix)
        });
        let (mut tracked, mut changed) = work(&repository.gix)?;
        let (more, others) = helping.join().map_err(|_| "a looking thread broke off")??;
        tracked.extend(more);
        changed.extend(others);
        taking::sort(&mut tracked);
        Ok(changed.into_iter().min().map_or(Ok(tracked), Err))
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
        && is_sure
        && times.into_iter().all(|(seen, now)| seen == now)
        && u64::from(seen.ino) == now.st_ino & u64::from(u32::MAX)
        && (seen.uid, seen.gid) == (now.st_uid, now.st_gid)
}
