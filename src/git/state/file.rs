//! One regular file: which blob its bytes are, by git's rules and without git's shortcuts.
//!
//! What is not flagged satisfies this: a checkout of the blob under tracked attributes alone
//! writes exactly the bytes on disk.

use gix::ObjectId;
use gix::filter::plumbing::eol::AttributesDigest as Text;
use gix::hash::Kind;
use gix::objs;

use super::attributes::{At, Outside};
use super::content::Measure;
use super::convert::{Conversion, Settings, is_text_with_crlf};
use super::disk::{OpenFile, Reading};
use super::encoding::Unserved;
use super::lfs::{self, Pointer};
use super::listing::Entry;
use super::objects::Blobs;
use crate::model::state::Flag;
use crate::wire::digest::Hasher;

/// Up to this size a file is read at once.
const AT_ONCE: u64 = 16 << 20;
/// Up to this size a file is converted in memory.
const CONVERTED: u64 = 512 << 20;
/// Up to this size a file is read at all.
const LARGEST: u64 = 8 << 30;

/// What a file is to git.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stored {
    /// Its blob; none if it was not read.
    pub(super) id: Option<ObjectId>,
    /// Length and digest of the blob.
    pub(super) measure: Option<Measure>,
    /// What is odd about it.
    pub(super) flag: Option<Flag>,
}

impl Stored {
    /// Stands for a file that was not read.
    const fn unread(flag: Flag) -> Self {
        Self {
            id: None,
            measure: None,
            flag: Some(flag),
        }
    }
}

/// What judging a file needs to know.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    /// The objects.
    pub(super) blobs: &'a Blobs<'a>,
    /// The settings in force here.
    pub(super) outside: &'a Outside,
    /// The hash of the repository.
    pub(super) kind: Kind,
}

/// The bytes of a file as they lie on disk.
struct Raw<'b> {
    /// Their blob id.
    id: ObjectId,
    /// Their length and digest.
    measure: Measure,
    /// The bytes, if they were read at once.
    bytes: Option<&'b [u8]>,
}

