//! The tree that a list of files gives, computed and never written.

use std::cmp::Ordering;
use std::ops::Range;

use gix::hash::Kind;
use gix::objs::tree::EntryMode;
use gix::{ObjectId, objs};

/// One file of a tree to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf<'a> {
    /// Its path from the top.
    pub(super) path: &'a [u8],
    /// Its mode.
    pub(super) mode: EntryMode,
    /// Its object.
    pub(super) id: ObjectId,
}

/// A directory that is being filled.
#[derive(Debug, Default)]
struct Open {
    /// Its name in its parent.
    name: Vec<u8>,
    /// Its entries as git stores them, one after the other as they came.
    bytes: Vec<u8>,
    /// Where each entry lies in them.
    entries: Vec<Span>,
}

/// Where an entry lies.
#[derive(Clone, Debug)]
struct Span {
    /// The whole entry.
    whole: Range<usize>,
    /// Its name.
    name: Range<usize>,
    /// Whether it is a directory.
    is_tree: bool,
}

/// Returns the id of the tree that holds exactly these files.
///
/// `leaves` are in byte order of their paths. A stack and no recursion: an index may hold a path
/// of any depth.
pub(super) fn id<'a>(
    kind: Kind,
    leaves: impl IntoIterator<Item = Leaf<'a>>,
) -> Result<ObjectId, gix::Error> {
    let mut open = vec![Open::default()];
    let mut here: &[u8] = &[];
    for leaf in leaves {
        let (directory, name) = super::disk::split(leaf.path);
        if directory != here {
            move_to(kind, &mut open, directory)?;
            here = directory;
        }
        if let Some(top) = open.last_mut() {
            top.add(name, leaf.mode, leaf.id);
        }
    }
    move_to(kind, &mut open, &[])?;
    let top = open.pop().unwrap_or_default();
    top.id(kind)
}

/// Closes and opens directories until the last one is `directory`.
fn move_to(kind: Kind, open: &mut Vec<Open>, directory: &[u8]) -> Result<(), gix::Error> {
    let names: Vec<&[u8]> = directory
        .split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty())
        .collect();
    let below_top = open.iter().skip(1);
    let shared = below_top
        .zip(&names)
        .take_while(|(open, name)| open.name == **name)
        .count();
    while open.len() > shared + 1 {
        close(kind, open)?;
    }
    for name in names.into_iter().skip(shared) {
        open.push(Open {
            name: name.to_vec(),
            ..Open::default()
        });
    }
    Ok(())
}

/// Closes the deepest directory: its id becomes an entry of its parent.
fn close(kind: Kind, open: &mut Vec<Open>) -> Result<(), gix::Error> {
    if let Some(done) = open.pop() {
        let name = done.name.clone();
        let id = done.id(kind)?;
        if let Some(parent) = open.last_mut() {
            parent.add(&name, objs::tree::EntryKind::Tree.into(), id);
        }
    }
    Ok(())
}

impl Open {
    /// Adds an entry.
    fn add(&mut self, name: &[u8], mode: EntryMode, id: ObjectId) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(mode.as_bytes(&mut [0; 6]));
        self.bytes.push(b' ');
        let name_from = self.bytes.len();
        self.bytes.extend_from_slice(name);
        let name_until = self.bytes.len();
        self.bytes.push(0);
        self.bytes.extend_from_slice(id.as_bytes());
        self.entries.push(Span {
            whole: from..self.bytes.len(),
            name: name_from..name_until,
            is_tree: mode.is_tree(),
        });
    }

    /// Compares two entries as git sorts them: a directory as if a slash followed.
    fn order(bytes: &[u8], a: &Span, b: &Span) -> Ordering {
        let key = |span: &Span| {
            let name = bytes.get(span.name.clone()).unwrap_or_default();
            let slash: &[u8] = if span.is_tree { b"/" } else { b"" };
            name.iter().chain(slash).copied().collect::<Vec<u8>>()
        };
        let plain = |span: &Span| bytes.get(span.name.clone()).unwrap_or_default();
        if a.is_tree || b.is_tree {
            key(a).cmp(&key(b))
        } else {
            plain(a).cmp(plain(b))
        }
    }

    /// Returns its id.
    fn id(mut self, kind: Kind) -> Result<ObjectId, gix::Error> {
        self.entries.sort_by(|a, b| Self::order(&self.bytes, a, b));
        let sorted: Vec<&[u8]> = self
            .entries
            .iter()
            .filter_map(|span| self.bytes.get(span.whole.clone()))
            .collect();
        objs::compute_hash(kind, objs::Kind::Tree, &sorted.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_gives_the_empty_tree() {
        for kind in [Kind::Sha1, Kind::Sha256] {
            assert_eq!(id(kind, []).unwrap(), ObjectId::empty_tree(kind));
        }
    }

    #[test]
    fn any_depth_is_held() {
        let path = b"d/".repeat(100_000);
        let path = [path.as_slice(), b"f"].concat();
        let leaf = Leaf {
            path: &path,
            mode: objs::tree::EntryKind::Blob.into(),
            id: ObjectId::empty_blob(Kind::Sha1),
        };

        assert!(id(Kind::Sha1, [leaf]).is_ok());
    }
}
