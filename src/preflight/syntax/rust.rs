//! Rust. Containers: modules, traits, structs, enums, and the types of `impl`.

use tree_sitter::{Language, Node};

use super::place::Place;
use super::rust_attributes::{Effect, effect};
use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Named, UNREAD, bare, children, field,
    parameter, parameters, text_of, tight,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "rust 0.24.2",
    endings: &["rs"],
    language: || Language::new(tree_sitter_rust::LANGUAGE),
    refuses: |_| None,
    test_endings: &[],
    names: &[
        "identifier",
        "type_identifier",
        "field_identifier",
        "shorthand_field_identifier",
    ],
    raw: "r#",
    normalises: true,
    texts: &["string_content", "raw_string_literal"],
    speaks: false,
    local: &["function_item", "closure_expression"],
    members: &["declaration_list"],
    define,
    binds,
    container,
    note,
};

/// Macros of the standard library that define nothing: what they are given is an expression.
const HARMLESS: [&str; 33] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

fn define(node: Node<'_>, text: &str, _: &Place<'_>) -> Vec<Defined> {
    let kind = match node.kind() {
        "function_item" | "function_signature_item" | "macro_definition" => Kind::Function,
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item"
        | "associated_type" => Kind::Type,
        "const_item" | "static_item" | "enum_variant" | "field_declaration" => Kind::Constant,
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

fn container(node: Node<'_>, text: &str, _: &Place<'_>) -> Option<String> {
    match node.kind() {
        "mod_item" | "trait_item" | "enum_item" | "struct_item" | "union_item" => {
            Some(field(node, "name", text).to_owned())
        }
        "enum_variant" if node.child_by_field_name("body").is_some() => {
            Some(field(node, "name", text).to_owned())
        }
        "impl_item" => Some(implemented(node.child_by_field_name("type")?, text)),
        // What a function holds is not known by the name of the function.
        "function_item" | "closure_expression" => Some(UNREAD.to_owned()),
        _ => None,
    }
}

/// Returns the name of the type of an `impl`, without what is around it.
fn implemented(kind: Node<'_>, text: &str) -> String {
    let mut kind = kind;
    loop {
        let inner = match kind.kind() {
            "type_identifier" => return text_of(kind, text).to_owned(),
            "generic_type" | "reference_type" | "pointer_type" => kind.child_by_field_name("type"),
            "scoped_type_identifier" => kind.child_by_field_name("name"),
            _ => None,
        };
        match inner {
            Some(inner) => kind = inner,
            None => return UNREAD.to_owned(),
        }
    }
}

/// Says whether a name is given to a macro, which may make anything of it.
fn binds(node: Node<'_>, place: &Place<'_>, facts: &Facts) -> bool {
    let is_token = place.parent().starts_with("token_");
    let beyond = place.beyond(&["token_tree", "token_repetition", "token_tree_pattern"]);
    is_token && beyond != "attribute" && node.start_byte() >= facts.harmless
}

fn note(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    match node.kind() {
        "call_expression" => {
            if let Some(called) = node.child_by_field_name("function").and_then(last) {
                facts.calls.push(called_by(called, text));
            }
        }
        "use_declaration" => {
            if let Some(argument) = node.child_by_field_name("argument") {
                imports(argument, text, facts);
            }
        }
        "extern_crate_declaration" => facts.imports.push(Import {
            module: plain(field(node, "name", text)),
            name: None,
            range: node.byte_range(),
        }),
        // What an alias names may have been meant.
        "use_as_clause" => drop(facts.aliases.insert(plain(field(node, "alias", text)))),
        "type_item" => drop(facts.aliases.insert(plain(field(node, "name", text)))),
        // What is known of a macro is no longer so.
        "macro_definition" => {
            facts.defines_open |= HARMLESS.contains(&field(node, "name", text));
        }
        "macro_invocation" => invoked(node, text, place, facts),
        "attribute_item" | "inner_attribute_item" => attribute(node, text, place, facts),
        // A test begins with its attribute; others and comments may follow it.
        "line_comment" | "block_comment" if follows(node, text, facts) => {
            facts.remembered = node.end_byte();
        }
        "function_item" if follows(node, text, facts) => {
            if let Some(name) = node.child_by_field_name("name") {
                facts.tests.push(called_by(name, text));
            }
        }
        _ => {}
    }
}

/// Notes a macro. Where items stand it may define anything; elsewhere it is an expression, and only what
/// it is given may be defined there.
fn invoked(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    let name = field(node, "macro", text);
    let name = name.strip_prefix("std::").unwrap_or(name);
    if HARMLESS.contains(&name) && has_macro(node, text) {
        return;
    }
    if HARMLESS.contains(&name) {
        facts.harmless = facts.harmless.max(node.end_byte());
        return;
    }
    let is_item = |kind: &str| ["source_file", "declaration_list"].contains(&kind);
    let is_statement = place.parent() == "expression_statement" && is_item(place.above(1));
    if is_item(place.parent()) || is_statement {
        facts.defines_open = true;
        facts.imports_open = true;
    }
}

/// Says whether what a macro is given may hold another macro, which may make anything of its names.
fn has_macro(node: Node<'_>, text: &str) -> bool {
    let whole = text_of(node, text);
    let mut calls = whole.match_indices('!').skip(1);
    calls.any(|(at, _)| {
        let before = whole.get(..at).unwrap_or_default().trim_end();
        let after = whole.get(at + 1..).unwrap_or_default().trim_start();
        before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_')
            && after.starts_with(['(', '[', '{'])
    })
}

/// Notes an attribute of an item: one that is not built in may define anything.
fn attribute(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    // On a field, a variant or a parameter only what is built in or belongs to a `derive` may stand.
    let is_of_item = ["source_file", "declaration_list", "block"].contains(&place.parent());
    let was_test = follows(node, text, facts);
    match effect(text_of(node, text), &facts.imports) {
        Effect::Nothing => {}
        Effect::Test => {
            facts.remembered = node.end_byte();
            return;
        }
        Effect::TestOfOthers => {
            facts.remembered = node.end_byte();
            facts.defines_open |= is_of_item;
            return;
        }
        Effect::Names(names) => facts
            .bound
            .extend(names.iter().map(|&name| name.to_owned())),
        Effect::Anything => {
            facts.defines_open |= is_of_item;
            facts.tests_open |= is_of_item;
        }
    }
    if was_test {
        facts.remembered = node.end_byte();
    }
}

/// Returns a name or a path without what only marks names.
fn plain(path: &str) -> String {
    let path = tight(path);
    let path = path.strip_prefix("::").unwrap_or(&path);
    let parts = path
        .split("::")
        .map(|part| part.strip_prefix("r#").unwrap_or(part));
    parts.collect::<Vec<_>>().join("::")
}

/// Makes a name with its place.
fn called_by(node: Node<'_>, text: &str) -> Named {
    Named {
        name: plain(text_of(node, text)),
        range: node.byte_range(),
    }
}

/// Returns the last part of what is called.
fn last(called: Node<'_>) -> Option<Node<'_>> {
    let called = bare(called);
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
                let path = joined(&plain(field(node, "path", text)));
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
                let path = path.trim_end_matches('*').trim_end_matches("::");
                let module = joined(&plain(path));
                let module = module.trim_end_matches("::").to_owned();
                let name = Some(EVERYTHING.to_owned());
                facts.imports.push(Import {
                    module,
                    name,
                    range,
                });
            }
            _ => {
                let whole = joined(&plain(text_of(node, text)));
                let whole = whole.trim_end_matches("::self").to_owned();
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
