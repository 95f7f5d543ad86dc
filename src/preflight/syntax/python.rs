//! Python. Containers: classes and functions.

use tree_sitter::{Language, Node};

use super::place::Place;
use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, bare, callee, children, field, named,
    parameter, parameters, text_of, tight,
};
use crate::model::claim::evidence::Reason;

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "python 0.25.0",
    endings: &["py", "pyi"],
    language: || Language::new(tree_sitter_python::LANGUAGE),
    refuses,
    test_endings: &[],
    names: &["identifier"],
    raw: "",
    normalises: true,
    texts: &["string_content"],
    speaks: true,
    local: &["function_definition", "lambda"],
    members: &["class_definition"],
    define,
    binds,
    container,
    note,
};

/// Names by which texts become code, under whatever name they are called then.
const RUNNING: [&str; 5] = ["__builtins__", "builtins", "eval", "exec", "execfile"];
/// Names by which names are defined and read that are not written.
const NAMING: [&str; 6] = [
    "__dict__",
    "__setattr__",
    "globals",
    "locals",
    "setattr",
    "vars",
];
/// Names by which modules are brought in that are not written.
const IMPORTING: [&str; 5] = [
    "__import__",
    "import_module",
    "importlib",
    "pkgutil",
    "runpy",
];
/// Functions that are told a name to read, after the object or alone.
const READING: [&str; 3] = ["attrgetter", "getattr", "methodcaller"];

/// Nodes in which a name is used and never bound (The Python Language Reference, 4.2.1).
const USES: [&str; 57] = [
    "aliased_import",
    "argument_list",
    "assert_statement",
    "assignment",
    "attribute",
    "augmented_assignment",
    "await",
    "binary_operator",
    "boolean_operator",
    "call",
    "class_definition",
    "comparison_operator",
    "concatenated_string",
    "conditional_expression",
    "constrained_type",
    "decorator",
    "delete_statement",
    "dictionary",
    "dictionary_comprehension",
    "dictionary_splat",
    "dotted_name",
    "elif_clause",
    "except_clause",
    "except_group_clause",
    "expression_list",
    "expression_statement",
    "for_in_clause",
    "for_statement",
    "format_expression",
    "generator_expression",
    "generic_type",
    "if_clause",
    "if_statement",
    "interpolation",
    "keyword_argument",
    "list",
    "list_comprehension",
    "list_splat",
    "member_type",
    "not_operator",
    "pair",
    "parenthesized_expression",
    "raise_statement",
    "return_statement",
    "set",
    "set_comprehension",
    "slice",
    "splat_type",
    "subscript",
    "type",
    "type_conversion",
    "unary_operator",
    "union_type",
    "while_statement",
    "with_item",
    "yield",
    "import_from_statement",
];
/// Nodes that hold targets of an assignment.
const TARGETS: [&str; 7] = [
    "as_pattern_target",
    "list_pattern",
    "list_splat_pattern",
    "parenthesized_expression",
    "pattern_list",
    "tuple",
    "tuple_pattern",
];

/// A source that is read in another encoding is another source (PEP 263).
fn refuses(text: &str) -> Option<Reason> {
    let is_other = |line: &str| {
        let comment = line.trim_start_matches([' ', '\t', '\x0c', '\u{feff}']);
        let said = comment
            .strip_prefix('#')
            .and_then(|said| said.split_once("coding"));
        let named = said.and_then(|(_, rest)| rest.strip_prefix([':', '=']));
        named.is_some_and(|name| {
            let name = name.trim_start_matches([' ', '\t']);
            let end = name.find(|sign: char| !sign.is_alphanumeric() && !"-_.".contains(sign));
            let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
            let name = name.to_ascii_lowercase().replace('_', "-");
            !["", "ascii", "u8", "us-ascii", "utf-8", "utf-8-sig", "utf8"].contains(&name.as_str())
        })
    };
    text.lines()
        .take(2)
        .any(is_other)
        .then_some(Reason::Encoding)
}

fn define(node: Node<'_>, text: &str, place: &Place<'_>) -> Vec<Defined> {
    match node.kind() {
        "class_definition" => Defined::named(node, "name", Kind::Type),
        "type_alias_statement" => alias(node).into_iter().collect(),
        "function_definition" => function(node, text, place).into_iter().collect(),
        "assignment" if !place.is_local => assigned(node),
        _ => Vec::new(),
    }
}

/// Reads the name of a type that is another one, before its parameters.
fn alias(node: Node<'_>) -> Option<Defined> {
    let mut name = node.child_by_field_name("left")?;
    while name.kind() != "identifier" {
        name = name.named_child(0)?;
    }
    Some(Defined::of(name, Kind::Type))
}

