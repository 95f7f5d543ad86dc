//! What a reader should know though it disqualifies nothing: links that lead out, names that fall
//! together, and which files were seen.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::content::Content;
use super::listing::Entry;
use super::names;
use crate::git::oid;
use crate::model::state::SeenFile;

/// Says whether the text of the link at `path` leads out of the work tree, as far as text tells.
///
/// A `..` behind a name counts too: that name may be a link itself.
pub(super) fn leads_out(path: &[u8], text: &[u8]) -> bool {
    if text.starts_with(b"/") {
        return true;
    }
    let mut above = path.split(|byte| *byte == b'/').skip(1).count();
    let mut is_below = false;
    for name in text.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." if is_below || above == 0 => return true,
            b".." => above -= 1,
            _ => is_below = true,
        }
    }
    false
}

/// Says whether the text of a link names the own directory of a repository, of this one or of a
/// submodule: what lies there is no commit's.
///
/// Any `.git` on the way counts, for a name before it may be a link itself. No tree can have one,
/// so every way into such a directory says so in the text of some link.
pub(super) fn leads_into_git(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'/').any(|name| {
        let is_step = matches!(name, b"" | b"." | b"..");
        !is_step && !names::is_fit(name, names::Kind::Other)
    })
}

/// Returns the tracked paths that are one to a file system that ignores case.
pub(super) fn collisions(entries: &[Entry]) -> Vec<&[u8]> {
    let mut folded: BTreeMap<Vec<u8>, Vec<&[u8]>> = BTreeMap::new();
    for entry in entries {
        let paths = folded.entry(entry.path.to_ascii_lowercase()).or_default();
        if paths.last() != Some(&&*entry.path) {
            paths.push(&entry.path);
        }
    }
    let several = folded.into_values().filter(|paths| paths.len() > 1);
    several.flatten().collect()
}

/// Keeps which files were seen, by path, so that two states can be compared file by file.
pub(super) fn seen<'a>(files: impl Iterator<Item = &'a Content> + Clone) -> Arc<Vec<SeenFile>> {
    let mut seen = Vec::with_capacity(files.clone().count());
    seen.extend(files.map(|file| SeenFile {
        path: Arc::clone(&file.placed.path),
        mode: file.placed.mode,
        id: oid(&file.placed.id),
        digest: file.measure.digest,
    }));
    seen.sort_by(|a, b| a.path.cmp(&b.path));
    Arc::new(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_into_the_repository_is_told_from_others() {
        for text in [
            ".git/x",
            "../.GIT/description",
            "./.git",
            "a/.git",
            "d/.git/x",
            "../sub/.git/hooks//x",
            "x/.g\u{200c}it/y",
            "git~1/x",
        ] {
            assert!(leads_into_git(text.as_bytes()), "{text}");
        }
        for text in [".gitignore", "x", "../x.git/y", "/srv/a.git/..", "./", ""] {
            assert!(!leads_into_git(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_link_leads_out_where_its_text_does_or_may() {
        for (path, text) in [
            ("l", "/etc/passwd"),
            ("l", ".."),
            ("l", "../x"),
            ("a/b/l", "../../../x"),
            ("a/l", "./.././../x"),
            ("l", "other/../../x"),
            ("l", "loop/../x"),
        ] {
            assert!(leads_out(path.as_bytes(), text.as_bytes()), "{path} {text}");
        }
        for (path, text) in [
            ("l", "x"),
            ("l", "."),
            ("l", "a//b"),
            ("a/l", "../x"),
            ("a/b/l", "../../x/y"),
            ("l", "..x"),
        ] {
            assert!(
                !leads_out(path.as_bytes(), text.as_bytes()),
                "{path} {text}"
            );
        }
    }
}
