//! What the syntax of a file says: definitions, uses, calls, imports and tests, by one table for each
//! language.
//!
//! A tree is walked with a cursor, never by recursion: a hostile file may be nested as deep as it is
//! long. Parsing has a deadline. A file with a syntax error is a gap, not a guess.

mod c;
mod go;
mod java;
mod javascript;
mod javascript_places;
mod parse;
mod place;
mod python;
mod rust;
mod rust_attributes;
mod spelling;
mod typescript;
mod walk;

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::{Language, Node};

use crate::model::claim::evidence::Reason;

use parse::{Deadline, parse};
use place::Place;

/// What a definition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Function,
    Type,
    Constant,
    Module,
}

impl Kind {
    /// Returns the word of claims.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Module => "module",
        }
    }
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    /// Its name.
    pub(super) name: String,
    /// Whether callers may leave it out.
    pub(super) is_optional: bool,
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signature {
    /// Its parameters without the receiver; none where they are more than plain names.
    pub(super) parameters: Option<Vec<Parameter>>,
    /// The type that it gives, as it is spelt, blanks aside; empty where none is written, none where it
    /// is not in one piece.
    pub(super) returns: Option<String>,
}

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Definition {
    /// The names of its containers, outermost first, and its own.
    pub(super) path: Vec<String>,
    /// What it is.
    pub(super) kind: Kind,
    /// The bytes of its name.
    pub(super) name: Range<usize>,
    /// All its bytes.
    pub(super) whole: Range<usize>,
    /// Of a function, what it takes and gives.
    pub(super) signature: Option<Signature>,
}

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    /// The name.
    pub(super) name: String,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

/// An import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Import {
    /// The module, as the language spells it.
    pub(super) module: String,
    /// What is taken from it; none for the module itself, [`EVERYTHING`] for all.
    pub(super) name: Option<String>,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

/// What stands for everything of a module.
pub(super) const EVERYTHING: &str = "*";

/// The name of a container that is not read.
pub(super) const UNREAD: &str = "\0";

/// What the syntax of one file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each leaves another question open"
)]
pub(super) struct Facts {
    /// Definitions, in order.
    pub(super) definitions: Vec<Definition>,
    /// Every name that is written in code, definitions and imports too.
    pub(super) names: Vec<Named>,
    /// Where names begin that define something and use something else of that name.
    pub(super) used_too: BTreeSet<usize>,
    /// Names in places that may define them, and are not read as definitions.
    pub(super) bound: BTreeSet<String>,
    /// The bytes of texts.
    pub(super) texts: Vec<Range<usize>>,
    /// What texts say as a whole where they may become names, and the words of what is not parsed.
    pub(super) said: BTreeSet<String>,
    /// Names that stand for containers of another name.
    pub(super) aliases: BTreeSet<String>,
    /// Names around the whole file: of packages.
    pub(super) packages: BTreeSet<String>,
    /// What is called, by the last part of its name.
    pub(super) calls: Vec<Named>,
    /// Imports, in order.
    pub(super) imports: Vec<Import>,
    /// Whether a module may be brought in that is not written.
    pub(super) imports_open: bool,
    /// Whether definitions may be made that are not written.
    pub(super) defines_open: bool,
    /// Whether names may be used that are not written.
    pub(super) uses_open: bool,
    /// Whether a name is spelt so that another spelling may be the same name.
    pub(super) names_open: bool,
    /// The same of names that are not ASCII alone.
    pub(super) wide_names_open: bool,
    /// Tests.
    pub(super) tests: Vec<Named>,
    /// What may be a test, or not.
    pub(super) maybe_tests: BTreeSet<String>,
    /// Whether there may be tests whose names are not written.
    pub(super) tests_open: bool,
    /// Where what a language remembers of the nodes before ends: of Rust the attributes of a test. A
    /// tree tells what lies around a node only at great cost.
    remembered: usize,
    /// Where what a macro is given ends that is known to define nothing.
    harmless: usize,
}

impl Facts {
    /// Says whether a name may be there in another spelling.
    pub(super) fn may_spell(&self, name: &str) -> bool {
        self.names_open || (self.wide_names_open && !name.is_ascii())
    }

    /// Leaves everything open: the file may run texts as code.
    fn runs_texts(&mut self) {
        self.defines_open = true;
        self.imports_open = true;
        self.tests_open = true;
        self.uses_open = true;
    }
}

/// How one language is read.
pub(super) struct Grammar {
    /// Name and version, for evidence.
    pub(super) name: &'static str,
    /// The endings of its files.
    pub(super) endings: &'static [&'static str],
    /// The grammar itself.
    pub(super) language: fn() -> Language,
    /// Says why a text cannot be read as its compiler would; none where it can.
    pub(super) refuses: fn(&str) -> Option<Reason>,
    /// The endings of files that may hold tests; none for all.
    pub(super) test_endings: &'static [&'static str],
    /// Nodes that are names.
    pub(super) names: &'static [&'static str],
    /// What may stand before a name without being part of it.
    pub(super) raw: &'static str,
    /// Whether names that are not ASCII are brought into a normal form.
    pub(super) normalises: bool,
    /// Nodes that are texts, or code that is not parsed.
    pub(super) texts: &'static [&'static str],
    /// Whether texts may become names while a program runs.
    pub(super) speaks: bool,
    /// Nodes below which names are of no concern to what lies around them.
    pub(super) local: &'static [&'static str],
    /// Nodes inside of those below which names are of concern again.
    pub(super) members: &'static [&'static str],
    /// Says what a node defines.
    pub(super) define: fn(Node<'_>, &str, &Place<'_>) -> Vec<Defined>,
    /// Says whether a name that is read as no definition may be one, in its place.
    pub(super) binds: fn(Node<'_>, &Place<'_>, &Facts) -> bool,
    /// Returns the name under which what lies below a node is known; none where it adds none,
    /// [`UNREAD`] where it is not known.
    pub(super) container: fn(Node<'_>, &str, &Place<'_>) -> Option<String>,
    /// Notes calls, imports, tests and what is open.
    pub(super) note: fn(Node<'_>, &str, &Place<'_>, &mut Facts),
}

