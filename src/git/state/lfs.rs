//! Pointers of Git LFS: the small text that stands in a tree for a large file.

use crate::model::ids::Digest;

/// The longest text that can be a pointer.
pub(in crate::git) const LONGEST: u64 = 1024;

/// What a pointer says of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::git) struct Pointer {
    /// SHA-256 of the file.
    pub(in crate::git) digest: Digest,
    /// Its size.
    pub(in crate::git) size: u64,
}

impl Pointer {
    /// Reads a pointer in the one form that Git LFS writes; extensions are not served.
    pub(in crate::git) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let rest = text.strip_prefix("version https://git-lfs.github.com/spec/v1\noid sha256:")?;
        let (digest, rest) = rest.split_once('\n')?;
        let size = rest.strip_prefix("size ")?.strip_suffix('\n')?;
        let is_plain = size == "0" || (!size.starts_with('0') && !size.starts_with('+'));
        Some(Self {
            digest: Digest::parse(digest)?,
            size: size.parse().ok().filter(|_| is_plain)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_form_is_a_pointer() {
        let oid = "ab".repeat(32);
        let head = "version https://git-lfs.github.com/spec/v1\n";
        let good = format!("{head}oid sha256:{oid}\nsize 12\n");

        assert_eq!(Pointer::parse(good.as_bytes()).unwrap().size, 12);
        for poor in [
            format!("{head}oid sha256:{oid}\nsize 12"),
            format!("{head}oid sha256:{oid}\nsize 012\n"),
            format!("{head}ext-0-x sha256:{oid}\noid sha256:{oid}\nsize 12\n"),
            format!("{head}oid sha256:{oid}\nsize 12\n\n"),
        ] {
            assert!(Pointer::parse(poor.as_bytes()).is_none(), "{poor}");
        }
    }
}
