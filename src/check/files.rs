//! Checks that look at a file of the work tree.

use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

use crate::model::check::End;
use crate::model::text::shown;
use crate::proc::file::open_regular;

/// Says whether a regular file is there, inside the work tree at `top` (a real path).
pub(super) fn exists(top: &Path, path: &str) -> End {
    match inside(top, path) {
        Ok(_) => End::Found,
        Err(reason) => End::NotFound(reason),
    }
}

/// Says whether the first `max_bytes` bytes of a file hold a pattern.
pub(super) fn holds(top: &Path, path: &str, pattern: &str, max_bytes: u64) -> End {
    match search(top, path, pattern, max_bytes) {
        Ok(()) => End::Found,
        Err(reason) => End::NotFound(reason),
    }
}

/// Searches a file; an error is the reason why nothing was found.
fn search(top: &Path, path: &str, pattern: &str, max_bytes: u64) -> Result<(), String> {
    let pattern = Regex::new(pattern).map_err(|_| "the pattern is none".to_owned())?;
    let real = inside(top, path)?;
    let (bytes, is_cut) =
        read(&real, max_bytes).map_err(|cause| format!("cannot read {}: {cause}", shown(path)))?;
    let text = String::from_utf8_lossy(&bytes);
    // What matches only because reading stopped there (`$`, `\b`) might not match in the file.
    match pattern.shortest_match(&text) {
        Some(end) if is_cut && end == text.len() => Err(format!(
            "{} matches only where its first {max_bytes} bytes end",
            shown(path)
        )),
        Some(_) => Ok(()),
        None if is_cut => Err(format!(
            "no match in the first {max_bytes} bytes of {}",
            shown(path)
        )),
        None => Err(format!("no match in {}", shown(path))),
    }
}

/// Reads the beginning of a file, and says whether there is more.
fn read(path: &Path, max_bytes: u64) -> std::io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    let limit = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    open_regular(path)?
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    let is_cut = bytes.len() > limit;
    bytes.truncate(limit);
    Ok((bytes, is_cut))
}

/// Follows all links of a path, and demands a regular file inside the work tree.
///
/// `.git` counts as outside: no state of the workspace covers it.
fn inside(top: &Path, path: &str) -> Result<PathBuf, String> {
    let told = shown(path);
    let real = top
        .join(path)
        .canonicalize()
        .map_err(|_| format!("{told} is missing"))?;
    let Ok(below) = real.strip_prefix(top) else {
        return Err(format!("{told} leads out of the work tree"));
    };
    if below.components().any(is_git) {
        return Err(format!("{told} leads into .git"));
    }
    if !real.is_file() {
        return Err(format!("{told} is not a regular file"));
    }
    Ok(real)
}

/// Says whether a part of a path is git's own directory, in any spelling that a file system takes.
fn is_git(part: Component<'_>) -> bool {
    part.as_os_str().eq_ignore_ascii_case(".git")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn world() -> (tempfile::TempDir, PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let top = home.path().canonicalize().unwrap().join("top");
        for directory in ["dir", ".git"] {
            fs::create_dir_all(top.join(directory)).unwrap();
        }
        for (name, text) in [
            ("a.txt", "one\ntwo\n"),
            (".git/config", "x"),
            ("../out", "x"),
        ] {
            fs::write(top.join(name), text).unwrap();
        }
        for (target, link) in [
            ("a.txt", "in"),
            ("../out", "escape"),
            (".git/config", "git"),
        ] {
            symlink(target, top.join(link)).unwrap();
        }
        (home, top)
    }

    fn reason(end: End) -> String {
        let End::NotFound(reason) = end else {
            panic!("{end:?}");
        };
        reason
    }

    #[test]
    fn only_a_regular_file_of_the_work_tree_is_there() {
        let (_home, top) = world();

        assert_eq!(exists(&top, "a.txt"), End::Found);
        assert_eq!(exists(&top, "in"), End::Found);
        assert_eq!(reason(exists(&top, "b.txt")), "b.txt is missing");
        assert_eq!(reason(exists(&top, "dir")), "dir is not a regular file");
        for path in ["escape", "../out", "/etc/passwd"] {
            let wanted = format!("{path} leads out of the work tree");
            assert_eq!(reason(exists(&top, path)), wanted);
        }
        for path in ["git", ".git/config"] {
            assert_eq!(
                reason(exists(&top, path)),
                format!("{path} leads into .git")
            );
        }
    }

    #[test]
    fn a_special_file_is_not_waited_for() {
        let (_home, top) = world();
        let _socket = std::os::unix::net::UnixListener::bind(top.join("socket")).unwrap();

        let wanted = "socket is not a regular file";
        assert_eq!(reason(holds(&top, "socket", "x", 10)), wanted);
    }

    #[test]
    fn a_pattern_is_searched_in_the_text() {
        let (_home, top) = world();

        assert_eq!(
            holds(&top, "a.txt", "^one$", 1024),
            reason_of("no match in a.txt")
        );
        assert_eq!(holds(&top, "a.txt", "(?m)^two$", 1024), End::Found);
        assert_eq!(
            holds(&top, "a.txt", "(", 1024),
            reason_of("the pattern is none")
        );
        assert_eq!(holds(&top, "escape", "x", 1024), exists(&top, "escape"));
    }

    fn reason_of(text: &str) -> End {
        End::NotFound(text.to_owned())
    }

    #[test]
    fn bytes_that_are_no_text_are_searched_too() {
        let (_home, top) = world();
        fs::write(top.join("bytes"), b"\xff\xfeok\0").unwrap();

        assert_eq!(holds(&top, "bytes", "ok", 1024), End::Found);
    }

    #[test]
    fn nothing_is_found_behind_the_limit_or_because_of_it() {
        let (_home, top) = world();

        let behind = holds(&top, "a.txt", "two", 3);
        let because = holds(&top, "a.txt", r"\Aone\z", 3);

        assert_eq!(reason(behind), "no match in the first 3 bytes of a.txt");
        assert_eq!(
            reason(because),
            "a.txt matches only where its first 3 bytes end"
        );
        assert_eq!(holds(&top, "a.txt", "o.+", 3), End::Found);
    }

    #[test]
    fn a_pattern_that_other_engines_choke_on_ends_at_once() {
        let (_home, top) = world();
        fs::write(top.join("many"), format!("{}!", "a".repeat(100_000))).unwrap();

        assert_eq!(
            reason(holds(&top, "many", "^(a+)+$", 1_000_000)),
            "no match in many"
        );
    }
}
