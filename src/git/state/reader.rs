//! Reading the files of a work tree, one thread's part of it.

use std::path::Path;
use std::sync::Arc;

use super::attribute_files::Shared;
use super::attributes::{Attributes, Outside};
use super::content::{Content, Measure, Placed};
use super::disk::{Disk, Found, OpenFile, Reading};
use super::file::{Judge, Stored, Subject};
use super::flags::Flags;
use super::listing::{Entry, Listing};
use super::objects::Blobs;
use super::remarks::{leads_into_git, leads_out};
use super::submodule::Submodules;
use crate::model::ids::Digest;
use crate::model::state::Flag;

/// What every thread reads with.
#[derive(Debug)]
pub(super) struct Common<'a> {
    /// The top of the work tree.
    pub(super) top: &'a Path,
    /// The index.
    pub(super) listing: &'a Listing,
    /// Attribute files and settings outside of the work tree.
    pub(super) outside: &'a Outside,
    /// Attribute files of the work tree.
    pub(super) shared: &'a Shared,
    /// How submodules are judged.
    pub(super) submodules: &'a Submodules<'a>,
    /// `core.fileMode`: whether git believes exec bits.
    pub(super) believes_modes: bool,
    /// `core.symlinks`: whether git believes that a file for a link is a file.
    pub(super) believes_links: bool,
    /// The hash of the repository.
    pub(super) kind: gix::hash::Kind,
}

/// What one thread found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Oddities.
    pub(super) flags: Flags,
    /// Paths that changed while they were read.
    pub(super) changed: Vec<Vec<u8>>,
    /// Ignore and attribute files with the digest of their bytes on disk.
    pub(super) rules: Vec<(Vec<u8>, Digest)>,
    /// What submodules hide.
    pub(super) hidden: Vec<Vec<u8>>,
}

/// One thread's reader.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    /// What all share.
    common: &'a Common<'a>,
    /// The objects.
    blobs: Blobs<'a>,
    /// The attributes.
    attributes: Attributes<'a>,
    /// The disk.
    disk: Disk,
    /// Room for one file.
    buffer: Vec<u8>,
    /// What was found.
    pub(super) findings: Findings,
}

impl<'a> Reader<'a> {
    /// Begins at the top of the work tree.
    pub(super) fn new(common: &'a Common<'a>, blobs: Blobs<'a>) -> std::io::Result<Self> {
        Ok(Self {
            common,
            blobs,
            attributes: Attributes::new(common.outside, common.shared, common.listing),
            disk: Disk::at(common.top)?,
            buffer: Vec::new(),
            findings: Findings::default(),
        })
    }

    /// Says what the index has for a path without reading it, if that can be believed.
    ///
    /// Git must have seen this very file, by its stat data, when it last wrote the index, and
    /// nothing may convert its bytes. None asks for a reading.
    pub(super) fn believed(&mut self, entry: &Entry) -> Option<Placed> {
        if !entry.is_plain() {
            return None;
        }
        let stat = self.disk.stat(&entry.path)?;
        if !self.common.listing.vouches(entry, &stat) {
            return None;
        }
        let at = self.attributes.at(&entry.path, &mut self.disk, &self.blobs);
        at.is_identity().then(|| entry.placed())
    }

    /// Reads the tracked path of these entries, which are all of one path.
    ///
    /// None if it is gone.
    pub(super) fn tracked(&mut self, entries: &[Entry]) -> Option<Content> {
        let ours = entries.iter().find(|entry| matches!(entry.stage, 0 | 2));
        let entry = ours.or(entries.first())?;
        self.note(entry);
        if entry.mode == 0o040_000 {
            return Some(self.unexpanded(entry));
        }
        let found = self.disk.look(&entry.path);
        if entry.is_skipped() {
            let is_absent = matches!(found, Found::Missing | Found::Directory)
                && (!entry.is_gitlink() || matches!(found, Found::Missing));
            if is_absent {
                self.findings.flags.add(Flag::Absent, &entry.path);
                return Some(self.absent(entry));
            }
            self.findings.flags.add(Flag::SkipWorktree, &entry.path);
        }
        self.found(entry, found)
    }