impl Judge<'_> {
    /// Judges an open file at `path`, whose index entry is `entry`.
    ///
    /// Returns the plain digest of the bytes on disk too.
    pub(super) fn judge(
        &self,
        subject: &Subject<'_>,
        file: &mut OpenFile,
        buffer: &mut Vec<u8>,
    ) -> Result<(Stored, Option<Measure>), Reading> {
        let at = &subject.at;
        let is_filtered = at.here.filter.is_some() || at.tracked.filter.is_some();
        let is_plain = at.is_identity();
        let limit = if is_plain || is_filtered {
            LARGEST
        } else {
            CONVERTED
        };
        if file.size > limit || file.is_hollow {
            return Ok((Stored::unread(Flag::Unsupported), None));
        }
        let at_once = if is_plain || is_filtered {
            AT_ONCE
        } else {
            CONVERTED
        };
        let raw = self.read(file, at_once, buffer)?;
        let stored = match raw.bytes {
            _ if is_plain => raw.stored(None),
            _ if is_filtered => self.filtered(subject, &raw),
            Some(bytes) => self.converted(subject, &raw, bytes),
            None => Stored::unread(Flag::Unsupported),
        };
        Ok((stored, Some(raw.measure)))
    }

    /// Reads a file, at once or piece by piece.
    fn read<'b>(
        &self,
        file: &mut OpenFile,
        at_once: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Raw<'b>, Reading> {
        if file.size <= at_once {
            let bytes = file.read_into(buffer)?;
            return Ok(Raw {
                id: self.id(bytes).map_err(|_| Reading::Unreadable)?,
                measure: Measure::of(bytes),
                bytes: Some(bytes),
            });
        }
        let mut blob = gix::hash::hasher(self.kind);
        blob.update(&objs::encode::loose_header(objs::Kind::Blob, file.size));
        let mut plain = Hasher::plain();
        file.stream(|piece| {
            blob.update(piece);
            plain.update(piece);
        })?;
        Ok(Raw {
            id: blob.try_finalize().map_err(|_| Reading::Unreadable)?,
            measure: Measure {
                length: file.size,
                digest: plain.finish(),
            },
            bytes: None,
        })
    }

    /// Returns the blob id of bytes; an error is a collision attack on SHA-1.
    fn id(&self, bytes: &[u8]) -> Result<ObjectId, gix::Error> {
        objs::compute_hash(self.kind, objs::Kind::Blob, bytes)
    }

    /// Judges a file under a filter attribute, whose driver is never run.
    ///
    /// Git LFS can be judged without: the pointer names the file by SHA-256.
    fn filtered(&self, subject: &Subject<'_>, raw: &Raw<'_>) -> Stored {
        if !subject.is_lfs_only() {
            return raw.stored(Some(Flag::Filtered));
        }
        if raw
            .bytes
            .is_some_and(|bytes| Pointer::parse(bytes).is_some())
        {
            return raw.stored(Some(Flag::LfsPointer));
        }
        let entry = subject.entry.filter(|entry| entry.is_file());
        let Some(entry) = entry else {
            return raw.stored(Some(Flag::Filtered));
        };
        let blob = self.blobs.blob(&entry.id).unwrap_or_default();
        let is_short = u64::try_from(blob.len()).is_ok_and(|length| length <= lfs::LONGEST);
        let pointer = Pointer::parse(&blob).filter(|_| is_short);
        let expected = Pointer {
            digest: raw.measure.digest,
            size: raw.measure.length,
        };
        if pointer == Some(expected) {
            return Stored {
                id: Some(entry.id),
                measure: Some(Measure::of(&blob)),
                flag: None,
            };
        }
        raw.stored(Some(Flag::Filtered))
    }

    /// Judges a file whose bytes are converted.
    fn converted(&self, subject: &Subject<'_>, raw: &Raw<'_>, bytes: &[u8]) -> Stored {
        let Ok(cleaned) = self.clean(subject, bytes) else {
            return raw.stored(Some(Flag::Unsupported));
        };
        if subject.holds(&raw.id) {
            // D15: bytes that are the entry's blob stay that blob, whatever conversion says.
            let flag = match self.checks_out(subject, bytes, bytes) {
                Ok(true) if cleaned == bytes => None,
                Ok(true) => Some(Flag::Renormalise),
                Ok(false) => Some(Flag::Eol),
                Err(Unserved) => Some(Flag::Unsupported),
            };
            return raw.stored(flag);
        }
        match self.checks_out(subject, &cleaned, bytes) {
            Ok(true) => self.stored(&cleaned, None),
            Ok(false) => self
                .as_head(subject, bytes)
                .unwrap_or_else(|| self.stored(&cleaned, Some(Flag::Eol))),
            Err(Unserved) => self
                .as_head(subject, bytes)
                .unwrap_or_else(|| self.stored(&cleaned, Some(Flag::Unsupported))),
        }
    }

    /// Returns what git would store for the bytes on disk.
    fn clean(&self, subject: &Subject<'_>, bytes: &[u8]) -> Result<Vec<u8>, Unserved> {
        let mut in_index = || self.index_has_crlf(subject);
        subject
            .at
            .here
            .to_git(self.outside.settings, bytes, &mut in_index)
    }

    /// Says whether a checkout of `blob` under tracked attributes alone writes `disk`.
    fn checks_out(
        &self,
        subject: &Subject<'_>,
        blob: &[u8],
        disk: &[u8],
    ) -> Result<bool, Unserved> {
        let tracked = &subject.at.tracked;
        let written = tracked.to_worktree(Settings::NEUTRAL, self.kind, blob)?;
        Ok(written == disk)
    }

    /// Takes HEAD's blob, if it is what a checkout would have written these bytes for.
    fn as_head(&self, subject: &Subject<'_>, disk: &[u8]) -> Option<Stored> {
        let id = self.blobs.in_head(subject.path)?;
        let blob = self.blobs.blob(&id)?;
        self.checks_out(subject, &blob, disk)
            .is_ok_and(|holds| holds)
            .then(|| Stored {
                id: Some(id),
                measure: Some(Measure::of(&blob)),
                flag: None,
            })
    }

    /// Says whether the blob in the index is text with CRLF.
    fn index_has_crlf(&self, subject: &Subject<'_>) -> Result<bool, Unserved> {
        match subject.entry.filter(|entry| entry.is_file()) {
            None => Ok(false),
            Some(entry) if entry.id == ObjectId::empty_blob(self.kind) => Ok(false),
            Some(entry) => match self.blobs.blob(&entry.id) {
                Some(blob) => Ok(is_text_with_crlf(&blob)),
                None => Err(Unserved),
            },
        }
    }

    /// Makes a blob of bytes.
    fn stored(&self, bytes: &[u8], flag: Option<Flag>) -> Stored {
        match self.id(bytes) {
            Ok(id) => Stored {
                id: Some(id),
                measure: Some(Measure::of(bytes)),
                flag,
            },
            Err(_) => Stored::unread(Flag::Unsupported),
        }
    }
}

impl Raw<'_> {
    /// Makes a blob of the bytes as they are.
    const fn stored(&self, flag: Option<Flag>) -> Stored {
        Stored {
            id: Some(self.id),
            measure: Some(self.measure),
            flag,
        }
    }
}

/// The file that is judged.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    /// Its path from the top.
    pub(super) path: &'a [u8],
    /// What the index has for it.
    pub(super) entry: Option<&'a Entry>,
    /// What the attributes ask for.
    pub(super) at: At,
}

impl Subject<'_> {
    /// Says whether the index holds this blob for it, resolved and added.
    fn holds(&self, id: &ObjectId) -> bool {
        self.entry
            .is_some_and(|e| e.id == *id && e.stage == 0 && !e.is_intended() && e.is_file())
    }

    /// Says whether Git LFS is all that would touch its bytes, by either view.
    fn is_lfs_only(&self) -> bool {
        let is_lfs = |one: &Conversion| one.filter.as_deref() == Some(b"lfs");
        let tracked = &self.at.tracked;
        // A local `core.autocrlf` is of no matter: git applies it to the pointer, which is LF.
        let is_local_auto = |text| matches!(text, Text::TextAutoInput | Text::TextAutoCrlf);
        let here = &self.at.here;
        is_lfs(here)
            && is_lfs(tracked)
            && tracked.is_identity_but_filter()
            && (here.is_identity_but_filter() || is_local_auto(here.text))
    }
}
