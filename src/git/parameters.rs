//! What `git -c key=value` hands down: `GIT_CONFIG_PARAMETERS`, which gix does not read.

use gix::bstr::BString;

/// Reads the variable's text into `key=value` lines for [`super::open::Repository::open_with`].
///
/// Git writes `'key'='value'` (of old: `'key=value'`), quoted as for a shell. None if it is not
/// so quoted. Both sides of the first `=` are trimmed by the reader of the lines.
pub(crate) fn read(text: &str) -> Option<Vec<BString>> {
    let lines = shell_words::split(text).ok()?;
    Some(lines.into_iter().map(BString::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_of_gits_spellings_are_read() {
        let text = r"'plan.base'='a b' 'core.x=it'\''s' 'core.bare'";

        let lines = read(text).unwrap();

        assert_eq!(lines, ["plan.base=a b", "core.x=it's", "core.bare"]);
        assert!(read("'a").is_none());
    }
}
