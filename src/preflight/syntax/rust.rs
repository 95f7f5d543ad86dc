//! Rust. Containers: modules, traits, and the types of `impl`.

use tree_sitter::{Language, Node};

use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, children, field, named, parameter,
    parameters, text_of, tight,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "rust 0.24.2",
    endings: &["rs"],
    language: || Language::new(tree_sitter_rust::LANGUAGE),
    names: &[
        "identifier",
        "type_identifier",
        "field_identifier",
        "shorthand_field_identifier",
    ],
    normalises: false,
    texts: &["string_content", "raw_string_literal"],
    define,
    container,
    note,
};

fn define(node: Node<'_>, text: &str, _: &Facts) -> Vec<Defined> {
    let kind = match node.kind() {
        "function_item" | "function_signature_item" | "macro_definition" => Kind::Function,
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item"
        | "associated_type" => Kind::Type,
        "const_item" | "static_item" | "enum_variant" => Kind::Constant,
        "mod_item" => Kind::Module,
        _ => return Vec::new(),
    };
    let Some(name) = node.child_by_field_name("name") else {
        return Vec::new();
    };
    let defined = Defined::of(name, kind);
    if !node.kind().starts_with("function") {
        return vec![defined];
    }
    let list = node.child_by_field_name("parameters");
    let read = |child: Node<'_>| match child.kind() {
        "self_parameter" | "attribute_item" => Some(Vec::new()),
        "parameter" => {
            let pattern = child.child_by_field_name("pattern")?;
            let is_plain = ["identifier", "self"].contains(&pattern.kind());
            let name = text_of(pattern, text);
            match name {
                "self" => Some(Vec::new()),
                _ => is_plain.then(|| parameter(name, false)),
            }
        }
        _ => None,
    };
    let returns = tight(field(node, "return_type", text));
    vec![defined.with(parameters(list, read), returns)]
}

fn container(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "mod_item" | "trait_item" | "enum_item" => Some(field(node, "name", text).to_owned()),
        "impl_item" => {
            let kind = node.child_by_field_name("type")?;
            let plain = kind.child_by_field_name("type").unwrap_or(kind);
            Some(text_of(plain, text).to_owned())
        }
        _ => None,
    }
}

fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    match node.kind() {
        "call_expression" => {
            if let Some(called) = node.child_by_field_name("function").and_then(last) {
                facts.calls.push(named(called, text));
            }
        }
        "use_declaration" => {
            if let Some(argument) = node.child_by_field_name("argument") {
                imports(argument, text, facts);
            }
        }
        // What a macro makes of its text is not written.
        "macro_invocation" => {
            let parent = node.parent().map_or("", |parent| parent.kind());
            let grand = node
                .parent()
                .and_then(|parent| parent.parent())
                .map_or("", |grand| grand.kind());
            let is_item = |kind: &str| ["source_file", "declaration_list"].contains(&kind);
            facts.defines_open |=
                is_item(parent) || (parent == "expression_statement" && is_item(grand));
        }
        // A test begins with its attribute; others and comments may follow it.
        "attribute_item" if is_of_test(node, text) => facts.remembered = node.end_byte(),
        "attribute_item" | "line_comment" | "block_comment" if follows(node, text, facts) => {
            facts.remembered = node.end_byte();
        }
        "function_item" if follows(node, text, facts) => {
            if let Some(name) = node.child_by_field_name("name") {
                facts.tests.push(named(name, text));
            }
        }
        _ => {}
    }
}

/// Returns the last part of what is called.
fn last(called: Node<'_>) -> Option<Node<'_>> {
    match called.kind() {
        "identifier" => Some(called),
        "field_expression" => called.child_by_field_name("field"),
        "scoped_identifier" => called.child_by_field_name("name"),
        "generic_function" => called.child_by_field_name("function").map(|inner| {
            let deeper = match inner.kind() {
                "field_expression" => inner.child_by_field_name("field"),
                "scoped_identifier" => inner.child_by_field_name("name"),
                _ => None,
            };
            deeper.unwrap_or(inner)
        }),
        _ => None,
    }
}

/// Says whether only blanks lie between what is remembered and a node.
fn follows(node: Node<'_>, text: &str, facts: &Facts) -> bool {
    let between = text.get(facts.remembered..node.start_byte());
    facts.remembered > 0 && between.is_some_and(|between| between.trim_start().is_empty())
}

/// Says whether an attribute makes a test: its last part is `test`.
fn is_of_test(node: Node<'_>, text: &str) -> bool {
    let inner = text_of(node, text).trim_matches(['#', '[', ']']);
    let path = inner.split('(').next().unwrap_or_default();
    path.rsplit("::").next().map(str::trim) == Some("test")
}

/// Notes what a `use` brings in; a list and no recursion.
fn imports(argument: Node<'_>, text: &str, facts: &mut Facts) {
    let mut pending = vec![(String::new(), argument)];
    while let Some((prefix, node)) = pending.pop() {
        let range = node.byte_range();
        let joined = |rest: &str| {
            if prefix.is_empty() {
                rest.to_owned()
            } else {
                format!("{prefix}::{rest}")
            }
        };
        match node.kind() {
            "scoped_use_list" => {
                let path = joined(&tight(field(node, "path", text)));
                pending.extend(node.child_by_field_name("list").map(|list| (path, list)));
            }
            "use_list" => pending.extend(children(node).map(|child| (prefix.clone(), child))),
            "use_as_clause" => {
                pending.extend(
                    node.child_by_field_name("path")
                        .map(|path| (prefix.clone(), path)),
                );
            }
            "use_wildcard" => {
                let path = tight(text_of(node, text));
                let module = joined(path.trim_end_matches('*').trim_end_matches("::"));
                let module = module.trim_end_matches("::").to_owned();
                let name = Some(EVERYTHING.to_owned());
                facts.imports.push(Import {
                    module,
                    name,
                    range,
                });
            }
            _ => {
                let whole = joined(&tight(text_of(node, text)));
                let name = whole.rsplit_once("::").map(|(module, name)| Import {
                    module: module.to_owned(),
                    name: Some(name.to_owned()),
                    range: range.clone(),
                });
                facts.imports.extend(name);
                let name = None;
                facts.imports.push(Import {
                    module: whole,
                    name,
                    range,
                });
            }
        }
    }
}
