//! Java. Containers: classes, interfaces, enums, records and annotations.

use tree_sitter::{Language, Node};

use super::place::Place;
use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Parameter, UNREAD, children, field, named,
    parameter, parameters, text_of, tight,
};
use crate::model::claim::evidence::Reason;

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "java 0.23.5",
    endings: &["java"],
    language: || Language::new(tree_sitter_java::LANGUAGE),
    refuses,
    test_endings: &[],
    names: &["identifier", "type_identifier"],
    raw: "",
    normalises: false,
    texts: &["string_fragment", "multiline_string_fragment"],
    speaks: false,
    local: &[
        "compact_constructor_declaration",
        "constructor_declaration",
        "lambda_expression",
        "method_declaration",
        "static_initializer",
    ],
    members: &[
        "annotation_type_body",
        "class_body",
        "enum_body",
        "interface_body",
    ],
    define,
    binds: |_, _, _| false,
    container,
    note,
};

/// Nodes that define types.
const TYPES: [&str; 5] = [
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
];

/// An escape for a sign of ASCII is code anywhere, in a comment too (The Java Language Specification,
/// 3.3).
fn refuses(text: &str) -> Option<Reason> {
    let is_code = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let slashes = before.len() - before.trim_end_matches('\\').len();
        let digits = text
            .get(at + 1..)
            .unwrap_or_default()
            .trim_start_matches('u');
        let code = digits
            .get(..4)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        slashes % 2 == 0 && code.is_none_or(|code| code < 128)
    };
    let mut all = text.match_indices("\\u");
    all.any(|(at, _)| is_code(at)).then_some(Reason::Ambiguous)
}

fn define(node: Node<'_>, text: &str, place: &Place<'_>) -> Vec<Defined> {
    let name = node.child_by_field_name("name");
    let Some(name) = name else { return Vec::new() };
    match node.kind() {
        kind if TYPES.contains(&kind) => vec![Defined::of(name, Kind::Type)],
        "method_declaration" | "constructor_declaration" => {
            let list = node.child_by_field_name("parameters");
            let returns = format!(
                "{}{}",
                field(node, "type", text),
                field(node, "dimensions", text)
            );
            let read = |child: Node<'_>| one(child, text);
            let defined = Defined::of(name, Kind::Function);
            vec![defined.with(parameters(list, read), tight(&returns))]
        }
        // It takes what the record has, and no more.
        "compact_constructor_declaration" => vec![Defined::of(name, Kind::Function)],
        "annotation_type_element_declaration" => {
            let returns = tight(field(node, "type", text));
            vec![Defined::of(name, Kind::Function).with(Some(Vec::new()), returns)]
        }
        "formal_parameter" if place.above(1) == "record_declaration" => {
            vec![Defined::of(name, Kind::Constant)]
        }
        "variable_declarator" if is_field(place) => vec![Defined::of(name, Kind::Constant)],
        "enum_constant" => vec![Defined::of(name, Kind::Constant)],
        _ => Vec::new(),
    }
}

/// Says whether a variable is a field, or a component of a record of which there are any number.
fn is_field(place: &Place<'_>) -> bool {
    let parent = place.parent();
    let is_component = parent == "spread_parameter" && place.above(2) == "record_declaration";
    parent == "field_declaration" || parent == "constant_declaration" || is_component
}

/// Reads one parameter; none where there may be any number.
fn one(child: Node<'_>, text: &str) -> Option<Vec<Parameter>> {
    match child.kind() {
        "formal_parameter" => Some(parameter(field(child, "name", text), false)),
        "receiver_parameter" => Some(Vec::new()),
        _ => None,
    }
}

fn container(node: Node<'_>, text: &str, _: &Place<'_>) -> Option<String> {
    match node.kind() {
        kind if TYPES.contains(&kind) => Some(field(node, "name", text).to_owned()),
        "enum_constant" if node.child_by_field_name("body").is_some() => {
            Some(field(node, "name", text).to_owned())
        }
        // What a body holds that has no name, or only that of a method, is not known by it.
        "compact_constructor_declaration"
        | "constructor_declaration"
        | "lambda_expression"
        | "method_declaration"
        | "object_creation_expression" => Some(UNREAD.to_owned()),
        _ => None,
    }
}