/// Says whether a name may be bound where it stands. Inside of functions only what reaches out of them is
/// of concern.
fn binds(_: Node<'_>, place: &Place<'_>, _: &Facts) -> bool {
    let is_left = place.field == Some("left");
    match place.parent() {
        "global_statement" => true,
        "named_expression" => place.field == Some("name"),
        "attribute" => place.field == Some("attribute") && is_target(place),
        _ if place.is_local => false,
        // A name alone in a pattern captures; that of a class is compared.
        "dotted_name" if place.above(1).ends_with("pattern") => place.above(1) != "class_pattern",
        "assignment" | "for_statement" if is_left => true,
        // In a target they look as anywhere else.
        "parenthesized_expression" | "tuple" | "list" | "list_splat" => is_in_target(place),
        parent => !USES.contains(&parent),
    }
}

/// Says whether what is around is the target of `with` or `except`.
fn is_in_target(place: &Place<'_>) -> bool {
    let mut outwards = place.around.iter().rev().map(|(kind, _)| *kind);
    let end = outwards
        .find(|kind| !["list", "list_splat", "parenthesized_expression", "tuple"].contains(kind));
    end == Some("as_pattern_target")
}

/// Says whether the node around is assigned to.
fn is_target(place: &Place<'_>) -> bool {
    let is_left = place.field_of_parent() == Some("left");
    let holder = place.above(1);
    let assigns = [
        "assignment",
        "for_statement",
        "for_in_clause",
        "augmented_assignment",
    ];
    TARGETS.contains(&holder) || (is_left && assigns.contains(&holder))
}

/// Reads a function.
fn function(node: Node<'_>, text: &str, place: &Place<'_>) -> Option<Defined> {
    let name = node.child_by_field_name("name")?;
    let (in_class, is_static) = (is_in_class(place), is_static(node, text, place));
    let mut is_first = in_class && !is_static;
    let read = |child: Node<'_>| {
        let found = one(child, text)?;
        let is_receiver = std::mem::take(&mut is_first);
        let usual = ["self", "cls", "mcs", "mcls"];
        let is_usual = found
            .first()
            .is_some_and(|one| usual.contains(&one.name.as_str()));
        match (is_receiver, is_usual) {
            (false, _) => Some(found),
            // A method is given its object, by whatever name; this one may have been made static.
            (true, is_usual) => is_usual.then(Vec::new),
        }
    };
    let list = node.child_by_field_name("parameters");
    let returns = tight(field(node, "return_type", text));
    Some(Defined::of(name, Kind::Function).with(parameters(list, read), returns))
}

/// Says whether a function is made static by what stands before it.
fn is_static(node: Node<'_>, text: &str, place: &Place<'_>) -> bool {
    let decorated = node
        .parent()
        .filter(|_| place.parent() == "decorated_definition");
    let mut decorators = decorated.into_iter().flat_map(children);
    decorators.any(|one| one.kind() == "decorator" && text_of(one, text).contains("staticmethod"))
}

/// Reads one parameter.
fn one(child: Node<'_>, text: &str) -> Option<Vec<super::Parameter>> {
    match child.kind() {
        "identifier" => Some(parameter(text_of(child, text), false)),
        "typed_parameter" => {
            let name = children(child).next()?;
            (name.kind() == "identifier").then(|| parameter(text_of(name, text), false))
        }
        "default_parameter" | "typed_default_parameter" => {
            let name = child.child_by_field_name("name")?;
            (name.kind() == "identifier").then(|| parameter(text_of(name, text), true))
        }
        "keyword_separator" | "positional_separator" => Some(Vec::new()),
        _ => None,
    }
}

/// Says whether a function is a method.
fn is_in_class(place: &Place<'_>) -> bool {
    let mut outwards = place.around.iter().rev().map(|(kind, _)| *kind);
    let nearest =
        outwards.find(|kind| kind.ends_with("_definition") && *kind != "decorated_definition");
    nearest == Some("class_definition")
}

/// Reads the names that an assignment outside of functions defines; a list and no recursion.
fn assigned(node: Node<'_>) -> Vec<Defined> {
    let mut names = Vec::new();
    let mut pending: Vec<Node<'_>> = node.child_by_field_name("left").into_iter().collect();
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" => names.push(Defined::of(node, Kind::Constant)),
            kind if kind.ends_with("pattern") || kind == "pattern_list" => {
                pending.extend(children(node));
            }
            _ => {}
        }
    }
    names.sort_by_key(|defined| defined.name.start);
    names
}

fn container(node: Node<'_>, text: &str, _: &Place<'_>) -> Option<String> {
    match node.kind() {
        "class_definition" | "function_definition" => Some(field(node, "name", text).to_owned()),
        _ => None,
    }
}

