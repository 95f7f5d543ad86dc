//! Java. Containers: classes, interfaces, enums, records and annotations.

use tree_sitter::{Language, Node};

use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Parameter, children, field, named,
    parameter, parameters, text_of, tight,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "java 0.23.5",
    endings: &["java"],
    language: || Language::new(tree_sitter_java::LANGUAGE),
    names: &["identifier", "type_identifier"],
    normalises: false,
    texts: &["string_fragment", "multiline_string_fragment"],
    define,
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

fn define(node: Node<'_>, text: &str, _: &Facts) -> Vec<Defined> {
    let name = node.child_by_field_name("name");
    let Some(name) = name else { return Vec::new() };
    match node.kind() {
        kind if TYPES.contains(&kind) => vec![Defined::of(name, Kind::Type)],
        "method_declaration" | "constructor_declaration" => {
            let list = node.child_by_field_name("parameters");
            let returns = tight(field(node, "type", text));
            let read = |child: Node<'_>| one(child, text);
            let defined = Defined::of(name, Kind::Function);
            vec![defined.with(parameters(list, read), returns)]
        }
        "variable_declarator"
            if node.parent().is_some_and(|parent| {
                parent.kind().ends_with("field_declaration")
                    || parent.kind() == "constant_declaration"
            }) =>
        {
            vec![Defined::of(name, Kind::Constant)]
        }
        "enum_constant" => vec![Defined::of(name, Kind::Constant)],
        _ => Vec::new(),
    }
}

/// Reads one parameter; none where there may be any number.
fn one(child: Node<'_>, text: &str) -> Option<Vec<Parameter>> {
    match child.kind() {
        "formal_parameter" => Some(parameter(field(child, "name", text), false)),
        "receiver_parameter" => Some(Vec::new()),
        _ => None,
    }
}

fn container(node: Node<'_>, text: &str) -> Option<String> {
    TYPES
        .contains(&node.kind())
        .then(|| field(node, "name", text).to_owned())
}

fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    match node.kind() {
        "method_invocation" => {
            let name = node.child_by_field_name("name");
            facts.calls.extend(name.map(|name| named(name, text)));
        }
        "object_creation_expression" => {
            let name = node.child_by_field_name("type");
            let name = name.filter(|name| name.kind() == "type_identifier");
            facts.calls.extend(name.map(|name| named(name, text)));
        }
        "import_declaration" => import(node, text, facts),
        "method_declaration" if is_test(node, text) => {
            let name = node.child_by_field_name("name");
            facts.tests.extend(name.map(|name| named(name, text)));
        }
        _ => {}
    }
}

/// Notes an import: the whole name as a module, and its last part as taken from the rest.
fn import(node: Node<'_>, text: &str, facts: &mut Facts) {
    let is_open = children(node).any(|child| child.kind() == "asterisk");
    let path = children(node).find(|child| child.kind().ends_with("identifier"));
    let path = path
        .map(|path| tight(text_of(path, text)))
        .unwrap_or_default();
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

/// Says whether a method has an annotation of a test runner.
fn is_test(node: Node<'_>, text: &str) -> bool {
    let modifiers = children(node).find(|child| child.kind() == "modifiers");
    let mut annotations = modifiers.into_iter().flat_map(children);
    annotations.any(|annotation| {
        let name = field(annotation, "name", text);
        let last = name.rsplit('.').next().unwrap_or_default();
        ["Test", "ParameterizedTest", "RepeatedTest"].contains(&last)
    })
}
