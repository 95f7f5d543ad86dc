//! Python. Containers: classes and functions.

use tree_sitter::{Language, Node};

use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, callee, children, field, named, parameter,
    parameters, text_of, tight,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "python 0.25.0",
    endings: &["py", "pyi"],
    language: || Language::new(tree_sitter_python::LANGUAGE),
    names: &["identifier"],
    normalises: true,
    texts: &["string_content"],
    define,
    container,
    note,
};

/// Functions that define what is not written.
const OPEN: [&str; 6] = ["exec", "eval", "setattr", "globals", "locals", "vars"];

fn define(node: Node<'_>, text: &str, _: &Facts) -> Vec<Defined> {
    match node.kind() {
        "class_definition" | "type_alias_statement" => {
            let name = node
                .child_by_field_name("name")
                .or_else(|| node.child_by_field_name("left"));
            name.map(|name| Defined::of(name, Kind::Type))
                .into_iter()
                .collect()
        }
        "function_definition" => function(node, text).into_iter().collect(),
        "assignment" => assigned(node),
        _ => Vec::new(),
    }
}

/// Reads a function.
fn function(node: Node<'_>, text: &str) -> Option<Defined> {
    let name = node.child_by_field_name("name")?;
    let mut is_first = true;
    let in_class = is_in_class(node);
    let read = |child: Node<'_>| {
        let found = one(child, text)?;
        // A method is given its object; a static one is not, and has no such name.
        let is_receiver = is_first
            && in_class
            && found
                .first()
                .is_some_and(|one| ["self", "cls"].contains(&one.name.as_str()));
        is_first = false;
        Some(if is_receiver { Vec::new() } else { found })
    };
    let list = node.child_by_field_name("parameters");
    let returns = tight(field(node, "return_type", text));
    Some(Defined::of(name, Kind::Function).with(parameters(list, read), returns))
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
fn is_in_class(node: Node<'_>) -> bool {
    let mut around = node.parent();
    while let Some(node) = around {
        match node.kind() {
            "class_definition" => return true,
            "function_definition" => return false,
            _ => around = node.parent(),
        }
    }
    false
}

/// Reads the names that an assignment outside of functions defines.
fn assigned(node: Node<'_>) -> Vec<Defined> {
    let is_outside = node.parent().is_some_and(|statement| {
        let around = statement.parent().map_or("", |around| around.kind());
        let owner = statement.parent().and_then(|around| around.parent());
        let is_class = owner.is_some_and(|owner| owner.kind() == "class_definition");
        around == "module" || (around == "block" && is_class)
    });
    let left = node.child_by_field_name("left").filter(|_| is_outside);
    let Some(left) = left else { return Vec::new() };
    match left.kind() {
        "identifier" => vec![Defined::of(left, Kind::Constant)],
        "pattern_list" | "tuple_pattern" => children(left)
            .filter(|child| child.kind() == "identifier")
            .map(|child| Defined::of(child, Kind::Constant))
            .collect(),
        _ => Vec::new(),
    }
}

fn container(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "class_definition" | "function_definition" => Some(field(node, "name", text).to_owned()),
        _ => None,
    }
}

fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    match node.kind() {
        "call" => {
            let last = callee(node, ("attribute", "attribute"));
            if let Some(last) = last {
                let name = text_of(last, text);
                facts.defines_open |= OPEN.contains(&name);
                facts.imports_open |= ["__import__", "import_module"].contains(&name);
                facts.calls.push(named(last, text));
            }
        }
        "import_statement" => {
            let mut cursor = node.walk();
            for each in node.children_by_field_name("name", &mut cursor) {
                let module = plain(each, text);
                let (name, range) = (None, each.byte_range());
                facts.imports.push(Import {
                    module,
                    name,
                    range,
                });
            }
        }
        "import_from_statement" => from(node, text, facts),
        "function_definition" => {
            let name = node.child_by_field_name("name");
            let name = name.filter(|name| text_of(*name, text).starts_with("test"));
            facts.tests.extend(name.map(|name| named(name, text)));
        }
        _ => {}
    }
}

/// Returns what is imported, without the name that it is given.
fn plain(node: Node<'_>, text: &str) -> String {
    let named = node.child_by_field_name("name").unwrap_or(node);
    tight(text_of(named, text))
}

/// Notes `from MODULE import NAME`.
fn from(node: Node<'_>, text: &str, facts: &mut Facts) {
    let module = tight(field(node, "module_name", text));
    let import = |name: Option<String>, node: Node<'_>| Import {
        module: module.clone(),
        name,
        range: node.byte_range(),
    };
    facts.imports.push(import(None, node));
    if children(node).any(|child| child.kind() == "wildcard_import") {
        facts
            .imports
            .push(import(Some(EVERYTHING.to_owned()), node));
    }
    let mut cursor = node.walk();
    for each in node.children_by_field_name("name", &mut cursor) {
        facts.imports.push(import(Some(plain(each, text)), each));
    }
}
