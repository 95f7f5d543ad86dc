//! JavaScript, and what TypeScript shares with it. Containers: classes, functions, and variables that
//! hold them or objects.

use tree_sitter::{Language, Node};

use super::javascript_places::binds;
use super::place::Place;
use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Named, Parameter, UNREAD, bare, children,
    field, named, parameter, parameters, text_of, tight, unquoted,
};
use crate::model::claim::evidence::Reason;

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
    refuses,
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
    note,
};

/// Nodes below which names are parameters.
pub(super) const LOCAL: &[&str] = &["formal_parameters"];
/// Nodes inside of those in which names are others.
pub(super) const MEMBERS: &[&str] = &["class_body", "statement_block"];

/// Functions by which test runners are told of tests.
const TESTS: [&str; 2] = ["it", "test"];
/// Parts of such a call that leave it a test.
const KINDS: [&str; 3] = ["concurrent", "only", "serial"];
/// Nodes that are functions without a name of their own.
const FUNCTIONS: [&str; 3] = [
    "arrow_function",
    "function_expression",
    "generator_function",
];

/// Two signs end a line, and with it a comment, and not to the grammar.
pub(super) fn refuses(text: &str) -> Option<Reason> {
    text.contains(['\u{2028}', '\u{2029}'])
        .then_some(Reason::Ambiguous)
}

/// Says what a node defines.
pub(super) fn define(node: Node<'_>, text: &str, _: &Place<'_>) -> Vec<Defined> {
    match node.kind() {
        "function_declaration" | "generator_function_declaration" | "method_definition" => {
            function(node, text).into_iter().collect()
        }
        "class_declaration" => Defined::named(node, "name", Kind::Type),
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
        // A member of an object that is no function may be an option of a call, or a definition.
        "pair" => {
            let value = node.child_by_field_name("value");
            let function = value.filter(|value| FUNCTIONS.contains(&value.kind()));
            let name = node
                .child_by_field_name("key")
                .filter(|_| function.is_some());
            held(
                name.filter(|name| NAMES.contains(&name.kind())),
                function,
                text,
            )
        }
        _ => Vec::new(),
    }
}

/// Reads what a variable or a field holds: a function, or something else.
fn held(name: Option<Node<'_>>, value: Option<Node<'_>>, text: &str) -> Vec<Defined> {
    let Some(name) = name else { return Vec::new() };
    if name.kind().ends_with("pattern") && !NAMES.contains(&name.kind()) {
        return taken_apart(name);
    }
    let function = value.filter(|value| FUNCTIONS.contains(&value.kind()));
    let Some(function) = function else {
        return vec![Defined::of(name, Kind::Constant)];
    };
    let defined = Defined::of(name, Kind::Function);
    let (parameters, returns) = signature(function, text);
    vec![defined.with(parameters, returns)]
}

/// Reads the names that a pattern takes out of a value; a list and no recursion.
fn taken_apart(pattern: Node<'_>) -> Vec<Defined> {
    let (mut names, mut pending) = (Vec::new(), vec![pattern]);
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" => names.push(Defined::of(node, Kind::Constant)),
            // The member of that name is used.
            "shorthand_property_identifier_pattern" => names.push(Defined {
                is_use: true,
                ..Defined::of(node, Kind::Constant)
            }),
            "pair_pattern" => pending.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                pending.extend(node.child_by_field_name("left"));
            }
            "object_pattern" | "array_pattern" | "rest_pattern" => pending.extend(children(node)),
            _ => {}
        }
    }
    names.sort_by_key(|defined| defined.name.start);
    names
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
pub(super) fn container(node: Node<'_>, text: &str, place: &Place<'_>) -> Option<String> {
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    match node.kind() {
        "class_declaration"
        | "function_declaration"
        | "generator_function_declaration"
        | "method_definition" => named(field(node, "name", text)),
        "variable_declarator" | "field_definition" | "public_field_definition" | "pair" => {
            let mut fields = ["name", "property", "key"].iter();
            let name = fields.find_map(|name| node.child_by_field_name(name))?;
            let value = node.child_by_field_name("value")?;
            let is_plain = NAMES.contains(&name.kind());
            holds_more(value).then(|| {
                if is_plain {
                    text_of(name, text)
                } else {
                    UNREAD
                }
                .to_owned()
            })
        }
        // What is assigned, given or returned is known by another name, or by none.
        _ if holds_more(node) => {
            let holders = [
                "field_definition",
                "pair",
                "public_field_definition",
                "variable_declarator",
            ];
            let is_held = place.field == Some("value") && holders.contains(&place.parent());
            let is_named = node.kind() == "class" && node.child_by_field_name("name").is_some();
            (!is_held || is_named).then(|| UNREAD.to_owned())
        }
        _ => None,
    }
}