/// What a node defines.
pub(super) struct Defined {
    /// The bytes of the name.
    pub(super) name: Range<usize>,
    /// How many of the containers around are not around it.
    pub(super) out_of: usize,
    /// Names before it that no node around it gives.
    pub(super) within: Vec<String>,
    /// Whether its name is also a use of something else.
    pub(super) is_use: bool,
    /// What it is.
    pub(super) kind: Kind,
    /// Of a function, what it takes and gives.
    pub(super) signature: Option<Signature>,
}

impl Defined {
    /// Takes a definition by the node of its name.
    fn of(name: Node<'_>, kind: Kind) -> Self {
        Self {
            name: name.byte_range(),
            out_of: 0,
            within: Vec::new(),
            is_use: false,
            kind,
            signature: None,
        }
    }

    /// Takes a definition by the field of a node that is its name; none where it has none.
    fn named(node: Node<'_>, field: &str, kind: Kind) -> Vec<Self> {
        let name = node.child_by_field_name(field);
        name.map(|name| Self::of(name, kind)).into_iter().collect()
    }

    /// Adds what a function takes and gives.
    fn with(self, parameters: Option<Vec<Parameter>>, returns: String) -> Self {
        self.giving(parameters, Some(returns))
    }

    /// Adds what a function takes and gives, as far as it is known.
    fn giving(mut self, parameters: Option<Vec<Parameter>>, returns: Option<String>) -> Self {
        self.signature = Some(Signature {
            parameters,
            returns,
        });
        self
    }
}

/// Every language. Adding one is a file and a line here.
const GRAMMARS: &[&Grammar] = &[
    &rust::GRAMMAR,
    &python::GRAMMAR,
    &typescript::GRAMMAR,
    &typescript::TSX,
    &javascript::GRAMMAR,
    &go::GRAMMAR,
    &java::GRAMMAR,
    &c::GRAMMAR,
];

/// Says whether a grammar is one of these, of this very version.
pub(super) fn is_known(name: &str) -> bool {
    GRAMMARS.iter().any(|grammar| grammar.name == name)
}

/// Finds the language of a file by its ending.
pub(super) fn grammar_of(path: &[u8]) -> Option<&'static Grammar> {
    let name = path.rsplit(|byte| *byte == b'/').next()?;
    let name = std::str::from_utf8(name).ok()?;
    let (_, ending) = name.rsplit_once('.')?;
    let mut all = GRAMMARS.iter().copied();
    all.find(|grammar| grammar.endings.contains(&ending))
}

/// Says whether a file of this name may hold tests.
pub(super) fn may_hold_tests(path: &[u8]) -> bool {
    grammar_of(path).is_none_or(|grammar| {
        let endings = grammar.test_endings;
        endings.is_empty()
            || endings
                .iter()
                .any(|ending| path.ends_with(ending.as_bytes()))
    })
}

/// Reads what the syntax of a text says, within a number of milliseconds.
pub(super) fn facts(grammar: &Grammar, text: &str, most: u64) -> Result<Facts, Reason> {
    let refused = spelling::has_lone_return(text).then_some(Reason::Ambiguous);
    if let Some(reason) = refused.or_else(|| (grammar.refuses)(text)) {
        return Err(reason);
    }
    let deadline = Deadline::after(most);
    let tree = parse(grammar, text, &deadline)?;
    walk::walk(grammar, &tree, text, &deadline)
}

/// Returns the text of a node.
fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// Returns the text of a field of a node; empty where there is none.
fn field<'t>(node: Node<'_>, name: &str, text: &'t str) -> &'t str {
    node.child_by_field_name(name)
        .map_or("", |node| text_of(node, text))
}

/// Returns a text without blanks.
fn tight(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Lists the named children of a node.
fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = node.walk();
    let all: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    all.into_iter()
}

/// Makes a name with its place of a node.
fn named(node: Node<'_>, text: &str) -> Named {
    Named {
        name: text_of(node, text).to_owned(),
        range: node.byte_range(),
    }
}

/// Looks through parentheses.
fn bare(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" && node.named_child_count() == 1 {
        let Some(inner) = node.named_child(0) else {
            break;
        };
        node = inner;
    }
    node
}

/// Returns the name by which a call calls: a plain one, or that of a member, which is this field of a
/// node of this kind.
fn callee<'t>(call: Node<'t>, (kind, member): (&str, &str)) -> Option<Node<'t>> {
    let called = bare(call.child_by_field_name("function")?);
    match called.kind() {
        "identifier" => Some(called),
        found if found == kind => called.child_by_field_name(member),
        _ => None,
    }
}

/// Returns a text between quotes.
fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

/// Reads parameters child by child; none where one of them is no plain name.
fn parameters(
    list: Option<Node<'_>>,
    mut read: impl FnMut(Node<'_>) -> Option<Vec<Parameter>>,
) -> Option<Vec<Parameter>> {
    let mut all = Vec::new();
    for child in list.into_iter().flat_map(children) {
        if child.kind().contains("comment") {
            continue;
        }
        all.extend(read(child)?);
    }
    Some(all)
}

/// Makes one parameter.
fn parameter(name: &str, is_optional: bool) -> Vec<Parameter> {
    vec![Parameter {
        name: name.to_owned(),
        is_optional,
    }]
}
