//! JavaScript, and what TypeScript shares with it. Containers: classes and functions.

use tree_sitter::{Language, Node};

use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Named, Parameter, children, field, named,
    parameter, parameters, text_of, tight, unquoted,
};

/// Nodes that are names.
pub(super) const NAMES: &[&str] = &[
    "identifier",
    "type_identifier",
    "property_identifier",
    "private_property_identifier",
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
    "statement_identifier",
];
/// Nodes that are texts.
pub(super) const TEXTS: &[&str] = &["string_fragment", "jsx_text"];

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "javascript 0.25.0",
    endings: &["js", "mjs", "cjs", "jsx"],
    language: || Language::new(tree_sitter_javascript::LANGUAGE),
    names: NAMES,
    normalises: false,
    texts: TEXTS,
    define,
    container,
    note,
};

/// Functions by which test runners are told of tests.
const TESTS: [&str; 2] = ["it", "test"];

/// Says what a node defines.
pub(super) fn define(node: Node<'_>, text: &str, _: &Facts) -> Vec<Defined> {
    match node.kind() {
        "function_declaration" | "generator_function_declaration" | "method_definition" => {
            function(node, text).into_iter().collect()
        }
        "class_declaration" => {
            let name = node.child_by_field_name("name");
            name.map(|name| Defined::of(name, Kind::Type))
                .into_iter()
                .collect()
        }
        "field_definition" | "public_field_definition" => {
            let name = node
                .child_by_field_name("property")
                .or_else(|| node.child_by_field_name("name"));
            held(name, node.child_by_field_name("value"), text)
        }
        "variable_declarator" => {
            let name = node.child_by_field_name("name");
            held(name, node.child_by_field_name("value"), text)
        }
        _ => Vec::new(),
    }
}

/// Reads what a variable or a field holds: a function, or something else.
fn held(name: Option<Node<'_>>, value: Option<Node<'_>>, text: &str) -> Vec<Defined> {
    let Some(name) = name else { return Vec::new() };
    if matches!(name.kind(), "object_pattern" | "array_pattern") {
        let inner = children(name).filter(|child| NAMES.contains(&child.kind()));
        return inner
            .map(|child| Defined::of(child, Kind::Constant))
            .collect();
    }
    let function = value.filter(|value| {
        matches!(
            value.kind(),
            "arrow_function" | "function_expression" | "generator_function"
        )
    });
    let Some(function) = function else {
        return vec![Defined::of(name, Kind::Constant)];
    };
    let defined = Defined::of(name, Kind::Function);
    let (parameters, returns) = signature(function, text);
    vec![defined.with(parameters, returns)]
}

/// Reads a function that has a name.
pub(super) fn function(node: Node<'_>, text: &str) -> Option<Defined> {
    let name = node.child_by_field_name("name")?;
    let (parameters, returns) = signature(node, text);
    Some(Defined::of(name, Kind::Function).with(parameters, returns))
}

/// Reads what a function takes and gives.
fn signature(node: Node<'_>, text: &str) -> (Option<Vec<Parameter>>, String) {
    let returns = tight(field(node, "return_type", text));
    let returns = returns.trim_start_matches(':').to_owned();
    if let Some(only) = node.child_by_field_name("parameter") {
        return (Some(parameter(text_of(only, text), false)), returns);
    }
    let list = node.child_by_field_name("parameters");
    (parameters(list, |child| one(child, text)), returns)
}

/// Reads one parameter.
fn one(child: Node<'_>, text: &str) -> Option<Vec<Parameter>> {
    let plain = |node: Node<'_>, is_optional: bool| match node.kind() {
        "identifier" => Some(parameter(text_of(node, text), is_optional)),
        "this" => Some(Vec::new()),
        _ => None,
    };
    match child.kind() {
        "identifier" => plain(child, false),
        "assignment_pattern" => plain(child.child_by_field_name("left")?, true),
        "required_parameter" => {
            let has_default = child.child_by_field_name("value").is_some();
            plain(child.child_by_field_name("pattern")?, has_default)
        }
        "optional_parameter" => plain(child.child_by_field_name("pattern")?, true),
        _ => None,
    }
}

/// Returns the name under which what lies below a node is known.
pub(super) fn container(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "class_declaration"
        | "class"
        | "function_declaration"
        | "generator_function_declaration"
        | "method_definition" => {
            let name = field(node, "name", text);
            (!name.is_empty()).then(|| name.to_owned())
        }
        _ => None,
    }
}

/// Notes calls, imports and tests.
pub(super) fn note(node: Node<'_>, text: &str, facts: &mut Facts) {
    match node.kind() {
        "call_expression" => call(node, text, facts),
        "new_expression" => {
            let called = node.child_by_field_name("constructor").and_then(last);
            facts.calls.extend(called.map(|called| named(called, text)));
        }
        "import_statement" | "export_statement" => {
            if let Some(source) = node.child_by_field_name("source") {
                import(node, unquoted(text_of(source, text)), text, facts);
            }
        }
        _ => {}
    }
}

/// Returns the last part of what is called.
fn last(called: Node<'_>) -> Option<Node<'_>> {
    match called.kind() {
        "identifier" => Some(called),
        "member_expression" => called.child_by_field_name("property"),
        _ => None,
    }
}

/// Notes a call; `require` and `import` of a text bring in a module.
fn call(node: Node<'_>, text: &str, facts: &mut Facts) {
    let Some(called) = node.child_by_field_name("function") else {
        return;
    };
    let first = node
        .child_by_field_name("arguments")
        .and_then(|list| children(list).next());
    let is_text = first.is_some_and(|first| first.kind() == "string");
    let said = first.map_or("", |first| unquoted(text_of(first, text)));
    if text_of(called, text) == "require" || called.kind() == "import" {
        if is_text {
            facts.imports.push(Import {
                module: said.to_owned(),
                name: None,
                range: node.byte_range(),
            });
        } else {
            facts.imports_open = true;
        }
    }
    if TESTS.contains(&text_of(called, text)) && is_text {
        facts.tests.push(Named {
            name: said.to_owned(),
            range: node.start_byte()..first.map_or(node.end_byte(), |first| first.end_byte()),
        });
    }
    facts
        .calls
        .extend(last(called).map(|called| named(called, text)));
}

/// Notes what an import or a re-export names; a list and no recursion.
fn import(node: Node<'_>, module: &str, text: &str, facts: &mut Facts) {
    let import = |name: Option<&str>, node: Node<'_>| Import {
        module: module.to_owned(),
        name: name.map(str::to_owned),
        range: node.byte_range(),
    };
    facts.imports.push(import(None, node));
    let is_export = node.kind() == "export_statement";
    let has_clause = children(node).any(|child| child.kind() == "export_clause");
    if is_export && !has_clause {
        facts.imports.push(import(Some(EVERYTHING), node));
    }
    let mut pending: Vec<Node<'_>> = children(node).collect();
    while let Some(child) = pending.pop() {
        match child.kind() {
            "import_clause" | "named_imports" | "export_clause" => {
                pending.extend(children(child));
            }
            "identifier" => facts.imports.push(import(Some("default"), child)),
            "import_specifier" | "export_specifier" => {
                let name = field(child, "name", text);
                facts.imports.push(import(Some(name), child));
            }
            "namespace_import" => facts.imports.push(import(Some(EVERYTHING), child)),
            _ => {}
        }
    }
}
