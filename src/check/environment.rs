//! What a check sees of our environment: an allow-list, never the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::{Apart, OtherUser};
use crate::model::check::PATH_ENTRY;
use crate::model::text;
use crate::model::variables::{FIXED, HOMES, PASSED, PROXIES, PUBLIC, UNTOLD, may_be_named};

/// Where programs are looked for when `PATH` names no usable directory. An empty `PATH` would mean
/// the current directory, which is the workspace.
const LAST_RESORT: &str = "/usr/bin:/bin";

/// What checks may see.
#[derive(Debug)]
pub(super) struct Environment {
    /// All that there is.
    ours: BTreeMap<OsString, OsString>,
    /// What every check sees.
    base: BTreeMap<OsString, OsString>,
    /// Names of the tool homes in it.
    homes: Vec<String>,
    /// Where programs are looked for.
    directories: Vec<PathBuf>,
    /// Entries left out of `PATH`, for a person.
    left_out: Vec<String>,
}

/// What one check sees.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// All of it.
    pub(super) variables: BTreeMap<OsString, OsString>,
    /// Names of tool homes and of variables that the seal names, sorted.
    pub(super) named: Vec<String>,
}

impl Environment {
    /// Takes from our environment what checks in the work tree at `top` (a real path) may see.
    pub(super) fn new(
        ours: BTreeMap<OsString, OsString>,
        top: &Path,
        apart: Option<&Apart>,
        other_user: Option<&OtherUser>,
    ) -> Self {
        let path = ours.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let work_trees = apart.map_or(&[][..], |apart| &apart.work_trees);
        let is_inside = |real: &Path| {
            let mut tops = work_trees.iter().map(PathBuf::as_path).chain([top]);
            tops.any(|top| real.starts_with(top))
        };
        let (directories, left_out) = usable(&path, &is_inside);
        // What is ours to know, such as the way to our tools and the password of a proxy, is not for
        // another user.
        let homes = other_user.map_or_else(|| homes(&ours, work_trees), |_| Vec::new());
        let passed = PASSED.iter().chain(PROXIES).copied();
        let passed = passed.filter(|name| other_user.is_none() || PUBLIC.contains(name));
        let mut base: BTreeMap<OsString, OsString> = passed
            .chain(homes.iter().map(String::as_str))
            .filter_map(|name| Some((name.into(), ours.get(OsStr::new(name))?.clone())))
            .collect();
        base.insert("PATH".into(), joined(&directories));
        fix(&mut base);
        base.extend(other_user.into_iter().flat_map(of_user));
        if let Some(apart) = apart {
            let ceiling = apart.ceiling.clone().into_os_string();
            base.insert("GIT_CEILING_DIRECTORIES".into(), ceiling);
        }
        Self {
            ours,
            base,
            homes,
            directories,
            left_out,
        }
    }

    /// Returns the home directory, if there is one.
    pub(super) fn home(&self) -> Option<PathBuf> {
        let home = PathBuf::from(self.base.get(OsStr::new("HOME"))?);
        home.is_absolute().then_some(home)
    }

    /// Returns the directories in which programs are looked for.
    pub(super) fn directories(&self) -> Vec<PathBuf> {
        split_paths(&joined(&self.directories)).collect()
    }

    /// Returns what a check sees whose seal names these variables too.
    pub(super) fn seen(&self, named: &[String]) -> Seen {
        let mut variables = self.base.clone();
        let mut names: BTreeSet<String> = self.homes.iter().cloned().collect();
        for name in named.iter().filter(|name| may_be_named(name)) {
            if let Some(value) = self.ours.get(OsStr::new(name)) {
                variables.insert(name.into(), value.clone());
                names.insert(name.clone());
            }
        }
        Seen {
            variables,
            named: names.into_iter().collect(),
        }
    }

    /// Lists what is set here and not seen by such a check, escaped and sorted; then the entries
    /// left out of `PATH`.
    pub(super) fn withheld(&self, named: &[String]) -> Vec<String> {
        let seen = self.seen(named).variables;
        let names = self
            .ours
            .keys()
            .filter(|name| !seen.contains_key(*name))
            .filter(|name| !UNTOLD.iter().any(|untold| name.as_os_str() == *untold))
            .map(|name| text::path(name.as_bytes()));
        let entries = self
            .left_out
            .iter()
            .map(|entry| format!("{PATH_ENTRY}{entry}"));
        names.chain(entries).collect()
    }
}