fn note(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    match node.kind() {
        "identifier" => opens(text_of(node, text), place, facts),
        "exec_statement" => facts.runs_texts(),
        "call" => {
            if let Some(last) = callee(node, ("attribute", "attribute")) {
                facts.uses_open |= reads_unknown(text_of(last, text), node);
                facts.calls.push(named(last, text));
            }
        }
        "import_statement" => {
            let mut cursor = node.walk();
            for each in node.children_by_field_name("name", &mut cursor) {
                import(&plain(each, text), None, each, facts);
            }
        }
        "import_from_statement" | "future_import_statement" => from(node, text, facts),
        "function_definition" if !place.is_local => test(node, text, place, facts),
        _ => {}
    }
}

/// Notes what a name opens, wherever it is written.
fn opens(name: &str, place: &Place<'_>, facts: &mut Facts) {
    if RUNNING.contains(&name) {
        facts.runs_texts();
    }
    if NAMING.contains(&name) {
        facts.defines_open = true;
        facts.uses_open = true;
    }
    facts.imports_open |= IMPORTING.contains(&name);
    let is_called = place.parent() == "call" || place.field_of_parent() == Some("function");
    facts.uses_open |= READING.contains(&name) && !is_called;
}

/// Says whether a call reads a name that is not written.
fn reads_unknown(name: &str, call: Node<'_>) -> bool {
    let list = call.child_by_field_name("arguments");
    let mut given = list.into_iter().flat_map(children);
    let is_text = |node: Node<'_>| {
        let node = bare(node);
        node.kind() == "string" && !children(node).any(|child| child.kind() == "interpolation")
    };
    match name {
        "getattr" => !given.nth(1).is_some_and(is_text),
        name if READING.contains(&name) => !given.all(is_text),
        _ => false,
    }
}

/// Notes a function that a test runner takes by its name, or may take.
fn test(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let written = text_of(name, text);
    let Some(rest) = written.strip_prefix("test") else {
        return;
    };
    let is_usual = !rest.starts_with(char::is_lowercase);
    let decorated = node
        .parent()
        .filter(|_| place.parent() == "decorated_definition");
    let mut decorators = decorated.into_iter().flat_map(children);
    let is_fixture =
        decorators.any(|one| one.kind() == "decorator" && text_of(one, text).contains("fixture"));
    let is_in_suite = !is_in_class(place) || is_suite(node, text);
    if is_usual && !is_fixture && is_in_suite {
        facts.tests.push(named(name, text));
    } else {
        facts.maybe_tests.insert(written.to_owned());
    }
}

/// Says whether a method lies in a class that test runners look into.
fn is_suite(method: Node<'_>, text: &str) -> bool {
    let mut around = method.parent();
    while let Some(node) = around {
        if node.kind() == "class_definition" {
            let has_parents = node.child_by_field_name("superclasses").is_some();
            return has_parents || field(node, "name", text).starts_with("Test");
        }
        around = node.parent();
    }
    false
}

/// Notes an import of a module, which brings in those around it too.
fn import(module: &str, name: Option<String>, node: Node<'_>, facts: &mut Facts) {
    let ends = module.match_indices('.').map(|(at, _)| at);
    let is_around = |end: &usize| {
        !module
            .get(..*end)
            .unwrap_or_default()
            .trim_matches('.')
            .is_empty()
    };
    let around: Vec<usize> = ends.filter(is_around).collect();
    facts.imports.push(Import {
        module: module.to_owned(),
        name,
        range: node.byte_range(),
    });
    for end in around {
        facts.imports.push(Import {
            module: module.get(..end).unwrap_or_default().to_owned(),
            name: None,
            range: node.byte_range(),
        });
    }
}

/// Returns what is imported, without the name that it is given.
fn plain(node: Node<'_>, text: &str) -> String {
    let named = node.child_by_field_name("name").unwrap_or(node);
    tight(text_of(named, text))
}

/// Notes `from MODULE import NAME`.
fn from(node: Node<'_>, text: &str, facts: &mut Facts) {
    let module = match node.kind() {
        "future_import_statement" => "__future__".to_owned(),
        _ => tight(field(node, "module_name", text)),
    };
    import(&module, None, node, facts);
    let mut note = |name: String, node: Node<'_>| {
        facts.imports.push(Import {
            module: module.clone(),
            name: Some(name),
            range: node.byte_range(),
        });
    };
    if children(node).any(|child| child.kind() == "wildcard_import") {
        note(EVERYTHING.to_owned(), node);
    }
    let mut cursor = node.walk();
    for each in node.children_by_field_name("name", &mut cursor) {
        note(plain(each, text), each);
    }
}
