//! In which places JavaScript and TypeScript use a name, and in which they may define it.

use tree_sitter::Node;

use super::Facts;
use super::place::Place;

/// Nodes in which a name is used, or bound for a part of an expression alone.
const USES: &[&str] = &[
    "accessibility_modifier",
    "arguments",
    "array",
    "array_type",
    "arrow_function",
    "as_expression",
    "asserts",
    "assignment_expression",
    "augmented_assignment_expression",
    "await_expression",
    "binary_expression",
    "break_statement",
    "call_expression",
    "catch_clause",
    "class",
    "class_heritage",
    "computed_property_name",
    "conditional_type",
    "constraint",
    "constructor_type",
    "continue_statement",
    "decorator",
    "default_type",
    "do_statement",
    "enum_assignment",
    "export_specifier",
    "export_statement",
    "expression_statement",
    "extends_clause",
    "extends_type_clause",
    "field_definition",
    "flow_maybe_type",
    "for_in_statement",
    "for_statement",
    "function_expression",
    "function_type",
    "generator_function",
    "generic_type",
    "if_statement",
    "implements_clause",
    "import_clause",
    "import_require_clause",
    "import_specifier",
    "index_signature",
    "index_type_query",
    "infer_type",
    "instantiation_expression",
    "intersection_type",
    "jsx_attribute",
    "jsx_closing_element",
    "jsx_expression",
    "jsx_namespace_name",
    "jsx_opening_element",
    "jsx_self_closing_element",
    "labeled_statement",
    "literal_type",
    "lookup_type",
    "mapped_type_clause",
    "member_expression",
    "meta_property",
    "namespace_import",
    "nested_identifier",
    "nested_type_identifier",
    "new_expression",
    "non_null_expression",
    "object",
    "opting_type_annotation",
    "optional_type",
    "pair",
    "parenthesized_expression",
    "parenthesized_type",
    "public_field_definition",
    "readonly_type",
    "rest_type",
    "return_statement",
    "satisfies_expression",
    "sequence_expression",
    "spread_element",
    "subscript_expression",
    "switch_case",
    "switch_statement",
    "template_literal_type",
    "template_substitution",
    "template_type",
    "ternary_expression",
    "throw_statement",
    "tuple_type",
    "type_alias_declaration",
    "type_annotation",
    "type_arguments",
    "type_assertion",
    "type_parameter",
    "type_predicate",
    "type_predicate_annotation",
    "type_query",
    "unary_expression",
    "union_type",
    "update_expression",
    "variable_declarator",
    "while_statement",
    "with_statement",
    "yield_expression",
];

/// Says whether a name may be bound where it stands.
pub(super) fn binds(_: Node<'_>, place: &Place<'_>, _: &Facts) -> bool {
    if place.is_local {
        return false;
    }
    match (place.parent(), place.field) {
        ("member_expression", Some("property")) => is_target(place),
        (
            "assignment_expression" | "augmented_assignment_expression" | "for_in_statement",
            Some("left"),
        )
        | ("pair", Some("key"))
        | ("export_specifier", Some("alias"))
        | ("export_statement", None)
        | (
            "field_definition"
            | "public_field_definition"
            | "type_alias_declaration"
            | "variable_declarator",
            Some("name" | "property"),
        ) => true,
        (parent, _) => !USES.contains(&parent),
    }
}

/// Says whether the member around is assigned to.
fn is_target(place: &Place<'_>) -> bool {
    let holder = place.above(1);
    let is_left = place.field_of_parent() == Some("left");
    let assigns = holder.contains("assignment") || holder == "for_in_statement";
    (is_left && assigns) || holder.contains("pattern")
}