    /// Stands for a file that a sparse checkout left out: what the index has is what it would be.
    fn absent(&self, entry: &Entry) -> Content {
        let measure = if entry.is_gitlink() {
            Some(Measure::of_commit(&entry.id))
        } else {
            self.blobs.blob(&entry.id).map(|bytes| Measure::of(&bytes))
        };
        let stand_in = unread(entry);
        Content {
            measure: measure.unwrap_or(stand_in.measure),
            ..stand_in
        }
    }

    /// Notes what the entry itself says.
    fn note(&mut self, entry: &Entry) {
        let said = [
            (entry.stage != 0, Flag::Unmerged),
            (entry.is_intended(), Flag::IntentToAdd),
            (entry.is_assumed(), Flag::AssumeUnchanged),
        ];
        for (_, flag) in said.into_iter().filter(|(holds, _)| *holds) {
            self.findings.flags.add(flag, &entry.path);
        }
    }

    /// Stands for a sparse directory whose trees are not here.
    fn unexpanded(&mut self, entry: &Entry) -> Content {
        let flag = match self.disk.look(&entry.path) {
            Found::Missing => Flag::Absent,
            Found::Directory
            | Found::File(_)
            | Found::Link(_)
            | Found::Special
            | Found::Unreadable => Flag::Unsupported,
        };
        self.findings.flags.add(flag, &entry.path);
        unread(entry)
    }

    /// Takes what is on disk for an entry.
    fn found(&mut self, entry: &Entry, found: Found) -> Option<Content> {
        match found {
            Found::Directory if entry.is_gitlink() => Some(self.submodule(entry)),
            Found::Missing | Found::Directory => None,
            Found::File(file) => {
                let mode = self.mode(entry, &file);
                self.file(Arc::clone(&entry.path), Some(entry), mode, file)
            }
            Found::Link(text) => {
                if leads_out(&entry.path, &text) {
                    self.findings.flags.add(Flag::LinkOutside, &entry.path);
                }
                if leads_into_git(&entry.path, &text) {
                    self.findings.flags.add(Flag::Special, &entry.path);
                }
                Some(self.link(&text, entry))
            }
            Found::Special => Some(self.flagged(Flag::Special, entry)),
            Found::Unreadable => Some(self.flagged(Flag::Unreadable, entry)),
        }
    }

    /// Returns the mode on disk, and flags what git's settings would make of it.
    fn mode(&mut self, entry: &Entry, file: &OpenFile) -> u32 {
        let on_disk = regular(file);
        let believed = if !self.common.believes_links && entry.mode == 0o120_000 {
            entry.mode
        } else if self.common.believes_modes {
            on_disk
        } else if entry.is_file() {
            entry.mode
        } else {
            0o100_644
        };
        if believed != on_disk {
            self.findings.flags.add(Flag::Modes, &entry.path);
        }
        on_disk
    }

    /// Takes a link.
    fn link(&mut self, text: &[u8], entry: &Entry) -> Content {
        match gix::objs::compute_hash(self.common.kind, gix::objs::Kind::Blob, text) {
            Ok(id) => Content {
                placed: Placed {
                    path: Arc::clone(&entry.path),
                    mode: 0o120_000,
                    id,
                },
                measure: Measure::of(text),
            },
            Err(_) => self.flagged(Flag::Unsupported, entry),
        }
    }

    /// Takes a submodule.
    fn submodule(&mut self, entry: &Entry) -> Content {
        let judged = self.common.submodules.judge(self.common.top, entry);
        if let Some(flag) = judged.flag {
            self.findings.flags.add(flag, &entry.path);
        }
        let whole = [&*entry.path, b"/"].concat();
        for flag in judged.beside {
            self.findings.flags.add(flag, &whole);
        }
        self.findings.hidden.extend(judged.hides.then_some(whole));
        Content {
            placed: Placed {
                path: Arc::clone(&entry.path),
                mode: entry.mode,
                id: judged.commit,
            },
            measure: Measure::of_commit(&judged.commit),
        }
    }