/// Returns the variables that say who another user is.
fn of_user(other: &OtherUser) -> impl Iterator<Item = (OsString, OsString)> {
    let named = other.name.as_ref().map(OsString::from);
    let names = ["LOGNAME", "USER"].map(|variable| Some((variable.into(), named.clone()?)));
    let home = ("HOME".into(), other.home.clone().into_os_string());
    names.into_iter().flatten().chain([home])
}

/// Lists the tool homes that are set to an absolute path outside these work trees.
fn homes(ours: &BTreeMap<OsString, OsString>, work_trees: &[PathBuf]) -> Vec<String> {
    let is_fit = |home: &Path| {
        let real = home.canonicalize().unwrap_or_else(|_| home.to_owned());
        home.is_absolute() && !work_trees.iter().any(|top| real.starts_with(top))
    };
    HOMES
        .iter()
        .filter(|name| {
            let home = ours.get(OsStr::new(name));
            home.is_some_and(|home| is_fit(Path::new(home)))
        })
        .map(|name| (*name).to_owned())
        .collect()
}

/// Sets what is the same for every check.
fn fix(variables: &mut BTreeMap<OsString, OsString>) {
    for (name, value) in FIXED {
        variables.insert(name.into(), value.into());
    }
}

/// Sorts the entries of `PATH` into those that count and those that do not, which are escaped.
///
/// An entry counts if it is absolute and, with all links followed, a directory outside the
/// workspace. One that is not there is dropped without a word: it might appear later, anywhere.
fn usable(path: &OsStr, is_in_workspace: &dyn Fn(&Path) -> bool) -> (Vec<PathBuf>, Vec<String>) {
    let mut directories = Vec::new();
    let mut left_out = Vec::new();
    for entry in split_paths(path) {
        let real = entry.canonicalize();
        let is_inside = real.as_ref().is_ok_and(|real| is_in_workspace(real));
        if !entry.is_absolute() || is_inside {
            left_out.push(text::path(entry.as_os_str().as_bytes()));
        } else if real.is_ok_and(|real| real.is_dir()) && !directories.contains(&entry) {
            directories.push(entry);
        }
    }
    left_out.retain(|entry| !entry.is_empty());
    (directories, left_out)
}

