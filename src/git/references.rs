//! References: what exactly one of them leads to, in the way that git reads it.
//!
//! gix takes some files for a reference that git takes for none, and believes what `packed-refs`
//! says about the target of a tag. So each file is looked at here, and nothing is peeled by gix.

use gix::refs::{FullName, Target};

use super::controls::Obstacle;
use super::ids::from_gix;
use super::objects::ObjectsError;
use super::open::Repository;
use super::plain;
use crate::model::ids::Oid;

/// How many references may lead to an object.
const MAX_LINKS: usize = 5;

impl Repository {
    /// Returns what a reference with exactly this full name leads to; none if there is none.
    pub(super) fn reference(&self, name: &str) -> Result<Option<Target>, ObjectsError> {
        let Ok(full) = FullName::try_from(name) else {
            return Ok(None);
        };
        self.demand_plain(name)?;
        let found = self.refs().try_find(full.as_ref().as_partial_name());
        let found = found.map_err(|cause| ObjectsError::Reference {
            name: name.to_owned(),
            cause,
        })?;
        // A look-up also tries `refs/tags/refs/…` and its kind; only the exact name counts.
        Ok(found
            .filter(|reference| reference.name == full)
            .map(|reference| reference.target))
    }

    /// Returns the references without the namespace that a configuration may ask for: evidence
    /// has one place.
    pub(super) fn refs(&self) -> gix::refs::file::Store {
        let mut refs = self.gix.refs.clone();
        refs.namespace = None;
        refs
    }

    /// Follows symbolic references to an object; none if one of them does not exist.
    pub(super) fn follow(&self, name: &str) -> Result<Option<Oid>, ObjectsError> {
        let mut next = name.to_owned();
        for _ in 0..MAX_LINKS {
            match self.reference(&next)? {
                Some(Target::Object(id)) => return Ok(Some(from_gix(&id))),
                Some(Target::Symbolic(to)) => next = to.as_bstr().to_string(),
                None => return Ok(None),
            }
        }
        Err(ObjectsError::Loop {
            name: name.to_owned(),
        })
    }

    /// Returns the full name of the reference to which a symbolic one leads in the end, whether it exists or
    /// not: git writes there. Any other leads to itself.
    pub(crate) fn end_of(&self, name: &str) -> Result<String, ObjectsError> {
        let mut end = name.to_owned();
        for _ in 0..MAX_LINKS {
            match self.reference(&end)? {
                Some(Target::Symbolic(to)) => end = to.as_bstr().to_string(),
                Some(Target::Object(_)) | None => return Ok(end),
            }
        }
        Err(ObjectsError::Loop {
            name: name.to_owned(),
        })
    }

    /// Refuses a file that gix would take for a reference and git would not.
    fn demand_plain(&self, name: &str) -> Result<(), ObjectsError> {
        for dir in [self.git_dir(), self.common_dir()] {
            let path = dir.join(name);
            let bytes = plain::read(&path).ok().flatten();
            if bytes.is_some_and(|bytes| !is_as_git_writes(&bytes)) {
                let why = "is no reference that git would read";
                return Err(Obstacle { path, why }.into());
            }
        }
        Ok(())
    }
}

/// Says whether a file is a reference to git: an id, with anything after white space, or `ref:`
/// with one name.
pub(super) fn is_as_git_writes(bytes: &[u8]) -> bool {
    if let Some(name) = bytes.strip_prefix(b"ref:") {
        let name = name.trim_ascii();
        let is_odd = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
        return !name.is_empty() && !name.iter().any(is_odd);
    }
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    let next = bytes.get(digits);
    [40, 64].contains(&digits) && next.is_none_or(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    #[test]
    fn a_file_is_a_reference_when_git_reads_it_as_one() {
        let id = "1".repeat(40);
        for (text, fits) in [
            (format!("{id}\n"), true),
            (id.clone(), true),
            (format!("{id}\t\tbranch 'main' of x\n"), true),
            ("ref: refs/heads/main\n".to_owned(), true),
            ("ref: refs/heads/main \n".to_owned(), true),
            (format!("{id}x\n"), false),
            (format!("{id}\0\n"), false),
            ("ref: refs/heads/main\nx".to_owned(), false),
            ("ref: refs/heads/main\0x".to_owned(), false),
            ("ref: \n".to_owned(), false),
            ("1234\n".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(is_as_git_writes(text.as_bytes()), fits, "{text:?}");
        }
    }

    #[test]
    fn a_file_that_only_gix_takes_for_a_reference_is_refused() {
        let world = World::new();
        let id = world.git(&["rev-parse", "HEAD"]);
        let path = world.path("repo/.git/refs/tags/main");
        std::fs::write(&path, format!("{}x\n", id.trim())).unwrap();

        let found = world.repository().reference("refs/tags/main");

        assert!(matches!(found, Err(ObjectsError::Obstacle(_))), "{found:?}");
    }

    #[test]
    fn a_loop_of_references_ends() {
        let world = World::new();
        let path = world.path("repo/.git/refs/heads/a");
        std::fs::write(path, "ref: refs/heads/a\n").unwrap();

        let found = world.repository().follow("refs/heads/a");

        assert!(matches!(found, Err(ObjectsError::Loop { .. })), "{found:?}");
    }
}
