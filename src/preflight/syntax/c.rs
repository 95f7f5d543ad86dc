//! C. Containers: structs, unions and enums. What the preprocessor makes is not written.

use tree_sitter::{Language, Node};

use super::place::Place;
use super::{
    Defined, Facts, Grammar, Import, Kind, Parameter, UNREAD, bare, children, field, named,
    parameter, parameters, text_of, tight,
};
use crate::model::claim::evidence::Reason;

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "c 0.24.2",
    endings: &["c", "h"],
    language: || Language::new(tree_sitter_c::LANGUAGE),
    refuses,
    test_endings: &[],
    names: &[
        "identifier",
        "type_identifier",
        "field_identifier",
        "statement_identifier",
    ],
    raw: "",
    normalises: false,
    texts: &["string_content", "preproc_arg"],
    speaks: false,
    local: &["function_definition", "parameter_list"],
    members: &[],
    define,
    binds: |_, _, _| false,
    container,
    note,
};

/// What may stand outside of functions; anything else is a macro, which may define anything.
const ITEMS: [&str; 19] = [
    "attribute_declaration",
    "comment",
    "declaration",
    "declaration_list",
    "enum_specifier",
    "function_definition",
    "linkage_specification",
    "preproc_call",
    "preproc_def",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
    "preproc_function_def",
    "preproc_if",
    "preproc_ifdef",
    "preproc_include",
    "struct_specifier",
    "type_definition",
    "union_specifier",
];
/// Nodes whose children stand outside of functions where they do.
const AROUND: [&str; 7] = [
    "declaration_list",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
    "preproc_if",
    "preproc_ifdef",
    "translation_unit",
];

/// Trigraphs, and names that go on in the next line, are other code to a compiler.
fn refuses(text: &str) -> Option<Reason> {
    let is_trigraph = |at: usize| {
        let third = text.as_bytes().get(at + 2);
        third.is_some_and(|third| b"=/'()!<>-".contains(third))
    };
    let has_trigraph = text.match_indices("??").any(|(at, _)| is_trigraph(at));
    let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let is_split = |(at, _): (usize, &str)| {
        let before = text.get(..at).and_then(|before| before.chars().last());
        let rest = text.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix('\r').unwrap_or(rest);
        let after = rest.strip_prefix('\n').and_then(|rest| rest.chars().next());
        before.is_some_and(is_of_name) && after.is_some_and(is_of_name)
    };
    let has_split = text.match_indices('\\').any(is_split);
    (has_trigraph || has_split).then_some(Reason::Ambiguous)
}

fn define(node: Node<'_>, text: &str, place: &Place<'_>) -> Vec<Defined> {
    match node.kind() {
        "function_definition" => function(node, text).into_iter().collect(),
        // Without a body it only names one that is defined elsewhere.
        "struct_specifier" | "union_specifier" | "enum_specifier"
            if node.child_by_field_name("body").is_some() =>
        {
            Defined::named(node, "name", Kind::Type)
        }
        "type_definition" => declared(node, Kind::Type, |_| true),
        "field_declaration" => declared(node, Kind::Constant, |_| true),
        "declaration" if !place.is_local && !is_elsewhere(node, text) => {
            declared(node, Kind::Constant, is_variable)
        }
        "preproc_def" | "enumerator" => Defined::named(node, "name", Kind::Constant),
        "preproc_function_def" => Defined::named(node, "name", Kind::Function),
        _ => Vec::new(),
    }
}

/// Defines the names of the declarators of a node that are of a kind.
fn declared(node: Node<'_>, kind: Kind, is_meant: fn(Node<'_>) -> bool) -> Vec<Defined> {
    let mut cursor = node.walk();
    let all = node.children_by_field_name("declarator", &mut cursor);
    let names = all.filter(|each| is_meant(*each)).filter_map(innermost);
    names.map(|name| Defined::of(name, kind)).collect()
}

/// Says whether a declaration only tells of what is defined elsewhere.
fn is_elsewhere(node: Node<'_>, text: &str) -> bool {
    let is_extern = |child: Node<'_>| {
        child.kind() == "storage_class_specifier" && text_of(child, text) == "extern"
    };
    let mut all = children(node);
    all.any(is_extern) && !children(node).any(|child| child.kind() == "init_declarator")
}

/// Says whether a declarator is of a variable: its name is not that of a function, nor given to what looks
/// like a macro.
fn is_variable(declarator: Node<'_>) -> bool {
    if declarator.kind() == "parenthesized_declarator" {
        return false;
    }
    chain(declarator).is_none_or(|all| {
        let mut outwards = all.iter().rev().skip(1);
        let nearest = outwards.find(|node| node.kind() != "parenthesized_declarator");
        nearest.is_none_or(|node| node.kind() != "function_declarator")
    })
}

/// How many declarators are looked through, which is more than any honest one has.
const DEPTH: usize = 32;