/// Returns a `PATH` of these directories.
fn joined(directories: &[PathBuf]) -> OsString {
    join_paths(directories)
        .ok()
        .filter(|path| !path.is_empty())
        .unwrap_or_else(|| LAST_RESORT.into())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::model::check_user::CheckUser;

    fn variables(pairs: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
        pairs
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    fn of(pairs: &[(&str, &str)]) -> Environment {
        Environment::new(variables(pairs), Path::new("/no/such/top"), None, None)
    }

    #[test]
    fn nothing_but_the_table_is_seen() {
        let environment = of(&[
            ("AWS_SECRET_ACCESS_KEY", "s"),
            ("BASH_ENV", "x"),
            ("CARGO_HOME", "/c"),
            ("GIT_DIR", "x"),
            ("GIT_CONFIG_PARAMETERS", "x"),
            ("HOME", "/h"),
            ("LC_ALL", "tr_TR"),
            ("LANG", "tr_TR"),
            ("LD_PRELOAD", "x"),
            ("MAKEFLAGS", "-n"),
            ("PATH", "/usr/bin"),
            ("PLAN_AUDIT_HMAC_KEY_FILE", "x"),
            ("https_proxy", "http://p"),
        ]);

        let seen = environment.seen(&[]);

        let wanted = variables(&[
            ("CARGO_HOME", "/c"),
            ("GIT_ASKPASS", ""),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("HOME", "/h"),
            ("LANG", "C.UTF-8"),
            ("PATH", "/usr/bin"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("SSH_ASKPASS_REQUIRE", "never"),
            ("https_proxy", "http://p"),
        ]);
        assert_eq!(seen.variables, wanted);
        assert_eq!(seen.named, ["CARGO_HOME"]);
    }

    #[test]
    fn another_user_sees_nothing_of_ours_but_what_the_seal_names() {
        let ours = variables(&[
            ("CARGO_HOME", "/root/.cargo"),
            ("DB", "x"),
            ("HOME", "/root"),
            ("LOGNAME", "root"),
            ("PATH", "/usr/bin"),
            ("TERM", "xterm"),
            ("TMPDIR", "/root/tmp"),
            ("USER", "root"),
            ("https_proxy", "http://us:password@proxy"),
        ]);
        let user = CheckUser { uid: 7, gid: 7 };
        let other = |name: Option<&str>| OtherUser {
            user,
            name: name.map(str::to_owned),
            home: PathBuf::from("/home/ci"),
        };
        let top = Path::new("/no/such/top");

        let named = Environment::new(ours.clone(), top, None, Some(&other(Some("ci"))));
        let nameless = Environment::new(ours, top, None, Some(&other(None)));

        let wanted = variables(&[
            ("DB", "x"),
            ("GIT_ASKPASS", ""),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("HOME", "/home/ci"),
            ("LANG", "C.UTF-8"),
            ("LOGNAME", "ci"),
            ("PATH", "/usr/bin"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("SSH_ASKPASS_REQUIRE", "never"),
            ("TERM", "xterm"),
            ("USER", "ci"),
        ]);
        assert_eq!(named.seen(&["DB".to_owned()]).variables, wanted);
        let seen = nameless.seen(&[]).variables;
        assert!(!seen.contains_key(OsStr::new("USER")));
        let withheld = nameless.withheld(&[]);
        assert!(withheld.contains(&"CARGO_HOME".to_owned()), "{withheld:?}");
    }

    #[test]
    fn a_seal_lets_a_variable_through_but_not_every_one() {
        let environment = of(&[("DB", "x"), ("GIT_DIR", "x"), ("LANG", "tr_TR")]);
        let named = ["DB", "GIT_DIR", "LANG", "UNSET"].map(str::to_owned);

        let seen = environment.seen(&named);

        assert_eq!(seen.named, ["DB"]);
        assert_eq!(
            seen.variables.get(OsStr::new("LANG")),
            Some(&"C.UTF-8".into())
        );
        assert!(!seen.variables.contains_key(OsStr::new("GIT_DIR")));
    }

    #[test]
    fn a_relative_tool_home_is_withheld() {
        let environment = of(&[("CARGO_HOME", ".cargo")]);

        assert_eq!(environment.withheld(&[]), ["CARGO_HOME"]);
    }

    #[test]
    fn withheld_names_are_told_without_values_and_escaped() {
        let environment = of(&[("TOKEN", "s3cret"), ("PWD", "/x"), ("A\u{1b}[2J", "x")]);

        assert_eq!(environment.withheld(&[]), ["A\\u{1b}[2J", "TOKEN"]);
    }

    #[test]
    fn relative_empty_and_in_workspace_entries_are_left_out_of_the_path() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let top = home.join("top");
        fs::create_dir_all(top.join("bin")).unwrap();
        symlink(top.join("bin"), home.join("link")).unwrap();
        let [inside, link, gone] = ["top/bin", "link", "gone"].map(|name| home.join(name));
        let text = format!(
            ":.:node_modules/.bin:/usr/bin:{}:{}:{}/../bin:{}:/usr/bin:",
            inside.display(),
            link.display(),
            inside.display(),
            gone.display(),
        );

        let environment = Environment::new(variables(&[("PATH", &text)]), &top, None, None);

        assert_eq!(environment.directories(), [PathBuf::from("/usr/bin")]);
        assert_eq!(environment.withheld(&[]).len(), 5);
    }

    #[test]
    fn a_path_of_nothing_is_never_the_current_directory() {
        for path in ["", ".", "bin:"] {
            let seen = of(&[("PATH", path)]).seen(&[]);
            assert_eq!(
                seen.variables.get(OsStr::new("PATH")),
                Some(&LAST_RESORT.into())
            );
        }
    }

    #[test]
    fn nothing_in_the_users_work_tree_takes_part_in_a_checkout() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        let (work, tools) = (root.join("work"), root.join("tools"));
        for directory in [work.join("bin"), work.join(".venv"), tools.clone()] {
            fs::create_dir_all(directory).unwrap();
        }
        symlink(work.join("bin"), root.join("link")).unwrap();
        let path = [work.join("bin"), root.join("link"), tools.clone()];
        let path = join_paths(path).unwrap().into_string().unwrap();
        let (venv, cargo) = (work.join(".venv"), tools.join("cargo"));
        let ours = variables(&[
            ("PATH", &path),
            ("VIRTUAL_ENV", venv.to_str().unwrap()),
            ("CARGO_HOME", cargo.to_str().unwrap()),
        ]);
        let apart = Apart {
            work_trees: vec![work],
            ceiling: root.join("entry"),
        };

        let environment = Environment::new(ours, &root.join("entry/tree"), Some(&apart), None);

        let seen = environment.seen(&[]);
        assert_eq!(environment.directories(), [tools]);
        assert_eq!(seen.named, ["CARGO_HOME"]);
        let ceiling = seen.variables.get(OsStr::new("GIT_CEILING_DIRECTORIES"));
        assert_eq!(ceiling.map(PathBuf::from), Some(root.join("entry")));
        assert!(
            environment
                .withheld(&[])
                .contains(&"VIRTUAL_ENV".to_owned())
        );
    }
}
