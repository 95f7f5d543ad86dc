//! What `.gitmodules` says: which submodules a recursive clone fills, and by which names.
//!
//! Stricter than git wherever two of its versions or two readers might differ: what is there twice
//! or cannot be read counts for nothing, so no submodule is believed that a clone leaves empty.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::ByteSlice as _;
use gix::config::File;
use gix::config::file::init::Options;
use gix::config::file::{Metadata, SectionRef};

/// Why no clone fills a submodule.
pub(in crate::git) type Why = &'static str;

/// What `.gitmodules` says of each path.
#[derive(Debug)]
pub(in crate::git) struct Mapping {
    /// The name of the submodule at each path, or why no clone fills it.
    names: BTreeMap<Vec<u8>, Result<Vec<u8>, Why>>,
    /// Why no clone fills any other.
    else_why: Why,
}

/// How truth is told.
const BOOLEAN: [&str; 8] = ["true", "false", "yes", "no", "on", "off", "1", "0"];

/// One section of `.gitmodules`.
#[derive(Debug)]
struct Module {
    /// Its name.
    name: Vec<u8>,
    /// What it says, by the names of the keys in small letters.
    values: BTreeMap<String, Vec<u8>>,
}

impl Mapping {
    /// Stands for a file that is not there or not tracked.
    pub(in crate::git) const fn nothing() -> Self {
        Self {
            names: BTreeMap::new(),
            else_why: ".gitmodules does not name it",
        }
    }

    /// Stands for a file that git does not read.
    const fn broken() -> Self {
        Self {
            names: BTreeMap::new(),
            else_why: "git does not read .gitmodules",
        }
    }

    /// Reads the bytes of the file.
    pub(in crate::git) fn of(bytes: &[u8]) -> Self {
        let Some(modules) = modules(bytes) else {
            return Self::broken();
        };
        let all: Vec<&[u8]> = modules.iter().map(|module| &*module.name).collect();
        let clashing = clashing(&all);
        let mut names = BTreeMap::new();
        for module in &modules {
            let Some(path) = module.values.get("path") else {
                continue;
            };
            let judged = if names.contains_key(path) {
                Err(".gitmodules names its path twice")
            } else if clashing.contains(&*module.name) {
                Err("another name in .gitmodules is its own or lies in it")
            } else {
                module.judged(path)
            };
            names.insert(path.clone(), judged);
        }
        let else_why = Self::nothing().else_why;
        Self { names, else_why }
    }

    /// Returns the name of the submodule at a path, or why no clone fills it.
    pub(in crate::git) fn name(&self, path: &[u8]) -> Result<&[u8], Why> {
        match self.names.get(path) {
            Some(Ok(name)) => Ok(name),
            Some(Err(why)) => Err(why),
            None => Err(self.else_why),
        }
    }
}

impl Module {
    /// Reads a section; none if git would not go on, or if anything is there twice.
    fn of(section: &SectionRef<'_>) -> Option<Self> {
        let header = section.header();
        let name = header.subsection_name().map(|name| name.to_vec());
        let mut values = BTreeMap::new();
        for key in section.body().value_names() {
            let value = section.body().value(&key)?.to_vec();
            if values.insert(key.to_ascii_lowercase(), value).is_some() {
                return None;
            }
        }
        let name = name.unwrap_or_default();
        let module = Self { name, values };
        (module.is_read() && !header.is_legacy()).then_some(module)
    }

    /// Says whether git goes on after the values that it reads as something else than text.
    fn is_read(&self) -> bool {
        let fits = |key: &str, words: &[&str]| {
            let value = self.values.get(key);
            value.is_none_or(|value| words.iter().any(|word| word.as_bytes() == value))
        };
        let jobs = self.values.get("fetchjobs");
        let recurses = [&BOOLEAN[..], &["on-demand"]].concat();
        fits("update", &["checkout", "rebase", "merge", "none"])
            && fits("shallow", &BOOLEAN)
            && fits("fetchrecursesubmodules", &recurses)
            && jobs.is_none_or(|jobs| {
                (1..6).contains(&jobs.len()) && jobs.iter().all(u8::is_ascii_digit)
            })
    }

