//! What a program wrote: counted and hashed in full, kept in part.

use std::collections::VecDeque;

use crate::model::ids::Digest;
use crate::wire::digest::Hasher;

/// How much of the beginning is kept, in bytes.
const HEAD: usize = 16 * 1024;
/// How much of the end is kept, in bytes.
const TAIL: usize = 48 * 1024;

/// How much of the output is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// Beginning and end.
    Ends,
    /// Everything up to the limit of the run.
    All,
}

/// What a program wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Output {
    /// The beginning: everything when all was to be kept.
    pub(crate) head: Vec<u8>,
    /// What follows the beginning or, after a gap, the end.
    pub(crate) tail: Vec<u8>,
    /// All that was written, in bytes.
    pub(crate) total: u64,
    /// SHA-256 over all that was written.
    pub(crate) sha256: Digest,
}

impl Output {
    /// Says whether nothing was left out.
    pub(crate) fn is_whole(&self) -> bool {
        let kept = self.head.len() + self.tail.len();
        u64::try_from(kept).is_ok_and(|kept| kept == self.total)
    }

    /// Returns beginning and end, of which the one follows the other where nothing was left out.
    pub(crate) fn ends(&self) -> (&[u8], &[u8]) {
        (&self.head, &self.tail)
    }

    /// Returns the last bytes; at most as many as the end of a long output keeps.
    pub(crate) fn last(&self, count: usize) -> Vec<u8> {
        // A tail that is not full follows the head without a gap.
        let wanted = count.min(TAIL).saturating_sub(self.tail.len());
        let from_head = self.head.iter().rev().take(wanted);
        let mut last: Vec<u8> = self
            .tail
            .iter()
            .rev()
            .take(count)
            .chain(from_head)
            .copied()
            .collect();
        last.reverse();
        last
    }
}

/// Output in the making.
#[derive(Debug)]
pub(super) struct Keeper {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    total: u64,
    limit: u64,
    hasher: Hasher,
}

impl Keeper {
    /// Begins with nothing written; `limit` is what a program may write.
    pub(super) fn new(keep: Keep, limit: u64) -> Self {
        let head_limit = match keep {
            Keep::Ends => HEAD,
            Keep::All => usize::try_from(limit).unwrap_or(usize::MAX),
        };
        Self {
            head: Vec::new(),
            head_limit,
            tail: VecDeque::new(),
            total: 0,
            limit,
            hasher: Hasher::plain(),
        }
    }

    /// Takes what was written.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.total = self.total.saturating_add(count);
        let room = self.head_limit.saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.take_tail(rest);
    }

    /// Takes what comes after the beginning, and lets go of what is too old.
    fn take_tail(&mut self, bytes: &[u8]) {
        let (_, last) = bytes.split_at(bytes.len().saturating_sub(TAIL));
        self.tail.extend(last);
        let surplus = self.tail.len().saturating_sub(TAIL);
        drop(self.tail.drain(..surplus));
    }

    /// Says whether more was written than is allowed.
    pub(super) const fn is_over(&self) -> bool {
        self.total > self.limit
    }

    /// Ends the output.
    pub(super) fn finish(self) -> Output {
        Output {
            head: self.head,
            tail: self.tail.into(),
            total: self.total,
            sha256: self.hasher.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::digest::sha256;

    fn kept(keep: Keep, limit: u64, pieces: &[&[u8]]) -> Output {
        let mut keeper = Keeper::new(keep, limit);
        for piece in pieces {
            keeper.take(piece);
        }
        keeper.finish()
    }

    #[test]
    fn head_and_tail_are_all_of_a_short_output() {
        let output = kept(Keep::Ends, 1024, &[b"a", b"b\n", b""]);

        assert_eq!((&*output.head, &*output.tail), (&b"ab\n"[..], &b""[..]));
        assert_eq!((output.total, output.sha256), (3, sha256(b"ab\n")));
    }

    #[test]
    fn the_middle_of_a_long_output_is_counted_but_not_kept() {
        let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let output = kept(Keep::Ends, 1_000_000, &[&bytes[..7], &bytes[7..]]);

        assert_eq!(output.head, bytes[..HEAD]);
        assert_eq!(output.tail, bytes[bytes.len() - TAIL..]);
        assert_eq!((output.total, output.sha256), (800_000, sha256(&bytes)));
    }

    #[test]
    fn the_last_bytes_come_from_tail_and_head() {
        for length in [0, 5, HEAD, HEAD + 3, HEAD + TAIL, HEAD + TAIL + 9] {
            let bytes: Vec<u8> = (0..=250).cycle().take(length).collect();
            let wanted = &bytes[length.saturating_sub(100)..];

            assert_eq!(kept(Keep::Ends, 1 << 30, &[&bytes]).last(100), wanted);
        }
    }

    #[test]
    fn all_is_kept_up_to_the_limit_where_it_is_wanted() {
        let bytes = vec![7; 300_000];
        let output = kept(Keep::All, 300_000, &[&bytes]);

        assert_eq!((output.head, output.tail), (bytes, Vec::new()));
    }
}
