//! Random bytes of the operating system.

use std::fs::File;
use std::io::{self, Read as _};

/// Draws random bytes.
pub(crate) fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut drawn = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut drawn)?;
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_draws_differ() {
        assert_ne!(super::bytes::<32>().unwrap(), super::bytes::<32>().unwrap());
    }
}