fn note(node: Node<'_>, text: &str, _: &Place<'_>, facts: &mut Facts) {
    match node.kind() {
        "method_invocation" => {
            let name = node.child_by_field_name("name");
            facts.calls.extend(name.map(|name| named(name, text)));
        }
        "object_creation_expression" => {
            let name = node.child_by_field_name("type").and_then(of_type);
            facts.calls.extend(name.map(|name| named(name, text)));
        }
        "import_declaration" => import(node, text, facts),
        "package_declaration" => {
            let name = children(node).find(|child| child.kind().ends_with("identifier"));
            let name = name.map_or("", |name| text_of(name, text));
            let parts = name.split('.').map(|part| part.trim().to_owned());
            facts.packages.extend(parts);
        }
        "method_declaration" => test(node, text, facts),
        "marker_annotation" | "annotation" => {
            let name = tight(field(node, "name", text));
            // Lombok adds members to the very class that it is written in.
            facts.defines_open |= name.starts_with("lombok.");
        }
        "class_declaration" if !is_plain(node, text) => facts.tests_open = true,
        _ => {}
    }
}

/// Returns the name of a type, without what is around it.
fn of_type(kind: Node<'_>) -> Option<Node<'_>> {
    let mut kind = kind;
    loop {
        kind = match kind.kind() {
            "type_identifier" => return Some(kind),
            "generic_type" => children(kind).next()?,
            "scoped_type_identifier" => children(kind)
                .filter(|child| child.kind() == "type_identifier")
                .last()?,
            _ => return None,
        };
    }
}

/// Annotations by which the usual runners (`JUnit`, `TestNG`) know a test.
const TESTS: [&str; 5] = [
    "ParameterizedTest",
    "RepeatedTest",
    "Test",
    "TestFactory",
    "TestTemplate",
];
/// Annotations that make no test.
const HARMLESS: [&str; 18] = [
    "After",
    "AfterAll",
    "AfterClass",
    "AfterEach",
    "Before",
    "BeforeAll",
    "BeforeClass",
    "BeforeEach",
    "Bean",
    "Deprecated",
    "FunctionalInterface",
    "NonNull",
    "NotNull",
    "Nullable",
    "Override",
    "SafeVarargs",
    "SuppressWarnings",
    "Transactional",
];

/// Notes a method that is a test, or that may be one: by an annotation that is not known, or by its
/// name, as `JUnit` 3 has it.
fn test(node: Node<'_>, text: &str, facts: &mut Facts) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let all = annotations(node, text);
    if all.iter().any(|one| TESTS.contains(&one.as_str())) {
        facts.tests.push(named(name, text));
    } else if !all.iter().all(|one| HARMLESS.contains(&one.as_str()))
        || text_of(name, text).starts_with("test")
    {
        facts.maybe_tests.insert(text_of(name, text).to_owned());
    }
}

/// Says whether a class has no annotation that makes its methods tests.
fn is_plain(node: Node<'_>, text: &str) -> bool {
    let all = annotations(node, text);
    !all.iter().any(|one| TESTS.contains(&one.as_str()))
}

/// Lists the annotations of a declaration by the last parts of their names.
fn annotations(node: Node<'_>, text: &str) -> Vec<String> {
    let modifiers = children(node).find(|child| child.kind() == "modifiers");
    let all = modifiers.into_iter().flat_map(children);
    all.filter(|child| child.kind().ends_with("annotation"))
        .map(|child| {
            let name = tight(field(child, "name", text));
            name.rsplit('.').next().unwrap_or_default().to_owned()
        })
        .collect()
}

/// Notes an import: the whole name as a module, and its last part as taken from the rest.
fn import(node: Node<'_>, text: &str, facts: &mut Facts) {
    let is_open = children(node).any(|child| child.kind() == "asterisk");
    let path = children(node).find(|child| child.kind().ends_with("identifier"));
    let path = path
        .map(|path| tight(text_of(path, text)))
        .unwrap_or_default();
    facts.defines_open |= path == "lombok" || path.starts_with("lombok.");
    let range = node.byte_range();
    if let Some((module, name)) = path.rsplit_once('.').filter(|_| !is_open) {
        facts.imports.push(Import {
            module: module.to_owned(),
            name: Some(name.to_owned()),
            range: range.clone(),
        });
    }
    let (module, name) = (path, is_open.then(|| EVERYTHING.to_owned()));
    facts.imports.push(Import {
        module,
        name,
        range,
    });
}
