//! Which files pin patterns freeze: more than they spell, where something else could take the place
//! of a file that they do.

use std::collections::{BTreeMap, BTreeSet};

use super::super::files::{Files, LINK, SUBMODULE};
use super::super::pattern::{PathPatterns, PatternFault, path_fault};

/// The patterns of `pins`.
///
/// Case does not matter: on many file systems, and to many tools, `TESTS/A` is `tests/a`. A link or
/// submodule that stands where a pattern names a directory is frozen itself, for it decides what
/// lies below.
#[derive(Clone, Debug)]
pub(crate) struct PinPatterns {
    exact: PathPatterns,
    folded: PathPatterns,
    /// The patterns in small letters.
    texts: Vec<String>,
}

impl PinPatterns {
    /// Compiles patterns of a valid plan.
    pub(crate) fn new(patterns: &[String]) -> Result<Self, PatternFault> {
        // A range such as `[Z-a]` has no small form; it is matched as it stands.
        let small = |text: &String| {
            let small = text.to_lowercase();
            if path_fault(&small).is_none() {
                small
            } else {
                text.clone()
            }
        };
        let texts: Vec<String> = patterns.iter().map(small).collect();
        Ok(Self {
            exact: PathPatterns::new(patterns)?,
            folded: PathPatterns::new(&texts)?,
            texts,
        })
    }

    /// Lists the paths that are frozen.
    pub(crate) fn matched<'a>(&self, files: &'a Files) -> BTreeSet<&'a [u8]> {
        let paths = files.keys().map(Vec::as_slice);
        let mut found: BTreeSet<&[u8]> = paths.filter(|path| self.matches(path)).collect();
        found.extend(self.in_place_of_directories(files));
        found
    }

    /// Says whether a path as it stands, or in small letters, matches a pattern.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        self.exact.matches(path) || self.folded.matches(&folded(path))
    }

    /// Lists the patterns, by their places, that freeze none of these files.
    pub(crate) fn idle(&self, files: &Files) -> Vec<usize> {
        let mut idle: BTreeSet<usize> = (0..self.texts.len()).collect();
        for path in files.keys() {
            if idle.is_empty() {
                break;
            }
            let places = self.exact.matching(path).into_iter();
            for place in places.chain(self.folded.matching(&folded(path))) {
                idle.remove(&place);
            }
        }
        let is_idle = |place: &usize| {
            let one = self.texts.get(*place).map(std::slice::from_ref);
            one.is_none_or(|one| in_place_of_directories(one, files).is_empty())
        };
        idle.into_iter().filter(is_idle).collect()
    }

    /// Lists the links and submodules that stand where a pattern names a directory.
    fn in_place_of_directories<'a>(&self, files: &'a Files) -> BTreeSet<&'a [u8]> {
        in_place_of_directories(&self.texts, files)
    }
}

/// Lists the links and submodules that stand where a pattern names a directory.
///
/// A submodule is frozen too where `**` of a pattern might lead into it: its files are files of the
/// work tree. A link is not: what it leads to has a path of its own, or lies outside.
fn in_place_of_directories<'a>(patterns: &[String], files: &'a Files) -> BTreeSet<&'a [u8]> {
    let mut by_depth: BTreeMap<usize, Vec<(&[u8], u32)>> = BTreeMap::new();
    let odd = files
        .iter()
        .filter(|(_, file)| matches!(file.mode, LINK | SUBMODULE));
    for (path, file) in odd {
        let depth = path.split(|byte| *byte == b'/').count();
        by_depth.entry(depth).or_default().push((path, file.mode));
    }
    let mut found = BTreeSet::new();
    for (depth, paths) in by_depth {
        let Fronts { named, open } = Fronts::of(patterns, depth);
        for (path, mode) in paths {
            let text = folded(path);
            let is_led_into =
                mode == SUBMODULE && open.as_ref().is_none_or(|open| open.matches(&text));
            if is_led_into || named.as_ref().is_none_or(|named| named.matches(&text)) {
                found.insert(path);
            }
        }
    }
    found
}

/// The beginnings of patterns that name directories; none where they are too many to be compiled,
/// which stands for all.
struct Fronts {
    /// Those of as many parts as asked for, none of which is `**`.
    named: Option<PathPatterns>,
    /// Those up to the first `**` that might lead so deep, and all of patterns that cannot be taken
    /// apart.
    open: Option<PathPatterns>,
}

impl Fronts {
    /// Takes patterns apart for paths of a depth.
    fn of(patterns: &[String], depth: usize) -> Self {
        let (mut named, mut open) = (BTreeSet::new(), BTreeSet::new());
        for pattern in patterns {
            let Some(parts) = parts(pattern) else {
                open.insert("**".to_owned());
                continue;
            };
            let star = parts.iter().position(|part| *part == "**");
            let front = |count: usize| {
                parts
                    .iter()
                    .take(count)
                    .copied()
                    .collect::<Vec<_>>()
                    .join("/")
            };
            if depth < parts.len() && star.is_none_or(|star| depth <= star) {
                named.insert(front(depth));
            }
            if let Some(star) = star.filter(|star| *star < depth) {
                open.insert(front(star + 1));
            }
        }
        let compiled = |fronts: BTreeSet<String>| PathPatterns::new(&Vec::from_iter(fronts)).ok();
        Self {
            named: compiled(named),
            open: compiled(open),
        }
    }
}

/// Returns the parts of a pattern; none where a `/` stands inside braces or brackets.
fn parts(pattern: &str) -> Option<Vec<&str>> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    let mut chars = pattern.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            '/' if depth > 0 => return None,
            '/' => {
                parts.push(pattern.get(from..at)?);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(pattern.get(from..)?);
    Some(parts)
}

/// Returns a path in small letters; bytes that are no text stay as they are.
fn folded(path: &[u8]) -> Vec<u8> {
    path.utf8_chunks()
        .flat_map(|chunk| {
            let valid = chunk.valid().to_lowercase().into_bytes();
            [valid, chunk.invalid().to_vec()].concat()
        })
        .collect()
}
