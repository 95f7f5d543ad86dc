//! Attributes of paths: as git has them here, and as the tracked files alone say.

use gix::bstr::ByteSlice as _;
use gix::config::tree::Core;
use gix::glob::pattern::Case;

use super::Cause;
use super::attribute_files::Shared;
use super::convert::{Conversion, Settings};
use super::disk::Disk;
use super::listing::Listing;
use super::objects::Blobs;
use super::view::View;
use crate::git::open::Repository;
use crate::git::plain;

/// What stands outside of the work tree and speaks of attributes.
#[derive(Clone, Debug)]
pub(in crate::git) struct Outside {
    /// System and user files, the weakest first.
    global: Vec<Vec<u8>>,
    /// `info/attributes`.
    info: Option<Vec<u8>>,
    /// Whether patterns fold case here.
    case: Case,
    /// `core.autocrlf` and `core.eol`.
    pub(super) settings: Settings,
}

impl Outside {
    /// Nothing at all: for what knows the tracked files alone.
    pub(in crate::git) fn nothing() -> Self {
        Self {
            global: Vec::new(),
            info: None,
            case: Case::Sensitive,
            settings: Settings::NEUTRAL,
        }
    }

    /// Reads the files and settings outside of the work tree.
    pub(super) fn read(repository: &Repository) -> Result<Self, Cause> {
        let mut global = Vec::new();
        for path in repository.gix.attribute_global_paths()? {
            global.extend(plain::read(&path)?);
        }
        let info = plain::read(&repository.common_dir().join("info/attributes"))?;
        Ok(Self {
            global,
            info,
            case: case(repository),
            settings: settings(repository)?,
        })
    }
}

/// Returns how patterns match here.
pub(super) fn case(repository: &Repository) -> Case {
    match repository.gix.config_snapshot().boolean("core.ignoreCase") {
        Some(true) => Case::Fold,
        Some(false) | None => Case::Sensitive,
    }
}

/// Reads `core.autocrlf` and `core.eol`.
fn settings(repository: &Repository) -> Result<Settings, gix::Error> {
    let config = repository.gix.config_snapshot();
    let auto = config.string("core.autocrlf");
    let auto = auto.map(|value| Core::AUTO_CRLF.try_into_autocrlf(value));
    let eol = config.string("core.eol");
    let eol = eol.map(|value| Core::EOL.try_into_eol(value));
    Ok(Settings::new(
        auto.transpose()?.unwrap_or_default(),
        eol.transpose()?,
    ))
}

/// What holds at one path.
#[derive(Debug)]
pub(in crate::git) struct At {
    /// As git has it here.
    pub(super) here: Conversion,
    /// As a checkout under tracked attributes alone has it.
    pub(in crate::git) tracked: Conversion,
}

impl At {
    /// Says whether bytes pass unchanged, by either view.
    pub(super) fn is_identity(&self) -> bool {
        self.here.is_identity() && self.tracked.is_identity()
    }

    /// Says whether more than line ends of the text changes between disk and object.
    pub(super) fn rewrites_text(&self) -> bool {
        let rewrites = |one: &Conversion| one.ident || one.encoding != Ok(None);
        rewrites(&self.here) || rewrites(&self.tracked)
    }
}

/// A cursor over directories that answers for the paths in them.
#[derive(Debug)]
pub(in crate::git) struct Attributes<'a> {
    /// The files read so far, by any thread.
    shared: &'a Shared,
    /// The index.
    listing: &'a Listing,
    /// As git has it here.
    here: View,
    /// As tracked files say.
    tracked: View,
    /// The directories pushed so far below the top.
    pushed: Vec<Vec<u8>>,
    /// Whether the top was pushed.
    is_open: bool,
}

impl<'a> Attributes<'a> {
    /// Begins above the top of the work tree.
    pub(in crate::git) fn new(outside: &Outside, shared: &'a Shared, listing: &'a Listing) -> Self {
        let info = outside.info.as_deref();
        Self {
            shared,
            listing,
            here: View::new(&outside.global, info, outside.case, outside.settings),
            tracked: View::new(&[], None, Case::Sensitive, Settings::NEUTRAL),
            pushed: Vec::new(),
            is_open: false,
        }
    }

    /// Answers for one path, given the disk to read attribute files from.
    pub(in crate::git) fn at(&mut self, path: &[u8], disk: &mut Disk, blobs: &Blobs<'_>) -> At {
        let (directory, _) = super::disk::split(path);
        self.go_to(directory, disk, blobs);
        At {
            here: self.here.at(path),
            tracked: self.tracked.at(path),
        }
    }

    /// Leaves and enters directories until the files on the way to `directory` are in force.
    fn go_to(&mut self, directory: &[u8], disk: &mut Disk, blobs: &Blobs<'_>) {
        if !self.is_open {
            self.push(b"", disk, blobs);
            self.is_open = true;
        }
        while let Some(last) = self.pushed.last() {
            let holds = directory
                .strip_prefix(last.as_slice())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"));
            if holds {
                break;
            }
            self.pushed.pop();
            self.here.pop();
            self.tracked.pop();
        }
        let mut reached = self.pushed.last().map_or(0, |last| last.len() + 1);
        while reached < directory.len() {
            let rest = directory.get(reached..).unwrap_or_default();
            let length = rest.find_byte(b'/').unwrap_or(rest.len());
            let next = directory.get(..reached + length).unwrap_or_default();
            self.push(next, disk, blobs);
            self.pushed.push(next.to_vec());
            reached += length + 1;
        }
    }

    /// Puts the file of one directory in force.
    fn push(&mut self, directory: &[u8], disk: &mut Disk, blobs: &Blobs<'_>) {
        let rules = self.shared.rules(directory, disk, (self.listing, blobs));
        self.here.push(directory, rules.here.as_deref());
        self.tracked.push(directory, rules.tracked.as_deref());
    }
}
