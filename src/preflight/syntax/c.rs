//! C. It has no containers; what the preprocessor makes is not written.

use tree_sitter::{Language, Node};

use super::{
    Defined, Facts, Grammar, Import, Kind, Parameter, callee, field, named, parameter, parameters,
    text_of, tight,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "c 0.24.2",
    endings: &["c", "h"],
    language: || Language::new(tree_sitter_c::LANGUAGE),
    names: &["identifier", "type_identifier", "field_identifier"],
    normalises: false,
    texts: &["string_content", "preproc_arg"],
    define,
    container: |_, _| None,
    note,
};

fn define(node: Node<'_>, text: &str, facts: &Facts) -> Vec<Defined> {
    match node.kind() {
        "function_definition" => function(node, text).into_iter().collect(),
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            // Without a body it only names one that is defined elsewhere.
            let name = node.child_by_field_name("name");
            let name = name.filter(|_| node.child_by_field_name("body").is_some());
            name.map(|name| Defined::of(name, Kind::Type))
                .into_iter()
                .collect()
        }
        "type_definition" => {
            let name = node.child_by_field_name("declarator").and_then(innermost);
            name.map(|name| Defined::of(name, Kind::Type))
                .into_iter()
                .collect()
        }
        "preproc_def" => {
            let name = node.child_by_field_name("name");
            name.map(|name| Defined::of(name, Kind::Constant))
                .into_iter()
                .collect()
        }
        "preproc_function_def" => {
            let name = node.child_by_field_name("name");
            name.map(|name| Defined::of(name, Kind::Function))
                .into_iter()
                .collect()
        }
        "enumerator" => {
            let name = node.child_by_field_name("name");
            name.map(|name| Defined::of(name, Kind::Constant))
                .into_iter()
                .collect()
        }
        "init_declarator" if is_at_top(node, facts) => {
            let name = node.child_by_field_name("declarator").and_then(innermost);
            name.map(|name| Defined::of(name, Kind::Constant))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Says whether a node lies outside of functions: after the last one that the walk has met.
fn is_at_top(node: Node<'_>, facts: &Facts) -> bool {
    node.start_byte() >= facts.remembered
}

/// How many declarators are looked through, which is more than any honest one has.
const DEPTH: usize = 32;

/// Returns the name inside declarators of pointers, arrays and functions.
fn innermost(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..DEPTH {
        if ["identifier", "type_identifier", "field_identifier"].contains(&node.kind()) {
            return Some(node);
        }
        node = node.child_by_field_name("declarator")?;
    }
    None
}

/// Reads a function.
fn function(node: Node<'_>, text: &str) -> Option<Defined> {
    let declarator = node.child_by_field_name("declarator")?;
    let name = innermost(declarator)?;
    let mut of_function = declarator;
    for _ in 0..DEPTH {
        if of_function.kind() == "function_declarator" {
            break;
        }
        of_function = of_function.child_by_field_name("declarator")?;
    }
    let list = of_function.child_by_field_name("parameters");
    let read = |child: Node<'_>| one(child, text);
    let stars = text
        .get(declarator.start_byte()..of_function.start_byte())
        .unwrap_or_default();
    let returns = tight(&format!("{}{stars}", field(node, "type", text)));
    Some(Defined::of(name, Kind::Function).with(parameters(list, read), returns))
}

/// Reads one parameter; `void` alone is none.
fn one(child: Node<'_>, text: &str) -> Option<Vec<Parameter>> {
    if child.kind() != "parameter_declaration" {
        return None;
    }
    match child.child_by_field_name("declarator") {
        Some(declarator) => {
            let name = innermost(declarator)?;
            Some(parameter(text_of(name, text), false))
        }
        None => (text_of(child, text) == "void").then(Vec::new),
    }
}

fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    match node.kind() {
        "call_expression" => {
            let last = callee(node, ("field_expression", "field"));
            // A call outside of functions is a macro that may define anything.
            facts.defines_open |= is_at_top(node, facts);
            facts.calls.extend(last.map(|last| named(last, text)));
        }
        "function_definition" => {
            facts.remembered = facts.remembered.max(node.end_byte());
        }
        "preproc_include" => {
            let path = field(node, "path", text);
            facts.imports_open |= !path.starts_with(['"', '<']);
            facts.imports.push(Import {
                module: path.trim_matches(['"', '<', '>']).to_owned(),
                name: None,
                range: node.byte_range(),
            });
        }
        // Pasting of names makes definitions that are not written.
        "preproc_arg" => facts.defines_open |= text_of(node, text).contains("##"),
        _ => {}
    }
}
