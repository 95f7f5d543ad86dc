//! Attributes of paths: as git has them here, and as the tracked files alone say.
//!
//! `info/attributes` outranks every other file, as git's manual has it; gix ranks it below the
//! files of directories, so the ranking is our own. Attribute files are read without following
//! links or waiting, once per directory for all threads.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gix::attrs::search::{MetadataCollection, Outcome};
use gix::attrs::{Search, StateRef};
use gix::bstr::ByteSlice as _;
use gix::filter::plumbing::eol::AttributesDigest as Text;
use gix::glob::pattern::Case;

use super::convert::{Conversion, Settings};
use super::disk::{Disk, Found};
use super::encoding::{Encoding, Unserved};
use super::listing::{Entry, Listing};
use super::objects::Blobs;
use crate::git::open::Repository;
use crate::git::plain;

/// The attributes that change bytes, in the order they are read below.
const NAMES: [&str; 6] = [
    "crlf",
    "ident",
    "filter",
    "eol",
    "text",
    "working-tree-encoding",
];

/// The longest line that git reads for attributes.
const LONGEST_LINE: usize = 2048;

/// An attribute file of one directory.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// What git goes by: the file on disk, else the one in the index.
    here: Option<Vec<u8>>,
    /// What a checkout would go by.
    tracked: Option<Vec<u8>>,
    /// Whether the bytes came from disk.
    is_from_disk: bool,
    /// Whether there is a file that was not read as git would.
    is_odd: bool,
}

/// The attribute files of the work tree, read once for all threads.
#[derive(Debug, Default)]
pub(super) struct Shared(Mutex<BTreeMap<Vec<u8>, Arc<Rules>>>);

impl Shared {
    /// Lists the attribute files that were read from disk, with their bytes.
    pub(super) fn read_from_disk(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut read = Vec::new();
        for (directory, rules) in files.iter() {
            if let (true, Some(bytes)) = (rules.is_from_disk, &rules.here) {
                read.push((file_in(directory, b".gitattributes"), bytes.clone()));
            }
        }
        read
    }

    /// Says whether any file has a line that git would not read as we do.
    pub(super) fn odd(&self) -> Vec<Vec<u8>> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let odd = files.iter().filter(|(_, rules)| rules.is_odd);
        odd.map(|(directory, _)| file_in(directory, b".gitattributes"))
            .collect()
    }
}

/// Names a file in a directory.
pub(super) fn file_in(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() {
        name.to_vec()
    } else {
        [directory, b"/", name].concat()
    }
}

/// What stands outside of the work tree and speaks of attributes.
#[derive(Clone, Debug)]
pub(super) struct Outside {
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
    /// Reads the files and settings outside of the work tree.
    pub(super) fn read(
        repository: &Repository,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
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
    let options = gix::filter::Pipeline::options(&repository.gix)?;
    Ok(Settings::new(
        options.eol_config.auto_crlf,
        options.eol_config.eol,
    ))
}

/// One way to look at attributes: as git does here, or as tracked files say.
#[derive(Debug)]
struct View {
    /// `info/attributes`.
    info: Search,
    /// The files of the directories on the way, the deepest last.
    directories: Search,
    /// System and user files, and the built-in macro.
    global: Search,
    /// The names met so far.
    names: MetadataCollection,
    /// Room for one answer.
    outcome: Outcome,
    /// How patterns match.
    case: Case,
    /// The settings in force.
    settings: Settings,
    /// Whether any file speaks of anything.
    is_silent: bool,
}

impl View {
    /// Begins a view with what stands outside of the work tree.
    fn new(global: &[Vec<u8>], info: Option<&[u8]>, case: Case, settings: Settings) -> Self {
        let mut view = Self {
            info: Search::default(),
            directories: Search::default(),
            global: Search::default(),
            names: MetadataCollection::default(),
            outcome: Outcome::default(),
            case,
            settings,
            is_silent: true,
        };
        add(
            &mut view.global,
            &mut view.names,
            b"[attr]binary -diff -merge -text",
            None,
        );
        for bytes in global {
            add(&mut view.global, &mut view.names, bytes, None);
            view.is_silent &= bytes.is_empty();
        }
        if let Some(bytes) = info {
            add(&mut view.info, &mut view.names, bytes, None);
            view.is_silent &= bytes.is_empty();
        }
        view
    }

