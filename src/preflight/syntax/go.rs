//! Go. Containers: the types of receivers.

use tree_sitter::{Language, Node};

use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Parameter, callee, children, field, named,
    parameters, text_of, tight, unquoted,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "go 0.25.0",
    endings: &["go"],
    language: || Language::new(tree_sitter_go::LANGUAGE),
    names: &[
        "identifier",
        "type_identifier",
        "field_identifier",
        "package_identifier",
    ],
    normalises: false,
    texts: &[
        "interpreted_string_literal_content",
        "raw_string_literal_content",
    ],
    define,
    container: |_, _| None,
    note,
};

fn define(node: Node<'_>, text: &str, _: &Facts) -> Vec<Defined> {
    match node.kind() {
        "function_declaration" | "method_elem" | "method_spec" => {
            function(node, text, Vec::new()).into_iter().collect()
        }
        "method_declaration" => {
            let receiver = receiver(node, text).into_iter().collect();
            function(node, text, receiver).into_iter().collect()
        }
        "type_spec" | "type_alias" => {
            let name = node.child_by_field_name("name");
            name.map(|name| Defined::of(name, Kind::Type))
                .into_iter()
                .collect()
        }
        "const_spec" | "var_spec" => {
            let mut cursor = node.walk();
            node.children_by_field_name("name", &mut cursor)
                .filter(|name| name.kind() == "identifier")
                .map(|name| Defined::of(name, Kind::Constant))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Reads a function.
fn function(node: Node<'_>, text: &str, within: Vec<String>) -> Option<Defined> {
    let name = node.child_by_field_name("name")?;
    let list = node.child_by_field_name("parameters");
    let returns = tight(field(node, "result", text));
    let read = |child: Node<'_>| one(child, text);
    let defined = Defined::of(name, Kind::Function).with(parameters(list, read), returns);
    Some(Defined { within, ..defined })
}

/// Reads the parameters of one type; none where they have no names or are of any number.
fn one(child: Node<'_>, text: &str) -> Option<Vec<Parameter>> {
    if child.kind() != "parameter_declaration" {
        return None;
    }
    let mut cursor = child.walk();
    let names = child.children_by_field_name("name", &mut cursor);
    let all: Vec<Parameter> = names
        .filter(|name| name.kind() == "identifier")
        .map(|name| Parameter {
            name: text_of(name, text).to_owned(),
            is_optional: false,
        })
        .collect();
    (!all.is_empty()).then_some(all)
}

/// Returns the name of a receiver's type.
fn receiver(node: Node<'_>, text: &str) -> Option<String> {
    let list = node.child_by_field_name("receiver")?;
    let whole = field(children(list).next()?, "type", text);
    let plain = whole.trim_start_matches('*').split('[').next()?;
    Some(tight(plain))
}

fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    match node.kind() {
        "call_expression" => {
            let last = callee(node, ("selector_expression", "field"));
            facts.calls.extend(last.map(|last| named(last, text)));
        }
        "import_spec" => {
            let is_all = field(node, "name", text) == ".";
            facts.imports.push(Import {
                module: unquoted(field(node, "path", text)).to_owned(),
                name: is_all.then(|| EVERYTHING.to_owned()),
                range: node.byte_range(),
            });
        }
        "function_declaration" => {
            let is_test = |name: &str| {
                ["Test", "Benchmark", "Fuzz", "Example"]
                    .iter()
                    .any(|start| name.starts_with(start))
            };
            let name = node.child_by_field_name("name");
            let name = name.filter(|name| is_test(text_of(*name, text)));
            facts.tests.extend(name.map(|name| named(name, text)));
        }
        _ => {}
    }
}
