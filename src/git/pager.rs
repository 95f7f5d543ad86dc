//! The pager that git has put behind us, where the repository names it.
//!
//! Typed as `git plan-audit` on a terminal, git reads `pager.plan-audit` and `core.pager`, also from
//! the repository, and starts that program before us: it may show other words than ours.

use gix::bstr::{BString, ByteSlice as _};

use super::open::Repository;
use crate::model::settings::Scope;

impl Repository {
    /// Returns the key that names the pager git starts for us, where the repository's own
    /// configuration has it; `GIT_PAGER` and what the user configured are the user's.
    pub(crate) fn own_pager(&self) -> Option<&'static str> {
        let lines = self.configuration();
        let named = |key: &str| lines.iter().rfind(|line| line.key == key);
        let program = named("pager.plan-audit").filter(|line| !is_switch(line.value.as_ref()));
        let (line, key) = match program {
            Some(line) => (line, "pager.plan-audit"),
            None => (named("core.pager")?, "core.pager"),
        };
        matches!(line.scope, Scope::Local | Scope::Worktree).then_some(key)
    }
}

/// Says whether a value only switches the pager on or off.
fn is_switch(value: Option<&BString>) -> bool {
    let Some(value) = value else { return true };
    let word = value.to_str_lossy().to_lowercase();
    matches!(&*word, "" | "true" | "yes" | "on" | "false" | "no" | "off")
        || word.parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use crate::git::testing::World;

    #[test]
    fn a_pager_is_told_where_the_repository_names_it() {
        let world = World::new();
        let found = || world.repository().own_pager();
        let set = |key: &str, value: &str| {
            world.git(&["config", key, value]);
        };
        assert_eq!(found(), None);

        set("pager.plan-audit", "true");
        assert_eq!(found(), None, "it is the user's own");
        set("core.pager", "sed");
        assert_eq!(found(), Some("core.pager"));
        set("pager.plan-audit", "sed");
        assert_eq!(found(), Some("pager.plan-audit"));
    }
}