/// Says whether a value may hold definitions.
fn holds_more(value: Node<'_>) -> bool {
    FUNCTIONS.contains(&value.kind()) || ["class", "object"].contains(&value.kind())
}

/// Names by which texts become code or names, under whatever name they are called then.
const RUNNING: [&str; 6] = [
    "Function",
    "Reflect",
    "defineProperties",
    "defineProperty",
    "eval",
    "importScripts",
];

/// Notes calls, imports and tests.
pub(super) fn note(node: Node<'_>, text: &str, place: &Place<'_>, facts: &mut Facts) {
    match node.kind() {
        "identifier" | "property_identifier" => opens(text_of(node, text), place, facts),
        "call_expression" => call(node, text, facts),
        "new_expression" => {
            let called = node.child_by_field_name("constructor").and_then(last);
            facts.calls.extend(called.map(|called| named(called, text)));
        }
        "import_statement" | "export_statement" => {
            if let Some(source) = node.child_by_field_name("source") {
                facts.imports_open |= text_of(source, text).contains('\\');
                import(node, unquoted(text_of(source, text)), text, facts);
            }
        }
        "import_require_clause" => {
            let source = field(node, "source", text);
            facts.imports_open |= source.contains('\\');
            facts.imports.push(Import {
                module: unquoted(source).to_owned(),
                name: None,
                range: node.byte_range(),
            });
        }
        // `/// <reference` brings in a file.
        "comment" => {
            let said = text_of(node, text);
            facts.imports_open |= said.starts_with("///") && said.contains("<reference");
        }
        "import_specifier" => {
            let is_renamed = node.child_by_field_name("alias").is_some();
            facts.tests_open |= is_renamed && TESTS.contains(&field(node, "name", text));
        }
        "computed_property_name" => {
            facts.defines_open |= !children(node).all(|inner| is_known_name(inner, text));
        }
        "subscript_expression" => {
            let index = node.child_by_field_name("index");
            let is_made = index.is_some_and(|index| is_made_of_texts(index));
            facts.uses_open |= is_made;
            let is_target = place.field == Some("left") && place.parent().contains("assignment");
            if is_target && let Some(index) = index {
                let (is_text, said) = said(index, text);
                let object = field(node, "object", text);
                facts.defines_open |= !is_text && index.kind() != "number" && is_known(object);
                facts.bound.extend(is_text.then(|| said.to_owned()));
            }
        }
        _ => {}
    }
}

/// Says whether an object is one whose members are those of a module, a class or the program.
fn is_known(object: &str) -> bool {
    let known = ["exports", "global", "globalThis", "self", "this", "window"];
    let last = object.rsplit('.').next().unwrap_or_default();
    known.contains(&last) || last == "prototype"
}

/// Says whether a computed name is known: a text, a number, or a member of `Symbol`.
fn is_known_name(name: Node<'_>, text: &str) -> bool {
    let (is_text, _) = said(name, text);
    is_text || name.kind() == "number" || text_of(name, text).starts_with("Symbol.")
}

/// Says whether an expression puts texts together.
fn is_made_of_texts(index: Node<'_>) -> bool {
    let index = bare(index);
    match index.kind() {
        "template_string" => children(index).any(|child| child.kind() == "template_substitution"),
        "binary_expression" => {
            let is_text =
                |side: Node<'_>| side.kind().ends_with("string") || is_made_of_texts(side);
            children(index).any(is_text)
        }
        _ => false,
    }
}

