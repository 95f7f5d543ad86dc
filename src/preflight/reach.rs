//! Which directories path patterns can reach: only these are listed.

/// Says whether a pattern may match something below a directory. Never no where it may.
pub(super) fn reaches(glob: &str, directory: &[u8]) -> bool {
    let mut parts = glob.split('/').peekable();
    let names = directory.split(|byte| *byte == b'/');
    for name in names.filter(|name| !name.is_empty()) {
        let Some(part) = parts.next() else {
            return false;
        };
        match part_of(part) {
            // From here on any number of parts may follow.
            Part::Many => return true,
            Part::Any => {}
            Part::Plain if part.as_bytes() == name => {}
            Part::Plain => return false,
        }
    }
    parts.peek().is_some()
}

/// What a part of a pattern can match.
enum Part {
    /// Only itself.
    Plain,
    /// One name.
    Any,
    /// Parts of any number.
    Many,
}

/// Says what a part can match, as far as that is plain.
fn part_of(part: &str) -> Part {
    // A brace or a class that does not end in its part holds what divides parts; an escape may.
    let count = |sign: char| part.matches(sign).count();
    let is_whole = count('{') == count('}') && count('[') == count(']');
    if part.contains("**") || part.contains('\\') || !is_whole {
        Part::Many
    } else if part.contains(['*', '?', '{', '[']) {
        Part::Any
    } else {
        Part::Plain
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::pattern::PathPatterns;

    #[test]
    fn only_directories_on_the_way_are_reached() {
        for (glob, directory, is_reached) in [
            ("src/**", "", true),
            ("src/**", "src", true),
            ("src/**", "src/a/b", true),
            ("src/**", "docs", false),
            ("src/*.rs", "src", true),
            ("src/*.rs", "src/a", false),
            ("*/a/*.rs", "x/a", true),
            ("*/a/*.rs", "x/b", false),
            ("{src,lib}/a.rs", "lib", true),
            ("a.rs", "", true),
            ("a.rs", "a.rs", false),
        ] {
            let found = reaches(glob, directory.as_bytes());
            assert_eq!(found, is_reached, "{glob} {directory}");
        }
    }

    proptest! {
        #[test]
        fn what_matches_lies_in_directories_that_are_reached(
            glob in r"[ab*?{},/\[\]]{1,8}", path in "[ab]{1,2}(/[ab]{1,2}){0,3}"
        ) {
            let Ok(patterns) = PathPatterns::new(std::slice::from_ref(&glob)) else {
                return Ok(());
            };
            prop_assume!(patterns.matches(path.as_bytes()));

            let mut directory = path.as_str();
            while let Some((above, _)) = directory.rsplit_once('/') {
                prop_assert!(reaches(&glob, above.as_bytes()), "{glob} {above}");
                directory = above;
            }
            prop_assert!(reaches(&glob, b""), "{glob}");
        }
    }
}
