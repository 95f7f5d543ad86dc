//! The list of packed references: read line by line, so that every reader finds the same in it.
//!
//! A reader that searches a list which is not sorted, or names something twice, may find another
//! line than the next reader does.

use std::collections::BTreeSet;
use std::path::Path;

use super::controls::{LIST, Obstacle};
use super::plain;

/// How the first line begins when git writes it.
const HEADER: &[u8] = b"# pack-refs with:";

/// Refuses a list in which two readers could see different things.
pub(super) fn check(path: &Path) -> Result<(), Obstacle> {
    let refused = |why| Obstacle {
        path: path.to_owned(),
        why,
    };
    let Ok(Some((bytes, _))) = plain::read_dated(path, LIST) else {
        return Ok(());
    };
    fault(&bytes).map_or(Ok(()), |why| Err(refused(why)))
}

/// Says what is wrong with a list.
fn fault(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        return None;
    }
    let Some(text) = bytes.strip_suffix(b"\n") else {
        return Some("is cut short");
    };
    let mut lines = text.split(|byte| *byte == b'\n').peekable();
    let header = lines.next_if(|line| line.starts_with(b"#"));
    if header.is_some_and(|line| !line.starts_with(HEADER)) {
        return Some("begins with a line that git does not write");
    }
    let is_sorted = header.is_some_and(says_sorted);
    let mut last: &[u8] = b"";
    let mut unsorted = BTreeSet::new();
    let mut may_peel = false;
    for line in lines {
        let Some(name) = name(line) else {
            if may_peel && is_id(line.strip_prefix(b"^").unwrap_or_default()) {
                may_peel = false;
                continue;
            }
            return Some("has a line that git does not write");
        };
        may_peel = true;
        if is_sorted && name < last {
            return Some("says that it is sorted, and is not");
        }
        if name == last || (!is_sorted && !unsorted.insert(name)) {
            return Some("names a reference twice");
        }
        last = name;
    }
    None
}

/// Says whether the first line promises an order.
fn says_sorted(header: &[u8]) -> bool {
    let mut words = header.split(|byte| *byte == b' ');
    words.any(|word| word == b"sorted")
}

/// Returns the name that a line gives to an id; none for another line.
fn name(line: &[u8]) -> Option<&[u8]> {
    let space = line.iter().position(|byte| *byte == b' ')?;
    let (id, name) = line.split_at(space);
    let name = name.get(1..)?;
    let is_odd = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
    (is_id(id) && !name.is_empty() && !name.iter().any(is_odd)).then_some(name)
}

/// Says whether these are the digits of an id.
fn is_id(digits: &[u8]) -> bool {
    [40, 64].contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    #[test]
    fn a_list_in_which_readers_could_see_different_things_is_refused() {
        let id = "1".repeat(40);
        let sorted = "# pack-refs with: peeled fully-peeled sorted \n";
        let plain = "# pack-refs with: peeled \n";
        let (a, b) = (format!("{id} refs/a\n"), format!("{id} refs/b\n"));
        for (list, fits) in [
            (String::new(), true),
            (sorted.to_owned(), true),
            (format!("{sorted}{a}^{id}\n{b}"), true),
            (format!("{plain}{b}{a}"), true),
            (format!("{b}{a}"), true),
            (format!("{sorted}{b}{a}"), false),
            (format!("{sorted}{a}{a}"), false),
            (format!("{plain}{a}{b}{a}"), false),
            (format!("{a}{b}{a}"), false),
            (format!("{a}{sorted}{b}"), false),
            (format!("#{sorted}{a}"), false),
            (format!("{sorted}^{id}\n{a}"), false),
            (format!("{sorted}{a}^{id}\n^{id}\n"), false),
            (format!("{sorted}{id} refs/a\r\n"), false),
            (format!("{sorted}{id}\n"), false),
            (format!("{sorted}{a}\n"), false),
            (format!("{sorted}{id} refs/a"), false),
        ] {
            assert_eq!(fault(list.as_bytes()).is_none(), fits, "{list}");
        }
    }

    #[test]
    fn what_git_packs_passes() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let world = World::with(&[format]);
            world.git(&["tag", "-a", "-m", "x", "v1"]);
            world.git(&["branch", "a"]);
            world.git(&["pack-refs", "--all"]);

            assert_eq!(check(&world.path("repo/.git/packed-refs")), Ok(()));
        }
    }
}