    /// Adds the file of the next deeper directory.
    fn push(&mut self, directory: &[u8], bytes: Option<&[u8]>) {
        self.is_silent &= bytes.is_none_or(<[u8]>::is_empty);
        let bytes = bytes.unwrap_or_default();
        add(
            &mut self.directories,
            &mut self.names,
            bytes,
            Some(directory),
        );
    }

    /// Answers for one path.
    fn at(&mut self, path: &[u8]) -> Conversion {
        if self.is_silent {
            return silent(self.settings);
        }
        self.outcome.initialize_with_selection(&self.names, NAMES);
        for search in [&self.info, &self.directories, &self.global] {
            if self.outcome.is_done() {
                break;
            }
            search.pattern_matching_relative_path(
                path.as_bstr(),
                self.case,
                Some(false),
                &mut self.outcome,
            );
        }
        conversion(&self.outcome, self.settings)
    }
}

/// Adds the patterns of one file; only files at the top and outside may define macros.
fn add(search: &mut Search, names: &mut MetadataCollection, bytes: &[u8], at: Option<&[u8]>) {
    let file = at.map_or_else(|| b"outside".to_vec(), |at| file_in(at, b".gitattributes"));
    let source = PathBuf::from(OsStr::from_bytes(&file));
    let root = at.map(|_| Path::new(""));
    let may_define = at.is_none_or(<[u8]>::is_empty);
    // Adding a buffer fails only for a file without a parent directory, which a path always has.
    drop(search.add_patterns_buffer(bytes, source, root, names, may_define));
}

/// Returns what holds where no attribute speaks.
fn silent(settings: Settings) -> Conversion {
    Conversion {
        text: settings.unspoken(),
        ident: false,
        encoding: Ok(None),
        filter: None,
    }
}

/// Reads the answer of a search by git's rules.
fn conversion(outcome: &Outcome, settings: Settings) -> Conversion {
    let mut said = silent(settings);
    let mut crlf = None;
    let mut text = None;
    let mut eol = None;
    for (name, found) in NAMES.into_iter().zip(outcome.iter_selected()) {
        let state = found.assignment.state;
        match name {
            "crlf" => crlf = line_ends(state),
            "text" => text = line_ends(state),
            "eol" => eol = value(state).map(<[u8]>::to_vec),
            "ident" => said.ident = state == StateRef::Set,
            "filter" => said.filter = value(state).map(<[u8]>::to_vec),
            _ => said.encoding = encoding(state),
        }
    }
    if let Some(spoken) = with_eol(text.or(crlf), eol.as_deref()) {
        said.text = spoken;
    }
    said
}

/// Returns the value of an attribute that has one.
fn value(state: StateRef<'_>) -> Option<&[u8]> {
    match state {
        StateRef::Value(value) => Some(value.as_bstr().as_bytes()),
        StateRef::Set | StateRef::Unset | StateRef::Unspecified => None,
    }
}

/// Reads `text` or `crlf`.
fn line_ends(state: StateRef<'_>) -> Option<Text> {
    match state {
        StateRef::Set => Some(Text::Text),
        StateRef::Unset => Some(Text::Binary),
        StateRef::Value(value) if value.as_bstr() == "input" => Some(Text::TextInput),
        StateRef::Value(value) if value.as_bstr() == "auto" => Some(Text::TextAuto),
        StateRef::Value(_) | StateRef::Unspecified => None,
    }
}

/// Joins `eol` to what `text` says; on its own it makes a file text.
fn with_eol(text: Option<Text>, eol: Option<&[u8]>) -> Option<Text> {
    let is_auto = text == Some(Text::TextAuto);
    match (text, eol) {
        (Some(Text::Binary), _) => text,
        (_, Some(b"lf")) if is_auto => Some(Text::TextAutoInput),
        (_, Some(b"crlf")) if is_auto => Some(Text::TextAutoCrlf),
        (_, Some(b"lf")) => Some(Text::TextInput),
        (_, Some(b"crlf")) => Some(Text::TextCrlf),
        _ => text,
    }
}

/// Reads `working-tree-encoding`, which must have a value.
fn encoding(state: StateRef<'_>) -> Result<Option<Encoding>, Unserved> {
    match state {
        StateRef::Value(value) => Encoding::parse(value.as_bstr()),
        StateRef::Set | StateRef::Unset => Err(Unserved),
        StateRef::Unspecified => Ok(None),
    }
}

/// What holds at one path.
#[derive(Debug)]
pub(super) struct At {
    /// As git has it here.
    pub(super) here: Conversion,
    /// As a checkout under tracked attributes alone has it.
    pub(super) tracked: Conversion,
}

/// A cursor over directories that answers for the paths in them.
#[derive(Debug)]
pub(super) struct Attributes<'a> {
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
    pub(super) fn new(outside: &Outside, shared: &'a Shared, listing: &'a Listing) -> Self {
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
    pub(super) fn at(&mut self, path: &[u8], disk: &mut Disk, blobs: &Blobs<'_>) -> At {
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
            drop(self.here.directories.pop_pattern_list());
            drop(self.tracked.directories.pop_pattern_list());
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
        let rules = self.rules(directory, disk, blobs);
        self.here.push(directory, rules.here.as_deref());
        self.tracked.push(directory, rules.tracked.as_deref());
    }

    /// Returns the file of one directory, reading it if nobody has.
    fn rules(&self, directory: &[u8], disk: &mut Disk, blobs: &Blobs<'_>) -> Arc<Rules> {
        let mut files = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = files.get(directory) {
            return Arc::clone(rules);
        }
        let rules = Arc::new(self.read(directory, disk, blobs));
        files.insert(directory.to_vec(), Arc::clone(&rules));
        rules
    }

    /// Reads the attribute file of one directory from disk, else from the index.
    fn read(&self, directory: &[u8], disk: &mut Disk, blobs: &Blobs<'_>) -> Rules {
        let path = file_in(directory, b".gitattributes");
        let entry = self.listing.file(&path);
        match on_disk(disk.look(&path)) {
            OnDisk::Bytes(bytes) => Rules {
                tracked: entry.is_some().then(|| bytes.clone()),
                is_odd: has_long_line(&bytes),
                here: Some(bytes),
                is_from_disk: true,
            },
            OnDisk::Odd => Rules {
                is_odd: true,
                ..Rules::default()
            },
            OnDisk::None => entry.map_or_else(Rules::default, |entry| from_index(entry, blobs)),
        }
    }
}

/// An attribute file as found on disk.
enum OnDisk {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// Nothing that git would read.
    None,
    /// Something that git would read or fail on, and we did not read.
    Odd,
}

/// Reads an attribute file on disk.
fn on_disk(found: Found) -> OnDisk {
    match found {
        Found::File(mut file) if file.size <= plain::LIMIT => {
            let mut buffer = Vec::new();
            match file.read_into(&mut buffer) {
                Ok(bytes) => OnDisk::Bytes(bytes.to_vec()),
                Err(_) => OnDisk::Odd,
            }
        }
        Found::Missing | Found::Link(_) | Found::Directory => OnDisk::None,
        Found::File(_) | Found::Special | Found::Unreadable => OnDisk::Odd,
    }
}

/// Takes an attribute file from the index where a sparse checkout leaves it out.
///
/// One that is gone otherwise is deleted, and speaks no more: so git has it too, once it commits.
fn from_index(entry: &Entry, blobs: &Blobs<'_>) -> Rules {
    if !entry.is_skipped() {
        return Rules::default();
    }
    let here = blobs.blob(&entry.id);
    Rules {
        is_odd: here.as_deref().is_none_or(has_long_line),
        tracked: here.clone(),
        here,
        is_from_disk: false,
    }
}

/// Says whether a line is longer than git reads.
fn has_long_line(bytes: &[u8]) -> bool {
    bytes.lines().any(|line| line.len() > LONGEST_LINE)
}
