//! `imports`: which modules files bring in, and what of them.

use crate::model::claim::evidence::Reason;
use crate::preflight::probe::{Answer, Probe, range};
use crate::preflight::syntax::{EVERYTHING, Import};

/// Decides `imports`.
pub(in crate::preflight) fn imports(probe: &mut Probe<'_>) -> Answer {
    let statement = probe.statement();
    let (module, name) = (statement.text("module"), statement.optional("name"));
    let is_it = |import: &Import| {
        import.module == module && name.is_none_or(|name| import.name.as_deref() == Some(name))
    };
    let mut is_found = false;
    for entry in &probe.scope().entries {
        let Some((file, facts)) = probe.facts(entry) else {
            continue;
        };
        for import in facts.imports.iter().filter(|import| is_it(import)) {
            is_found = true;
            let place = range(file.text(), import.range.start, import.range.end);
            probe.point(entry, Some(place), true);
        }
        let mut all = facts.imports.iter();
        let may_be = all.any(|import| may_be(import, (module, name), &entry.path));
        if facts.imports_open || facts.names_open || may_be {
            probe.leave_out(&entry.path, Reason::Ambiguous);
        }
    }
    if is_found {
        Answer::Holds
    } else {
        probe.absent()
    }
}

/// Says whether an import may be one of a module that it does not spell so.
fn may_be(import: &Import, (module, name): (&str, Option<&str>), path: &[u8]) -> bool {
    let taken = import.name.as_deref();
    // Everything of a module may hold the name or the module, or not.
    let is_below = module.strip_prefix(&import.module);
    let is_below = is_below.is_some_and(|rest| rest.starts_with(['.', ':', '/']));
    if taken == Some(EVERYTHING) && (import.module == module || is_below) {
        return true;
    }
    // What is taken from a module may be a module itself.
    let is_whole = taken.is_some_and(|taken| joins(&import.module, taken, module));
    let is_taken = name.is_some_and(|name| joins(module, name, &import.module));
    is_whole || is_taken || is_respelt(&import.module, module, path)
}

/// Says whether two names joined are a third.
fn joins(module: &str, name: &str, whole: &str) -> bool {
    let rest = whole.strip_prefix(module).unwrap_or_default();
    let rest = rest.trim_start_matches(['.', ':']);
    rest == name && whole.len() > module.len() + name.len()
        || (module.ends_with('.') && whole.strip_prefix(module) == Some(name))
}

/// Says whether two spellings may name one module: one is relative to the file, or to a crate, or an
/// ending is left out.
fn is_respelt(written: &str, wanted: &str, path: &[u8]) -> bool {
    if written == wanted {
        return false;
    }
    let is_relative = |module: &str| {
        module.starts_with('.')
            || ["self", "super", "crate"].contains(&module.split("::").next().unwrap_or_default())
    };
    if !is_relative(written) && !is_relative(wanted) {
        return false;
    }
    let (written, wanted) = (parts(written, path), parts(wanted, path));
    written.ends_with(&wanted) || wanted.ends_with(&written)
}

/// Divides a module into its parts, from the file's directory where it is relative to it.
fn parts(module: &str, path: &[u8]) -> Vec<String> {
    let path = String::from_utf8_lossy(path);
    let mut parts: Vec<String> = Vec::new();
    if module.starts_with('.') {
        parts.extend(path.split('/').map(str::to_owned));
        parts.pop();
    }
    let rest = if module.contains('/') || ["..", "."].contains(&module) {
        let endings = [
            ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json",
        ];
        let ending = endings.iter().find(|ending| module.ends_with(**ending));
        let module = module.strip_suffix(ending.copied().unwrap_or_default());
        let module = module.unwrap_or_default();
        module
            .strip_suffix("/index")
            .unwrap_or(module)
            .replace('/', "\0")
    } else {
        // Dots before a module lead out of packages, the first of them nowhere.
        let name = module.trim_start_matches('.');
        for _ in 1..(module.len() - name.len()).max(1) {
            parts.pop();
        }
        name.replace("::", "\0").replace('.', "\0")
    };
    for part in rest.split('\0') {
        match part {
            "" | "." | "self" | "super" | "crate" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.to_owned()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_module_has_several_spellings() {
        for (written, wanted, is_same) in [
            (".models", "app.models", true),
            (".", "app", true),
            ("..core", "core", true),
            (".models", "app.views", false),
            ("./pay", "./pay.js", true),
            ("./pay/index.js", "./pay", true),
            ("../app/pay", "./pay", true),
            ("./pay", "./other", false),
            ("super::pay", "crate::pay", true),
            ("super::pay", "crate::other", false),
            ("std::fs", "std::io", false),
        ] {
            let found = is_respelt(written, wanted, b"src/app/views.py");
            assert_eq!(found, is_same, "{written} {wanted}");
        }
    }
}
