//! What the attributes of Rust do: those that are built in define nothing.

use super::{Import, tight};

/// What an attribute may do to what it stands before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// It defines nothing.
    Nothing,
    /// It makes a test.
    Test,
    /// It makes a test, and may define more.
    TestOfOthers,
    /// It defines methods of these names.
    Names(&'static [&'static str]),
    /// It may do anything.
    Anything,
}

/// Attributes that are built in (The Rust Reference, Attributes), and those of tools and of serde.
const BUILT_IN: [&str; 53] = [
    "allow",
    "automatically_derived",
    "bench",
    "cfg",
    "cold",
    "collapse_debuginfo",
    "coverage",
    "crate_name",
    "crate_type",
    "debugger_visualizer",
    "default",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "link",
    "link_name",
    "link_ordinal",
    "link_section",
    "macro_export",
    "macro_use",
    "must_use",
    "naked",
    "no_builtins",
    "no_implicit_prelude",
    "no_link",
    "no_main",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "panic_handler",
    "path",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "recursion_limit",
    "repr",
    "serde",
    "should_panic",
    "target_feature",
    "tokio::main",
    "track_caller",
    "type_length_limit",
    "used",
    "warn",
    "windows_subsystem",
];

/// What deriving traits of the standard library defines.
const DERIVES: [(&str, &[&str]); 9] = [
    ("Clone", &["clone"]),
    ("Copy", &[]),
    ("Debug", &["fmt"]),
    ("Default", &["default"]),
    ("Eq", &[]),
    ("Hash", &["hash"]),
    ("Ord", &["cmp"]),
    ("PartialEq", &["eq"]),
    ("PartialOrd", &["partial_cmp"]),
];

/// What all derives of the standard library and of serde define together.
const DERIVED: &[&str] = &[
    "clone",
    "cmp",
    "default",
    "deserialize",
    "eq",
    "fmt",
    "hash",
    "partial_cmp",
    "serialize",
];

/// Says what an attribute does, after the imports of its file so far.
pub(super) fn effect(attribute: &str, imports: &[Import]) -> Effect {
    let inner = tight(attribute);
    let inner = inner.trim_start_matches(['#', '!', '[']);
    let inner = inner.strip_suffix(']').unwrap_or(inner);
    let name = inner.split(['(', '=', '[', '{']).next().unwrap_or_default();
    let name = name.trim_start_matches("::");
    let arguments = inner.split_once('(').map_or("", |(_, rest)| rest);
    let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
    match name {
        "test" | "tokio::test" | "core::prelude::v1::test" | "std::prelude::v1::test" => {
            Effect::Test
        }
        "derive" => derived(arguments, imports),
        "cfg_attr" => conditional(arguments, imports),
        // What follows it is an attribute again.
        "unsafe" => effect(arguments, imports),
        _ if BUILT_IN.contains(&name) || is_of_tool(name) => Effect::Nothing,
        _ if name.ends_with("::test") => Effect::TestOfOthers,
        _ => Effect::Anything,
    }
}

/// Says whether an attribute is for a tool.
fn is_of_tool(name: &str) -> bool {
    let tool = name.split("::").next().unwrap_or_default();
    let tools = [
        "clippy",
        "diagnostic",
        "miri",
        "rust_analyzer",
        "rustdoc",
        "rustfmt",
    ];
    tools.contains(&tool)
}

/// Says what a `derive` of a list of traits does.
fn derived(list: &str, imports: &[Import]) -> Effect {
    let mut defines = false;
    for each in list.split(',').filter(|each| !each.is_empty()) {
        let last = each.rsplit("::").next().unwrap_or_default();
        let is_of_std =
            !each.contains("::") || each.starts_with("std::") || each.starts_with("core::");
        let known = DERIVES.iter().find(|(name, _)| is_of_std && *name == last);
        match known {
            Some((_, names)) => defines |= !names.is_empty(),
            None if is_of_serde(each, last, imports) => defines = true,
            None => return Effect::Anything,
        }
    }
    if defines {
        Effect::Names(DERIVED)
    } else {
        Effect::Nothing
    }
}

/// Says whether a derived trait is one of serde, by its path or by an import.
fn is_of_serde(path: &str, last: &str, imports: &[Import]) -> bool {
    let is_imported = || {
        let mut imports = imports.iter();
        imports.any(|one| one.module == "serde" && one.name.as_deref() == Some(last))
    };
    let is_of_it = path.starts_with("serde::") || (path == last && is_imported());
    ["Serialize", "Deserialize"].contains(&last) && is_of_it
}

/// Says what attributes do that hold under a condition, which is not known.
fn conditional(arguments: &str, imports: &[Import]) -> Effect {
    let mut worst = Effect::Nothing;
    for each in split(arguments).into_iter().skip(1) {
        match effect(each, imports) {
            Effect::Nothing => {}
            Effect::Names(names) => worst = Effect::Names(names),
            Effect::Test | Effect::TestOfOthers | Effect::Anything => return Effect::Anything,
        }
    }
    worst
}

/// Splits a list at the commas that lie in no parentheses.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, sign) in list.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(list.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(list.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_built_in_is_known_to_define_nothing() {
        let serde = Import {
            module: "serde".to_owned(),
            name: Some("Serialize".to_owned()),
            range: 0..0,
        };
        for (attribute, found) in [
            ("#[test]", Effect::Test),
            ("#[tokio::test(flavor = \"x\")]", Effect::Test),
            ("#[sqlx::test]", Effect::TestOfOthers),
            ("#[rstest]", Effect::Anything),
            ("#[x = b::test]", Effect::Anything),
            ("#[cfg_attr(all(a, b), test)]", Effect::Anything),
            ("#[cfg_attr(a, inline, must_use)]", Effect::Nothing),
            ("#![allow(dead_code)]", Effect::Nothing),
            ("#[unsafe(no_mangle)]", Effect::Nothing),
            ("#[doc = \"x\"]", Effect::Nothing),
            ("#[derive(Copy, Eq)]", Effect::Nothing),
            (
                "#[derive(Debug, std::clone::Clone)]",
                Effect::Names(DERIVED),
            ),
            ("#[derive(Serialize)]", Effect::Names(DERIVED)),
            ("#[derive(Deserialize)]", Effect::Anything),
            ("#[derive(serde::Deserialize)]", Effect::Names(DERIVED)),
            ("#[derive(Debug, Builder)]", Effect::Anything),
            ("#[rustfmt::skip]", Effect::Nothing),
        ] {
            assert_eq!(
                effect(attribute, std::slice::from_ref(&serde)),
                found,
                "{attribute}"
            );
        }
    }
}
