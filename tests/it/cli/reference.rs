//! The reference of the command line is what the program says of itself.

use std::fs;
use std::path::Path;

use crate::schemas::commands;
use crate::support::{Proof, World};

/// How the page begins.
const HEAD: &str = "# The command line\n\nWhat `git plan-audit help` says. This page is made from it; \
                    `PLAN_AUDIT_UPDATE_DOCS=1 cargo test --test it reference` writes it anew.\n";

/// Writes the reference from the program's own help.
fn reference(world: &World) -> String {
    let page = |arguments: &[&str]| {
        let said = world.run(arguments).exits(0).stdout;
        let line = arguments.join(" ");
        let said: Vec<&str> = said.lines().map(str::trim_end).collect();
        format!(
            "\n```text\n$ git plan-audit {line}\n{}\n```\n",
            said.join("\n")
        )
    };
    let of_commands: Vec<String> = commands(world)
        .iter()
        .map(|command| page(&["help", command]))
        .collect();
    format!("{HEAD}{}{}", page(&["help"]), of_commands.concat())
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test asks for a new page"
)]
fn the_reference_of_the_command_line_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/cli.md");
    let text = reference(&World::empty(Proof::Ssh));
    if std::env::var_os("PLAN_AUDIT_UPDATE_DOCS").is_some() {
        fs::write(&path, &text).unwrap();
    }

    let written = fs::read_to_string(&path).unwrap_or_default();

    assert!(
        written == text,
        "docs/reference/cli.md differs from what `help` says"
    );
}
