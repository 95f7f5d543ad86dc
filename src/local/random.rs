//! Random bytes of the operating system.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::LocalError;
use super::file::unreadable;

/// Returns random bytes.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], LocalError> {
    let path = Path::new("/dev/urandom");
    let mut bytes = [0; N];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| unreadable(path, error))?;
    Ok(bytes)
}