    /// Stands for an entry that could not be read.
    fn flagged(&mut self, flag: Flag, entry: &Entry) -> Content {
        self.findings.flags.add(flag, &entry.path);
        unread(entry)
    }

    /// Takes a regular file.
    fn file(
        &mut self,
        path: Arc<[u8]>,
        entry: Option<&Entry>,
        mode: u32,
        mut file: OpenFile,
    ) -> Option<Content> {
        if file.has_odd_mode {
            self.findings.flags.add(Flag::Modes, &path);
        }
        let subject = Subject {
            path: &path,
            entry,
            at: self.attributes.at(&path, &mut self.disk, &self.blobs),
        };
        let judge = Judge {
            blobs: &self.blobs,
            outside: self.common.outside,
            kind: self.common.kind,
        };
        match judge.judge(&subject, &mut file, &mut self.buffer) {
            Ok((stored, raw)) => {
                self.note_rules(&subject, raw);
                Some(self.content(path, entry, mode, &stored))
            }
            Err(Reading::Changed) => {
                self.findings.changed.push(path.to_vec());
                None
            }
            Err(Reading::Unreadable) => {
                self.findings.flags.add(Flag::Unreadable, &path);
                entry.map(unread)
            }
        }
    }

    /// Makes the content of a judged file; what is odd about an untracked one is of no matter.
    fn content(
        &mut self,
        path: Arc<[u8]>,
        entry: Option<&Entry>,
        mode: u32,
        stored: &Stored,
    ) -> Content {
        let is_tracked = entry.is_some();
        let counts = |flag: &Flag| is_tracked || *flag == Flag::Unsupported;
        if let Some(flag) = stored.flag.filter(counts) {
            self.findings.flags.add(flag, &path);
        }
        let null = gix::ObjectId::null(self.common.kind);
        let id = stored.id.or(entry.map(|entry| entry.id)).unwrap_or(null);
        Content {
            placed: Placed { path, mode, id },
            measure: stored.measure.unwrap_or_else(|| Measure::unread(&id)),
        }
    }

    /// Remembers the bytes of a file that rules are read from.
    ///
    /// Its rules are taken from its bytes on disk, but a checkout goes by those of its blob.
    fn note_rules(&mut self, subject: &Subject<'_>, raw: Option<Measure>) {
        let (_, name) = super::disk::split(subject.path);
        if !matches!(name, b".gitignore" | b".gitattributes") {
            return;
        }
        if subject.at.rewrites_text() {
            self.findings.flags.add(Flag::Unsupported, subject.path);
        }
        if let Some(raw) = raw {
            self.findings
                .rules
                .push((subject.path.to_vec(), raw.digest));
        }
    }

    /// Reads an untracked path; none if it vanished.
    pub(super) fn untracked(&mut self, path: &[u8]) -> Option<Content> {
        match self.disk.look(path) {
            Found::File(file) => {
                let mode = regular(&file);
                self.file(path.into(), None, mode, file)
            }
            Found::Link(text) => {
                let id = gix::objs::compute_hash(self.common.kind, gix::objs::Kind::Blob, &text);
                Some(Content {
                    placed: Placed {
                        path: path.into(),
                        mode: 0o120_000,
                        id: id.unwrap_or_else(|_| gix::ObjectId::null(self.common.kind)),
                    },
                    measure: Measure::of(&text),
                })
            }
            Found::Unreadable => {
                self.findings.flags.add(Flag::Unreadable, path);
                None
            }
            Found::Missing | Found::Directory | Found::Special => {
                self.findings.changed.push(path.to_vec());
                None
            }
        }
    }
}

/// Returns the mode of a regular file on disk.
const fn regular(file: &OpenFile) -> u32 {
    if file.is_executable {
        0o100_755
    } else {
        0o100_644
    }
}

/// Stands for an entry that is not read, by what the index has.
fn unread(entry: &Entry) -> Content {
    Content {
        placed: entry.placed(),
        measure: Measure::unread(&entry.id),
    }
}