/// Lists declarators from the outside to the name.
fn chain(declarator: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut all = vec![declarator];
    for _ in 0..DEPTH {
        let node = *all.last()?;
        if ["identifier", "type_identifier", "field_identifier"].contains(&node.kind()) {
            return Some(all);
        }
        let inner = node.child_by_field_name("declarator").or_else(|| {
            let inner = children(node).filter(|child| child.kind() != "comment");
            inner
                .last()
                .filter(|_| node.kind() == "parenthesized_declarator")
        });
        all.push(inner?);
    }
    None
}

/// Returns the name inside declarators of pointers, arrays and functions.
fn innermost(declarator: Node<'_>) -> Option<Node<'_>> {
    chain(declarator)?.pop()
}

/// Reads a function.
fn function(node: Node<'_>, text: &str) -> Option<Defined> {
    let declarator = node.child_by_field_name("declarator")?;
    let all = chain(declarator)?;
    let name = *all.last()?;
    let of_function = all
        .iter()
        .rposition(|node| node.kind() == "function_declarator")?;
    let (around, inside) = all.split_at(of_function);
    let of_function = *inside.first()?;
    let list = of_function.child_by_field_name("parameters");
    let read = |child: Node<'_>| one(child, text);
    let stars = text.get(declarator.start_byte()..of_function.start_byte());
    let is_plain = around
        .iter()
        .all(|node| node.kind() == "pointer_declarator");
    let returns = stars.filter(|_| is_plain);
    let returns = returns.and_then(|stars| Some(tight(&format!("{}{stars}", given(node, text)?))));
    Some(Defined::of(name, Kind::Function).giving(parameters(list, read), returns))
}

/// Returns the type before a declarator with what qualifies it; none where anything else is there.
fn given(node: Node<'_>, text: &str) -> Option<String> {
    let mut given = String::new();
    let declarator = node.child_by_field_name("declarator")?;
    for child in children(node) {
        if child.start_byte() >= declarator.start_byte() {
            break;
        }
        match child.kind() {
            "storage_class_specifier" | "comment" | "attribute_declaration" => {}
            "attribute_specifier" => return None,
            _ => given.push_str(text_of(child, text)),
        }
    }
    Some(given)
}

fn container(node: Node<'_>, text: &str, _: &Place<'_>) -> Option<String> {
    match node.kind() {
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            let name = field(node, "name", text);
            Some(if name.is_empty() { UNREAD } else { name }.to_owned())
        }
        // They give what lies in them other names, or more.
        "field_declaration" | "function_definition" | "type_definition" => Some(UNREAD.to_owned()),
        _ => None,
    }
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

fn note(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    if !place.is_local && AROUND.contains(&place.parent()) {
        let is_condition = place.field.is_some_and(|field| field != "alternative");
        facts.defines_open |= !is_condition && !is_item(node, text);
    }
    match node.kind() {
        "call_expression" => {
            let called = node.child_by_field_name("function").and_then(called);
            facts.calls.extend(called.map(|called| named(called, text)));
        }
        "preproc_include" => include(field(node, "path", text), node, facts),
        "preproc_call" => {
            let directive = field(node, "directive", text);
            if ["#include_next", "#import"].contains(&tight(directive).as_str()) {
                include(field(node, "argument", text).trim(), node, facts);
            }
        }
        "preproc_arg" => {
            let given = text_of(node, text);
            // Pasting of names makes definitions that are not written.
            facts.defines_open |= given.contains("##") || given.contains("%:%:");
            let words = given.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            let words = words.filter(|word| !word.is_empty());
            facts.said.extend(words.map(str::to_owned));
        }
        _ => {}
    }
}

/// Says whether a node outside of functions is what it seems: no macro in the clothes of a declaration.
fn is_item(node: Node<'_>, text: &str) -> bool {
    let is_whole = |each: Node<'_>| {
        let is_in_parentheses = each.kind() == "parenthesized_declarator";
        !is_in_parentheses && (chain(each).is_some() || each.kind() == "gnu_asm_expression")
    };
    match node.kind() {
        "function_definition" => {
            let declarator = node.child_by_field_name("declarator");
            let all = declarator.and_then(chain).unwrap_or_default();
            all.iter().any(|each| each.kind() == "function_declarator")
        }
        "declaration" => {
            let mut cursor = node.walk();
            let mut all = node.children_by_field_name("declarator", &mut cursor);
            all.all(is_whole)
        }
        "expression_statement" => children(node).all(|child| {
            let called = field(child, "function", text);
            ["_Static_assert", "static_assert"].contains(&called)
        }),
        kind => ITEMS.contains(&kind),
    }
}

/// Returns the name that is called, through parentheses and pointers.
fn called(function: Node<'_>) -> Option<Node<'_>> {
    let mut called = bare(function);
    for _ in 0..DEPTH {
        called = match called.kind() {
            "identifier" => return Some(called),
            "field_expression" => return called.child_by_field_name("field"),
            "pointer_expression" => bare(called.child_by_field_name("argument")?),
            _ => return None,
        };
    }
    None
}

/// Notes what a directive includes.
fn include(path: &str, node: Node<'_>, facts: &mut Facts) {
    facts.imports_open |= !path.starts_with(['"', '<']);
    facts.imports.push(Import {
        module: path.trim_matches(['"', '<', '>']).to_owned(),
        name: None,
        range: node.byte_range(),
    });
}