    /// Returns its name, or why no clone fills it.
    fn judged(&self, path: &[u8]) -> Result<Vec<u8>, Why> {
        let url = self.values.get("url").map(Vec::as_slice);
        let update = self.values.get("update").map(Vec::as_slice);
        if !is_name(&self.name) {
            Err("its name in .gitmodules is none that git takes")
        } else if path.starts_with(b"-") || path.iter().any(u8::is_ascii_control) {
            Err("its path is none that git takes")
        } else if !url.is_some_and(is_url) {
            Err(".gitmodules has no url for it that git takes")
        } else if update == Some(b"none") {
            Err(".gitmodules says update = none")
        } else {
            Ok(self.name.clone())
        }
    }
}

/// Reads all sections of submodules; none if git would not go on.
fn modules(bytes: &[u8]) -> Option<Vec<Module>> {
    if !bytes.lines().all(is_plain) || bytes.starts_with("\u{feff}".as_bytes()) {
        return None;
    }
    let file = File::from_bytes_no_includes(bytes, Metadata::api(), Options::default()).ok()?;
    let sections = file.sections_by_name("submodule").into_iter().flatten();
    sections.map(|section| Module::of(&section)).collect()
}

/// Says whether a line is empty, a comment, a header, or a key with its value, without escapes and
/// without a quotation that is open at its end.
///
/// Git stops at lines that gix reads, such as a header with two keys behind it.
fn is_plain(line: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && *byte != b'\t';
    let has_escape = line.contains(&b'\\') || !line.find_iter("\"").count().is_multiple_of(2);
    let text = line.trim_ascii();
    let is_fit = match text.first() {
        None | Some(b'#' | b';') => true,
        Some(b'[') => !has_escape && text.find_byte(b']') == Some(text.len() - 1),
        Some(_) => !has_escape && text.split_once_str("=").is_some_and(|(key, _)| is_key(key)),
    };
    is_fit && !line.iter().any(is_control)
}

/// Says whether a text is a key with blanks behind it.
fn is_key(text: &[u8]) -> bool {
    let mut bytes = text.trim_ascii_end().iter();
    bytes.all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Lists names that are there twice or of which one is a directory on the way to another: the git
/// directory of one would lie in that of the other.
fn clashing<'a>(names: &[&'a [u8]]) -> BTreeSet<&'a [u8]> {
    let mut seen = BTreeSet::new();
    let mut clashing = BTreeSet::new();
    for name in names {
        if !seen.insert(*name) {
            clashing.insert(*name);
        }
    }
    for name in names {
        for slash in name.find_iter("/") {
            let above = name.get(..slash).unwrap_or_default();
            if seen.contains(above) {
                clashing.extend([above, *name]);
            }
        }
    }
    clashing
}

/// Says whether git takes a name: it becomes a directory below `.git/modules`.
fn is_name(name: &[u8]) -> bool {
    let mut parts = name.split(|byte| matches!(byte, b'/' | b'\\'));
    !name.is_empty() && parts.all(|part| part != b"..") && !name.iter().any(u8::is_ascii_control)
}

