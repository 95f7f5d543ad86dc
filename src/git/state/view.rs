//! One way to look at attributes, and what they mean for the bytes of a file.
//!
//! `info/attributes` outranks every other file, as git's manual has it; gix ranks it below the
//! files of directories, so the ranking is our own.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gix::attrs::search::{MetadataCollection, Outcome};
use gix::attrs::{Search, StateRef};
use gix::bstr::ByteSlice as _;
use gix::filter::plumbing::eol::AttributesDigest as Text;
use gix::glob::pattern::Case;

use super::convert::{Conversion, Settings};
use super::disk::file_in;
use super::encoding::{Encoding, Unserved};

/// The attributes that change bytes, in the order they are read below.
const NAMES: [&str; 6] = [
    "crlf",
    "ident",
    "filter",
    "eol",
    "text",
    "working-tree-encoding",
];

/// One way to look at attributes: as git does here, or as tracked files say.
#[derive(Debug)]
pub(super) struct View {
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
    /// Of each directory on the way, whether its file says anything.
    spoken: Vec<bool>,
    /// Whether no file has spoken of anything so far.
    is_silent: bool,
}

impl View {
    /// Begins a view with what stands outside of the work tree.
    pub(super) fn new(
        global: &[Vec<u8>],
        info: Option<&[u8]>,
        case: Case,
        settings: Settings,
    ) -> Self {
        let mut view = Self {
            info: Search::default(),
            directories: Search::default(),
            global: Search::default(),
            names: MetadataCollection::default(),
            outcome: Outcome::default(),
            case,
            settings,
            spoken: Vec::new(),
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
    pub(super) fn push(&mut self, directory: &[u8], bytes: Option<&[u8]>) {
        let bytes = bytes.filter(|bytes| !bytes.is_empty());
        self.spoken.push(bytes.is_some());
        if let Some(bytes) = bytes {
            self.is_silent = false;
            let (directories, names) = (&mut self.directories, &mut self.names);
            add(directories, names, bytes, Some(directory));
        }
    }

    /// Takes the file of the deepest directory away.
    pub(super) fn pop(&mut self) {
        if self.spoken.pop() == Some(true) {
            drop(self.directories.pop_pattern_list());
        }
    }

    /// Answers for one path.
    pub(super) fn at(&mut self, path: &[u8]) -> Conversion {
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
