//! The types of claims: what each decides, of which fields it is made, and when it abstains
//! (PREFLIGHT section 3). One row each; `claims explain` and the reference are views of it.

mod data;
mod objects;
mod people;
mod syntax;

pub(crate) use objects::{PATH_ABSENT, PATH_EXISTS};
pub(crate) use people::HUMAN;
pub(crate) use syntax::SYMBOL_EXISTS;

/// What a type of claim looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layer {
    /// Git's objects: exact for every language.
    Objects,
    /// Text and data formats.
    Data,
    /// The syntax of a language.
    Syntax,
    /// What only people know.
    People,
}

impl Layer {
    /// Returns the word for people.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Data => "text and data",
            Self::Syntax => "syntax",
            Self::People => "people",
        }
    }
}

/// What a field may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A safe path from the top of the tree.
    Path,
    /// A list of path patterns that is not empty.
    Globs,
    /// A text that says something.
    Text,
    /// A text that is not empty, blanks count.
    Word,
    /// A list of texts that is not empty.
    Texts,
    /// A regular expression.
    Expression,
    /// The full id of a commit.
    Commit,
    /// The full id of an object.
    Object,
    /// 64 hex digits.
    Sha256,
    /// A whole number from 0.
    Number,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A requirement on versions, such as `>=1.2, <2`.
    Versions,
    /// Parameters of a function.
    Parameters,
}

impl Form {
    /// Says what it is, for people.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::Path => "a path from the top of the tree".to_owned(),
            Self::Globs => "a list of path patterns".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Word => "a text, to the letter".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Expression => "a regular expression".to_owned(),
            Self::Commit => "the full id of a commit".to_owned(),
            Self::Object => "the full id of an object".to_owned(),
            Self::Sha256 => "64 hex digits".to_owned(),
            Self::Number => "a whole number from 0".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Versions => "a requirement on versions, such as `>=1.2, <2`".to_owned(),
            Self::Parameters => {
                "a list of {\"name\", \"optional\"}, in order; `optional` may be left out"
                    .to_owned()
            }
        }
    }
}

/// Whether a field must be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// It must.
    Must,
    /// It may.
    May,
    /// Exactly one of the fields with this word must.
    OneOf(&'static str),
    /// At least one of the fields with this word must.
    SomeOf(&'static str),
}

/// A field of a type of claim.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it may hold.
    pub(crate) form: Form,
    /// Whether it must be there.
    pub(crate) need: Need,
    /// What it means.
    pub(crate) about: &'static str,
}

/// A type of claim.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Type {
    /// Its name in plans.
    pub(crate) name: &'static str,
    /// What it looks at.
    pub(crate) layer: Layer,
    /// What it states, as a sentence.
    pub(crate) states: &'static str,
    /// When it is INCONCLUSIVE.
    pub(crate) abstains: &'static str,
    /// Its fields.
    pub(crate) fields: &'static [Field],
    /// A claim of this type, without `id`, `type`, `criticality` and `expect`.
    pub(crate) example: &'static str,
}

/// Makes a field that must be there.
const fn must(name: &'static str, form: Form, about: &'static str) -> Field {
    let need = Need::Must;
    Field {
        name,
        form,
        need,
        about,
    }
}

/// Makes a field that may be there.
const fn may(name: &'static str, form: Form, about: &'static str) -> Field {
    let need = Need::May;
    Field {
        name,
        form,
        need,
        about,
    }
}

/// Makes a field of which exactly one of a group must be there.
const fn one_of(group: &'static str, name: &'static str, form: Form, about: &'static str) -> Field {
    let need = Need::OneOf(group);
    Field {
        name,
        form,
        need,
        about,
    }
}

/// Makes a field of which at least one of a group must be there.
const fn some_of(
    group: &'static str,
    name: &'static str,
    form: Form,
    about: &'static str,
) -> Field {
    let need = Need::SomeOf(group);
    Field {
        name,
        form,
        need,
        about,
    }
}

/// The one file of a scope.
const SCOPE_PATH: Field = one_of("scope", "path", Form::Path, "the file to look at");
/// The files of a scope.
const SCOPE_PATHS: Field = one_of(
    "scope",
    "paths",
    Form::Globs,
    "the files to look at, by path patterns",
);

/// Every type, in the order of the reference.
pub(crate) const ALL: &[&Type] = &[
    &PATH_EXISTS,
    &PATH_ABSENT,
    &objects::BLOB_EQUALS,
    &objects::FILE_UNCHANGED_SINCE,
    &objects::TREE_UNCHANGED_SINCE,
    &objects::COMMIT_ANCESTOR,
    &objects::GLOB_COUNT,
    &data::TEXT_PRESENT,
    &data::TEXT_ABSENT,
    &data::CONFIG_VALUE,
    &data::DEPENDENCY_DECLARED,
    &data::DEPENDENCY_VERSION,
    &data::SCHEMA_CONSTRAINT,
    &data::API_CONTRACT,
    &data::API_COMPATIBLE_WITH,
    &data::JSON_SCHEMA_VALID,
    &SYMBOL_EXISTS,
    &syntax::SYMBOL_ABSENT,
    &syntax::SYMBOL_SIGNATURE,
    &syntax::SYMBOL_UNIQUE,
    &syntax::IMPORTS,
    &syntax::CALLS,
    &syntax::NO_REFERENCES,
    &syntax::ONLY_REFERENCED_BY,
    &syntax::TEST_EXISTS,
    &HUMAN,
];

/// The types that this version does not test yet. A claim of one is refused by name.
const UNBUILT: &[&Type] = &[&data::SCHEMA_CONSTRAINT];

impl Type {
    /// Finds a type by its name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().copied().find(|one| one.name == name)
    }

    /// Says whether this version tests it.
    pub(crate) fn is_built(&self) -> bool {
        UNBUILT.iter().all(|one| one.name != self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_own_name_and_its_fields_have_theirs() {
        let mut names: Vec<&str> = ALL.iter().map(|one| one.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());

        for kind in ALL {
            let mut fields: Vec<&str> = kind.fields.iter().map(|field| field.name).collect();
            fields.sort_unstable();
            fields.dedup();
            assert_eq!(fields.len(), kind.fields.len(), "{}", kind.name);
        }
    }
}