/// Says whether git hands a url to a transport.
fn is_url(url: &[u8]) -> bool {
    let is_line =
        url.iter().any(u8::is_ascii_control) || url.to_ascii_lowercase().contains_str("%0a");
    !url.is_empty() && !url.starts_with(b"-") && !is_line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::state::tests::world::World;

    /// Files that have a clone fill `sub`; `AT` stands for where it is.
    const FILLED: &[&str] = &[
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n",
        "[Submodule \"a/b\"]\r\n\tURL=AT\r\n\tPath=sub\r\n",
        "# \"it\n[submodule]\n\tfetchJobs = 2\n[submodule \"s\"]\n\tpath = \"sub\"\n\turl = AT\n",
        "[submodule \"s\"]\n\tpath = sub\n\turl = AT\n\tshallow = true\n\tupdate = rebase
            branch = main\n\tignore = all\n\tfetchRecurseSubmodules = on-demand\n",
        "[submodule \"s\"]\n\tpath = sub\n\turl = AT\n[submodule \"t\"]\n\tpath = other\n[x]\n\ty = 1\n",
        "[submodule \"sub\"]\npath = sub\t ; x\nurl=AT;x\n",
    ];

    /// Files that have a clone leave it empty.
    const LEFT: &[&str] = &[
        "",
        "[submodule \"sub\"]\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub/\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = --upload-pack=x\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl =\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl\n",
        "[submodule \"sub\"]\n\tpath\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n\tupdate = none\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n\tupdate = !true\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n\tshallow = maybe\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n\tfetchRecurseSubmodules = maybe\n",
        "[submodule \"../sub\"]\n\tpath = sub\n\turl = AT\n",
        "[submodule \"a/../sub\"]\n\tpath = sub\n\turl = AT\n",
        "[submodule \"a\\\\..\"]\n\tpath = sub\n\turl = AT\n",
        "[submodule \"\"]\n\tpath = sub\n\turl = AT\n",
        "[submodule]\n\tpath = sub\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[submodule \"b\"]\n\tpath = sub\n\turl = /none\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[submodule \"sub\"]\n\tpath = other\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[submodule \"a\"]\n\tpath = sub\n\tpath = other\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[submodule \"b\"]\n\tupdate = maybe\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[x\n",
        "[submodule \"sub\"]\n\tpath = \"sub\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\\q\n",
        "[submodule \"sub\"]\n\tpath = sub\u{a0}\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[x] y z\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[x] y z = 1\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[x]\n\ta_b = 1\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[x \"a\" ]\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[submodule]\n\tfetchJobs = x\n",
    ];

    /// Files that git reads, and of which nothing is believed.
    const STRICTER: &[&str] = &[
        "[submodule \"sub\"] path = sub\n\turl = AT\n",
        "\u{feff}[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n",
        "[submodule.sub]\n\tpath = sub\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n[submodule \"sub\"]\n\turl = AT\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[submodule \"sub/x\"]\n\tpath = x\n",
        "[submodule \"sub\"]\n\tpath = sub\n\turl = AT\n[x]\n\ty\n",
        "[submodule \"sub\"]\n\tpath = s\\\nub\n\turl = AT\n",
    ];

    #[test]
    fn a_submodule_is_mapped_only_if_a_clone_fills_it() {
        let world = World::new();
        world.sh(
            "git init -q ../lib; echo l >../lib/l; git -C ../lib add l; git -C ../lib commit -qm 1
            git config --global protocol.file.allow always
            c=$(git -C ../lib rev-parse HEAD); git update-index --add --cacheinfo 160000,$c,sub",
        );
        let url = world.sh("cd ../lib; pwd");
        let tables = [
            (FILLED, true, true),
            (LEFT, false, false),
            (STRICTER, false, true),
        ];
        for (files, is_mapped, is_filled) in tables {
            for text in files {
                let text = text.replace("AT", url.trim());
                std::fs::write(world.top().join(".gitmodules"), &text).unwrap();
                let clone = "git add .gitmodules; git commit -qm 2; rm -rf ../clone
                    git clone -q --recurse-submodules . ../clone >../out 2>&1 || :
                    test ! -e ../clone/sub/l || echo filled";

                let mapped = Mapping::of(text.as_bytes());

                assert_eq!(mapped.name(b"sub").is_ok(), is_mapped, "{text}{mapped:?}");
                let filled = world.sh(clone);
                assert_eq!(filled == "filled\n", is_filled, "{text}{filled}");
            }
        }
    }

    #[test]
    fn a_submodule_goes_by_its_name() {
        let text = FILLED[1].as_bytes();

        assert_eq!(Mapping::of(text).name(b"sub"), Ok(&b"a/b"[..]));
        assert!(Mapping::nothing().name(b"sub").is_err());
    }

    #[test]
    fn urls_and_paths_of_two_lines_are_refused() {
        assert!(!is_url(b"https://a/%0Ahost=b"));
        assert!(!is_url(b"a\nb"));
        assert!(is_url(b"../a"));
        let dashed = "[submodule \"s\"]\npath = -s\nurl = a\n";
        assert!(Mapping::of(dashed.as_bytes()).name(b"-s").is_err());
    }
}
