//! Files that Git LFS keeps beside the objects: taken from the local store by their SHA-256.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::super::state::lfs::Pointer;
use crate::proc::file::open_regular;
use crate::wire::digest::Hasher;

/// Up to this size a file is taken; a state reads no longer ones.
const LARGEST: u64 = 8 << 30;

/// Writes the file that a pointer stands for; says whether it is there, whole and true.
///
/// Where it is not, `to` is empty again.
pub(super) fn write(common_dir: &Path, pointer: &Pointer, to: &mut File) -> io::Result<bool> {
    let Some(mut from) = open(&stored(common_dir, pointer), pointer) else {
        return Ok(false);
    };
    let mut hasher = Hasher::plain();
    let mut piece = vec![0; 1 << 20];
    let mut rest = pointer.size;
    while rest > 0 {
        let room = usize::try_from(rest).unwrap_or(usize::MAX).min(piece.len());
        let read = from.read(piece.get_mut(..room).unwrap_or_default())?;
        if read == 0 {
            break;
        }
        let bytes = piece.get(..read).unwrap_or_default();
        hasher.update(bytes);
        to.write_all(bytes)?;
        rest = rest.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX));
    }
    let is_true = rest == 0 && hasher.finish() == pointer.digest;
    if !is_true {
        to.set_len(0)?;
        to.rewind()?;
    }
    Ok(is_true)
}

/// Names the file in the local store.
fn stored(common_dir: &Path, pointer: &Pointer) -> PathBuf {
    let hex = pointer.digest.to_string();
    let (one, two) = (hex.get(..2), hex.get(2..4));
    common_dir
        .join("lfs/objects")
        .join(one.unwrap_or_default())
        .join(two.unwrap_or_default())
        .join(&hex)
}

/// Opens a regular file of the right size, without waiting; none if there is no such one.
fn open(path: &Path, pointer: &Pointer) -> Option<File> {
    let file = open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    let fits = length == pointer.size && pointer.size <= LARGEST;
    fits.then_some(file)
}
