//! TypeScript and TSX. Containers: classes, interfaces, namespaces and enums.

use tree_sitter::{Language, Node};

use super::javascript::{self, LOCAL, MEMBERS, NAMES, TEXTS};
use super::javascript_places::binds;
use super::place::Place;
use super::{Defined, Grammar, Kind, children, field};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "typescript 0.23.2",
    endings: &["ts", "mts", "cts"],
    language: || Language::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    refuses: javascript::refuses,
    test_endings: &[],
    names: NAMES,
    raw: "",
    normalises: false,
    texts: TEXTS,
    speaks: true,
    local: LOCAL,
    members: MEMBERS,
    define,
    binds,
    container,
    note: javascript::note,
};

pub(super) static TSX: Grammar = Grammar {
    name: "tsx 0.23.2",
    endings: &["tsx"],
    language: || Language::new(tree_sitter_typescript::LANGUAGE_TSX),
    ..GRAMMAR
};

fn define(node: Node<'_>, text: &str, place: &Place<'_>) -> Vec<Defined> {
    let kind = match node.kind() {
        "abstract_class_declaration"
        | "interface_declaration"
        | "type_alias_declaration"
        | "enum_declaration" => Kind::Type,
        "internal_module" | "module" => Kind::Module,
        "function_signature" | "method_signature" | "abstract_method_signature" => {
            return javascript::function(node, text).into_iter().collect();
        }
        "enum_body" => return members(node),
        "enum_assignment" | "property_signature" => Kind::Constant,
        "import_alias" => {
            let name = children(node).next();
            let name = name.map(|name| Defined::of(name, Kind::Constant));
            return name.into_iter().collect();
        }
        "required_parameter" | "optional_parameter" => return property(node),
        _ => return javascript::define(node, text, place),
    };
    Defined::named(node, "name", kind)
}

/// Reads the members of an enum that have no value.
fn members(node: Node<'_>) -> Vec<Defined> {
    let mut cursor = node.walk();
    let names = node.children_by_field_name("name", &mut cursor);
    let names = names.filter(|name| NAMES.contains(&name.kind()));
    names
        .map(|name| Defined::of(name, Kind::Constant))
        .collect()
}

/// Reads a parameter of a constructor that is a property of its class too.
fn property(node: Node<'_>) -> Vec<Defined> {
    let mut cursor = node.walk();
    let mut all = node.children(&mut cursor);
    let marks = ["accessibility_modifier", "override_modifier", "readonly"];
    let is_property = all.any(|child| marks.contains(&child.kind()));
    let name = node.child_by_field_name("pattern").filter(|_| is_property);
    let defined = |name: Node<'_>| Defined {
        out_of: 1,
        ..Defined::of(name, Kind::Constant)
    };
    name.map(defined).into_iter().collect()
}

fn container(node: Node<'_>, text: &str, place: &Place<'_>) -> Option<String> {
    match node.kind() {
        "abstract_class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "internal_module"
        | "module"
        | "type_alias_declaration" => Some(field(node, "name", text).to_owned()),
        _ => javascript::container(node, text, place),
    }
}