/// Says whether an expression is one text, and what that says.
fn said<'t>(node: Node<'_>, text: &'t str) -> (bool, &'t str) {
    let is_whole = match node.kind() {
        "string" => !text_of(node, text).contains('\\'),
        "template_string" => !text_of(node, text).contains(['\\', '$']),
        _ => false,
    };
    let said = text_of(node, text);
    let inner = said.get(1..said.len().saturating_sub(1));
    (is_whole, inner.unwrap_or_default())
}

/// Notes what a name opens, wherever it is written.
fn opens(name: &str, place: &Place<'_>, facts: &mut Facts) {
    if RUNNING.contains(&name) {
        facts.runs_texts();
    }
    let is_object = place.parent() == "member_expression" && place.field == Some("object");
    let is_called = is_called(place);
    facts.imports_open |= name == "createRequire";
    facts.imports_open |= name == "require" && !is_called && !is_object;
    // A test may be told of under another name.
    let is_other = match (place.parent(), place.field) {
        ("variable_declarator", Some("name"))
        | ("arrow_function", Some("parameter"))
        | ("member_expression" | "pair" | "import_clause" | "import_specifier", _) => true,
        _ => place.is_local,
    };
    facts.tests_open |= TESTS.contains(&name) && !is_called && !is_other;
}

/// Says whether a name is called: alone, as a member, or in parentheses.
fn is_called(place: &Place<'_>) -> bool {
    if place.parent() == "call_expression" {
        return place.field == Some("function");
    }
    let is_inside = ["member_expression", "parenthesized_expression"].contains(&place.parent());
    let is_whole = place.field != Some("object");
    is_inside && is_whole && place.field_of_parent() == Some("function")
}

/// Returns the last part of what is called.
fn last(called: Node<'_>) -> Option<Node<'_>> {
    let called = bare(called);
    match called.kind() {
        "identifier" => Some(called),
        "member_expression" => called.child_by_field_name("property"),
        "non_null_expression" => children(called).next().and_then(last),
        _ => None,
    }
}

/// Notes a call; `require` and `import` of a text bring in a module.
fn call(node: Node<'_>, text: &str, facts: &mut Facts) {
    let Some(called) = node.child_by_field_name("function") else {
        return;
    };
    let first = node.child_by_field_name("arguments");
    let first = first.and_then(|list| children(list).find(|child| child.kind() != "comment"));
    let (is_text, said) = first.map_or((false, ""), |first| said(first, text));
    let name = last(called).map_or("", |last| text_of(last, text));
    if name == "require" || called.kind() == "import" {
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
    match told(called, text) {
        Told::Test if is_text => facts.tests.push(Named {
            name: said.to_owned(),
            range: node.start_byte()..first.map_or(node.end_byte(), |first| first.end_byte()),
        }),
        Told::Test | Told::Maybe if !is_text => facts.tests_open |= first.is_some(),
        // What it says is noted as every text is.
        Told::Test | Told::Maybe | Told::Nothing => {}
    }
    facts
        .calls
        .extend(last(called).map(|called| named(called, text)));
}

/// What a call tells a test runner.
enum Told {
    /// Of a test.
    Test,
    /// Of a test that may not run, or of one under another name.
    Maybe,
    /// Nothing.
    Nothing,
}

/// Says what a call by this name tells: `it`, `test`, and their members.
fn told(called: Node<'_>, text: &str) -> Told {
    let (mut called, mut is_plain) = (bare(called), true);
    loop {
        let inner = match called.kind() {
            "identifier" if TESTS.contains(&text_of(called, text)) => {
                return if is_plain { Told::Test } else { Told::Maybe };
            }
            "member_expression" => {
                let member = field(called, "property", text);
                if TESTS.contains(&member) {
                    return Told::Maybe;
                }
                is_plain &= KINDS.contains(&member);
                called.child_by_field_name("object")
            }
            "call_expression" => {
                is_plain = false;
                called.child_by_field_name("function")
            }
            _ => None,
        };
        match inner {
            Some(inner) => called = bare(inner),
            None => return Told::Nothing,
        }
    }
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
