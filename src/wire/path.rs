//! Paths of a repository as JSON text, so that none is lost: git's paths are bytes.

use std::fmt;

use super::text::Spelled;

/// A path as one text: valid UTF-8 as it is, a backslash doubled, any other byte as `\xNN`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TreePath(pub(crate) Vec<u8>);

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(&chunk.valid().replace('\\', "\\\\"))?;
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl Spelled for TreePath {
    fn spelled(text: &str) -> Option<Self> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((plain, escape)) = rest.split_once('\\') {
            bytes.extend_from_slice(plain.as_bytes());
            rest = if let Some(rest) = escape.strip_prefix('\\') {
                bytes.push(b'\\');
                rest
            } else {
                let hex = escape.strip_prefix('x')?;
                bytes.push(u8::from_str_radix(hex.get(..2)?, 16).ok()?);
                hex.get(2..)?
            };
        }
        bytes.extend_from_slice(rest.as_bytes());
        let path = Self(bytes);
        (path.is_fit() && path.to_string() == text).then_some(path)
    }
}

impl TreePath {
    /// Says whether a tree can hold a file at it.
    fn is_fit(&self) -> bool {
        let mut parts = self.0.split(|byte| *byte == b'/');
        !self.0.contains(&0) && parts.all(|part| !matches!(part, b"" | b"." | b".."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_comes_back() {
        for bytes in [
            &b"a/b"[..],
            b"a\\b",
            b"\xff/x",
            "gr\u{fc}n\n".as_bytes(),
            b"\\xff",
            b"a\xc3",
        ] {
            let path = TreePath(bytes.to_vec());

            assert_eq!(TreePath::spelled(&path.to_string()), Some(path));
        }
    }

    #[test]
    fn other_spellings_and_what_is_no_path_are_refused() {
        for text in [
            "", "/a", "a/", "a//b", "../a", "a/.", "a\\", "\\x6", "\\xFF", "\\x61", "\\y", "a\0b",
        ] {
            assert_eq!(TreePath::spelled(text), None, "{text}");
        }
    }
}
