//! TypeScript and TSX. Containers: classes, interfaces, namespaces and enums.

use tree_sitter::{Language, Node};

use super::javascript::{self, NAMES, TEXTS};
use super::{Defined, Facts, Grammar, Kind, field};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "typescript 0.23.2",
    endings: &["ts", "mts", "cts"],
    language: || Language::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    names: NAMES,
    normalises: false,
    texts: TEXTS,
    define,
    container,
    note,
};

pub(super) static TSX: Grammar = Grammar {
    name: "tsx 0.23.2",
    endings: &["tsx"],
    language: || Language::new(tree_sitter_typescript::LANGUAGE_TSX),
    ..GRAMMAR
};

fn define(node: Node<'_>, text: &str, facts: &Facts) -> Vec<Defined> {
    let kind = match node.kind() {
        "abstract_class_declaration"
        | "interface_declaration"
        | "type_alias_declaration"
        | "enum_declaration" => Kind::Type,
        "internal_module" | "module" => Kind::Module,
        "property_signature" => Kind::Constant,
        "function_signature" | "method_signature" | "abstract_method_signature" => {
            return javascript::function(node, text).into_iter().collect();
        }
        _ => return javascript::define(node, text, facts),
    };
    let name = node.child_by_field_name("name");
    name.map(|name| Defined::of(name, kind))
        .into_iter()
        .collect()
}

fn container(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "abstract_class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "internal_module"
        | "module" => Some(field(node, "name", text).to_owned()),
        _ => javascript::container(node, text),
    }
}

fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    javascript::note(node, text, facts);
}
