//! Go. Containers: the types of receivers, and those of fields and of methods of interfaces.

use tree_sitter::{Language, Node};

use super::place::Place;
use super::{
    Defined, EVERYTHING, Facts, Grammar, Import, Kind, Parameter, UNREAD, callee, children, field,
    named, parameters, text_of, tight, unquoted,
};

pub(super) static GRAMMAR: Grammar = Grammar {
    name: "go 0.25.0",
    endings: &["go"],
    language: || Language::new(tree_sitter_go::LANGUAGE),
    refuses: |_| None,
    test_endings: &["_test.go"],
    names: &[
        "identifier",
        "type_identifier",
        "field_identifier",
        "package_identifier",
        "label_name",
    ],
    raw: "",
    normalises: false,
    texts: &[
        "interpreted_string_literal_content",
        "raw_string_literal_content",
    ],
    speaks: false,
    local: &["func_literal", "function_declaration", "method_declaration"],
    members: &[],
    define,
    binds: |_, _, _| false,
    container,
    note,
};

fn define(node: Node<'_>, text: &str, _: &Place<'_>) -> Vec<Defined> {
    match node.kind() {
        "function_declaration" | "method_elem" | "method_spec" => {
            function(node, text, Vec::new()).into_iter().collect()
        }
        "method_declaration" => {
            let receiver = receiver(node, text).into_iter().collect();
            function(node, text, receiver).into_iter().collect()
        }
        "type_spec" | "type_alias" => Defined::named(node, "name", Kind::Type),
        "const_spec" | "var_spec" | "field_declaration" => {
            let mut cursor = node.walk();
            let names = node.children_by_field_name("name", &mut cursor);
            let names = names.filter(|name| name.kind().ends_with("identifier"));
            let all: Vec<Defined> = names
                .map(|name| Defined::of(name, Kind::Constant))
                .collect();
            if all.is_empty() { embedded(node) } else { all }
        }
        _ => Vec::new(),
    }
}

/// Reads a function.
fn function(node: Node<'_>, text: &str, within: Vec<String>) -> Option<Defined> {
    let name = node.child_by_field_name("name")?;
    let list = node.child_by_field_name("parameters");
    let returns = tight(field(node, "result", text));
    let read = |child: Node<'_>| one(child, text);
    let defined = Defined::of(name, Kind::Function).with(parameters(list, read), returns);
    Some(Defined { within, ..defined })
}

/// Reads the parameters of one type; none where they have no names or are of any number.
fn one(child: Node<'_>, text: &str) -> Option<Vec<Parameter>> {
    if child.kind() != "parameter_declaration" {
        return None;
    }
    let mut cursor = child.walk();
    let names = child.children_by_field_name("name", &mut cursor);
    let all: Vec<Parameter> = names
        .filter(|name| name.kind() == "identifier")
        .map(|name| Parameter {
            name: text_of(name, text).to_owned(),
            is_optional: false,
        })
        .collect();
    (!all.is_empty()).then_some(all)
}

/// Reads a field that has the name of its type, which it uses too.
fn embedded(node: Node<'_>) -> Vec<Defined> {
    let name = node.child_by_field_name("type").and_then(of_type);
    let field = |name: Node<'_>| Defined {
        is_use: true,
        ..Defined::of(name, Kind::Constant)
    };
    name.map(field).into_iter().collect()
}

/// Returns the name of a type, without what is around it.
fn of_type(kind: Node<'_>) -> Option<Node<'_>> {
    let mut kind = kind;
    loop {
        kind = match kind.kind() {
            "type_identifier" => return Some(kind),
            "generic_type" => kind.child_by_field_name("type")?,
            "qualified_type" => kind.child_by_field_name("name")?,
            "pointer_type" | "parenthesized_type" => {
                children(kind).find(|child| child.kind() != "comment")?
            }
            _ => return None,
        };
    }
}

/// Returns the name of a receiver's type.
fn receiver(node: Node<'_>, text: &str) -> Option<String> {
    let list = node.child_by_field_name("receiver")?;
    let mut all = children(list);
    let only = all.find(|child| child.kind() == "parameter_declaration")?;
    let name = only.child_by_field_name("type").and_then(of_type);
    Some(name.map_or(UNREAD, |name| text_of(name, text)).to_owned())
}

fn container(node: Node<'_>, text: &str, _: &Place<'_>) -> Option<String> {
    match node.kind() {
        "type_spec" | "type_alias" => Some(field(node, "name", text).to_owned()),
        "field_declaration" => {
            let mut cursor = node.walk();
            let mut names = node.children_by_field_name("name", &mut cursor);
            let name = names.next().map_or(UNREAD, |name| text_of(name, text));
            Some(names.next().map_or(name, |_| UNREAD).to_owned())
        }
        // What a function or a variable holds is not known by its name.
        "function_declaration" | "method_declaration" | "var_spec" => Some(UNREAD.to_owned()),
        _ => None,
    }
}

fn note(node: Node<'_>, text: &str, _: &Place<'_>, facts: &mut Facts) {
    match node.kind() {
        "call_expression" => {
            let last = callee(node, ("selector_expression", "field"));
            facts.calls.extend(last.map(|last| named(last, text)));
        }
        "import_spec" => {
            let is_all = field(node, "name", text) == ".";
            let path = field(node, "path", text);
            facts.imports_open |= path.contains('\\');
            // What is written for cgo before this is code of another language.
            facts.names_open |= unquoted(path) == "C";
            facts.imports.push(Import {
                module: unquoted(path).to_owned(),
                name: is_all.then(|| EVERYTHING.to_owned()),
                range: node.byte_range(),
            });
        }
        "package_clause" => {
            let mut all = children(node);
            let name = all.find(|child| child.kind() == "package_identifier");
            facts
                .packages
                .extend(name.map(|name| text_of(name, text).to_owned()));
        }
        "type_alias" => drop(facts.aliases.insert(field(node, "name", text).to_owned())),
        // A directive names what it links.
        "comment"
            if ["//go:", "//export"]
                .iter()
                .any(|start| text_of(node, text).starts_with(start)) =>
        {
            facts.texts.push(node.byte_range());
        }
        "function_declaration" => test(node, text, facts),
        // A suite of tests is methods.
        "method_declaration" => {
            let name = field(node, "name", text);
            if name.starts_with("Test") {
                facts.maybe_tests.insert(name.to_owned());
            }
        }
        _ => {}
    }
}

/// Notes a function that `go test` takes as one of its own: by its name, and by what it takes.
fn test(node: Node<'_>, text: &str, facts: &mut Facts) {
    let (Some(name), Some(list)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("parameters"),
    ) else {
        return;
    };
    let written = text_of(name, text);
    let mut kinds = ["Test", "Benchmark", "Fuzz", "Example"].iter();
    let Some(rest) = kinds.find_map(|start| written.strip_prefix(start)) else {
        return;
    };
    let mut given = children(list).filter(|child| child.kind() == "parameter_declaration");
    let takes = given.next().map(|one| tight(field(one, "type", text)));
    let is_alone = given.next().is_none() && node.child_by_field_name("result").is_none();
    let is_of_kind = if written.starts_with("Example") {
        takes.is_none()
    } else {
        let is_state = |kind: &str| kind.starts_with('*') && kind.ends_with(['T', 'B', 'F']);
        takes.as_deref().is_some_and(is_state)
    };
    let goes_on = rest.starts_with(char::is_lowercase);
    if is_alone && is_of_kind && !goes_on && written != "TestMain" {
        facts.tests.push(named(name, text));
    } else if is_alone && !goes_on {
        facts.maybe_tests.insert(written.to_owned());
    }
}
