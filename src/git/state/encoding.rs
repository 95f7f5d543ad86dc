//! `working-tree-encoding`: UTF-16 in its spellings, to UTF-8 and back.
//!
//! Other encodings are not served: the file is flagged, and no id is guessed for it.

/// How a file is encoded on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Encoding {
    /// The order of bytes that we write.
    order: Order,
    /// Whether a byte order mark must, must not, or will be there.
    mark: Mark,
}

/// The order of the two bytes of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// The low one first.
    Little,
    /// The high one first.
    Big,
}

/// What is asked of the byte order mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// It must be there, and says the order of bytes that are read.
    Tells,
    /// It must be there, in this order.
    Demanded,
    /// It must not be there.
    Forbidden,
}

impl Encoding {
    /// Reads the value of the attribute: `Ok(None)` is UTF-8, which is no conversion.
    pub(super) fn parse(name: &[u8]) -> Result<Option<Self>, Unserved> {
        let of = |order, mark| Ok(Some(Self { order, mark }));
        match name.to_ascii_uppercase().as_slice() {
            b"" | b"UTF-8" | b"UTF8" => Ok(None),
            b"UTF-16" => of(Order::Little, Mark::Tells),
            b"UTF-16LE" => of(Order::Little, Mark::Forbidden),
            b"UTF-16BE" => of(Order::Big, Mark::Forbidden),
            b"UTF-16LE-BOM" => of(Order::Little, Mark::Demanded),
            _ => Err(Unserved),
        }
    }

    /// Converts the bytes on disk to UTF-8, as git does before it stores them.
    pub(super) fn to_git(self, bytes: &[u8]) -> Result<Vec<u8>, Unserved> {
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let (order, units) = self.without_mark(bytes)?;
        let (pairs, rest) = units.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(Unserved);
        }
        let units = pairs.iter().map(|pair| match order {
            Order::Little => u16::from_le_bytes(*pair),
            Order::Big => u16::from_be_bytes(*pair),
        });
        let text: Result<String, _> = char::decode_utf16(units).collect();
        text.map(String::into_bytes).map_err(|_| Unserved)
    }

    /// Takes the mark off, and says which order holds.
    fn without_mark(self, bytes: &[u8]) -> Result<(Order, &[u8]), Unserved> {
        let marked = match bytes {
            [0xff, 0xfe, rest @ ..] => Some((Order::Little, rest)),
            [0xfe, 0xff, rest @ ..] => Some((Order::Big, rest)),
            _ => None,
        };
        match (self.mark, marked) {
            (Mark::Tells, Some(found)) => Ok(found),
            (Mark::Demanded, Some((order, rest))) if order == self.order => Ok((order, rest)),
            (Mark::Forbidden, None) => Ok((self.order, bytes)),
            (Mark::Tells | Mark::Demanded | Mark::Forbidden, _) => Err(Unserved),
        }
    }

    /// Converts stored UTF-8 to the bytes that a checkout writes.
    pub(super) fn to_worktree(self, bytes: &[u8]) -> Result<Vec<u8>, Unserved> {
        let text = std::str::from_utf8(bytes).map_err(|_| Unserved)?;
        let mark = match self.mark {
            Mark::Tells | Mark::Demanded if !text.is_empty() => Some(0xfeff),
            Mark::Tells | Mark::Demanded | Mark::Forbidden => None,
        };
        let units = mark.into_iter().chain(text.encode_utf16());
        Ok(units
            .flat_map(|unit| match self.order {
                Order::Little => unit.to_le_bytes(),
                Order::Big => unit.to_be_bytes(),
            })
            .collect())
    }
}

/// A conversion that we cannot do as git would.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::git) struct Unserved;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_as_it_was() {
        for name in ["UTF-16", "utf-16le", "UTF-16BE", "UTF-16LE-BOM"] {
            let encoding = Encoding::parse(name.as_bytes()).unwrap().unwrap();
            for text in ["", "a\u{e4}\u{1f600}\n"] {
                let disk = encoding.to_worktree(text.as_bytes()).unwrap();
                assert_eq!(encoding.to_git(&disk).unwrap(), text.as_bytes(), "{name}");
            }
        }
    }

    #[test]
    fn what_git_would_refuse_is_unserved() {
        let of = |name: &str| Encoding::parse(name.as_bytes()).unwrap().unwrap();
        assert!(Encoding::parse(b"SHIFT-JIS").is_err());
        assert!(of("UTF-16").to_git(b"a\0").is_err());
        assert!(of("UTF-16LE").to_git(b"\xff\xfea\0").is_err());
        assert!(of("UTF-16BE").to_git(b"\0a\0").is_err());
        assert!(of("UTF-16BE").to_git(b"\xd8\0\0a").is_err());
    }
}
