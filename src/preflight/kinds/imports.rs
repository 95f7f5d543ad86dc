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
    // Everything of the module may hold the name, or not.
    let may_be_it =
        |import: &Import| import.module == module && import.name.as_deref() == Some(EVERYTHING);
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
        if facts.imports_open || facts.names_open || facts.imports.iter().any(may_be_it) {
            probe.leave_out(&entry.path, Reason::Ambiguous);
        }
    }
    if is_found {
        Answer::Holds
    } else {
        probe.absent()
    }
}
