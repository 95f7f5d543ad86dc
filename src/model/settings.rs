//! Settings as git's configuration holds them, each value with the scope it comes from.

use std::path::PathBuf;

use super::gate::Gates;

/// Where a value comes from, from the weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Scope {
    /// The machine.
    System,
    /// The user.
    Global,
    /// The repository.
    Local,
    /// This work tree of the repository.
    Worktree,
    /// The command line or the environment.
    Command,
}

impl Scope {
    /// Returns the word that `git config --show-scope` prints.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Global => "global",
            Self::Local => "local",
            Self::Worktree => "worktree",
            Self::Command => "command",
        }
    }

    /// Says whether whoever can write to the repository can write here: such a value may only
    /// make a judgement stricter (DESIGN section 8).
    pub(crate) const fn is_in_repository(self) -> bool {
        match self {
            Self::Local | Self::Worktree => true,
            Self::System | Self::Global | Self::Command => false,
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scoped<T> {
    /// The value.
    pub(crate) value: T,
    /// Its scope.
    pub(crate) scope: Scope,
}

/// Every value of one key, the strongest last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setting<T>(Vec<Scoped<T>>);

impl<T> Setting<T> {
    /// Takes the values in git's order.
    pub(crate) const fn new(values: Vec<Scoped<T>>) -> Self {
        Self(values)
    }

    /// Returns the value that git would use.
    pub(crate) fn value(&self) -> Option<&Scoped<T>> {
        self.0.last()
    }

    /// Returns every value that holds where each is a demand: the strongest that the repository
    /// itself cannot set, and the strongest that it sets, which adds to the first one and never
    /// replaces it. What it adds may drop a pass and never a failure.
    pub(crate) fn demands(&self) -> Vec<&T> {
        let both = self.outside().into_iter().chain(self.inside());
        both.map(|one| &one.value).collect()
    }

    /// Returns every value, the strongest last.
    pub(crate) fn all(&self) -> &[Scoped<T>] {
        &self.0
    }

    /// Returns the strongest value that the repository itself sets.
    pub(crate) fn inside(&self) -> Option<&Scoped<T>> {
        let mut strongest_first = self.0.iter().rev();
        strongest_first.find(|one| one.scope.is_in_repository())
    }

    /// Returns the strongest value that the repository itself cannot set.
    pub(crate) fn outside(&self) -> Option<&Scoped<T>> {
        let mut strongest_first = self.0.iter().rev();
        strongest_first.find(|one| !one.scope.is_in_repository())
    }
}

/// A configured remote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Remote {
    /// Its name.
    pub(crate) name: String,
    /// Where it is fetched from; none where nothing is said.
    pub(crate) url: Option<String>,
    /// Where it is pushed to, if that is another place; the first of several.
    pub(crate) push_url: Option<String>,
    /// Its fetch refspecs as written.
    pub(crate) fetch: Vec<String>,
}

/// What the configuration says that we act upon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// `planAudit.base`: the trust point.
    pub(crate) base: Setting<String>,
    /// `planAudit.remote`: where evidence is published.
    pub(crate) remote: Setting<String>,
    /// `planAudit.allowedSigners`: trusted keys outside of the repository.
    pub(crate) allowed_signers: Setting<PathBuf>,
    /// `planAudit.hmacKeyFile`.
    pub(crate) hmac_key_file: Setting<PathBuf>,
    /// `planAudit.checkUser`: as whom checks run.
    pub(crate) check_user: Setting<String>,
    /// `planAudit.place`: the place that evidence must come from.
    pub(crate) place: Setting<String>,
    /// `planAudit.platform`: the platform that evidence must come from.
    pub(crate) platform: Setting<String>,
    /// `planAudit.requireReviews`: how many people have to approve; none for what is no number.
    pub(crate) reviews: Setting<Option<u32>>,
    /// `planAudit.each`: whether each commit of a range counts.
    pub(crate) each: Setting<bool>,
    /// What the hooks gate: `planAudit.preCommit`, `planAudit.prePush`, `planAudit.protect`.
    pub(crate) gates: Gates,
    /// `user.signingKey`.
    pub(crate) signing_key: Setting<String>,
    /// `gpg.format`.
    pub(crate) signing_format: Setting<String>,
    /// `planAudit.signNotes`: whether commits of the ledger are signed by git's means.
    pub(crate) sign_notes: Setting<bool>,
    /// `commit.gpgSign`.
    pub(crate) sign_commits: Setting<bool>,
    /// `user.name`.
    pub(crate) user_name: Setting<String>,
    /// `user.email`.
    pub(crate) user_email: Setting<String>,
    /// The remotes, by name.
    pub(crate) remotes: Vec<Remote>,
    /// What the repository itself says of the way to its remotes, where that runs nothing.
    pub(crate) transport: Vec<(String, String)>,
    /// The remote that the current branch follows.
    pub(crate) upstream_remote: Option<String>,
    /// `planAudit.*` keys that no version knows: typing errors.
    pub(crate) unknown: Vec<Scoped<String>>,
    /// `planAudit.*` keys that this version does not serve yet: what they ask for is not done.
    pub(crate) unserved: Vec<Scoped<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_cannot_hide_what_the_user_set() {
        let of = |value, scope| Scoped { value, scope };
        let setting = Setting::new(vec![of("mine", Scope::Global), of("theirs", Scope::Local)]);

        assert_eq!(setting.value().unwrap().value, "theirs");
        assert_eq!(setting.outside().unwrap().value, "mine");
        assert_eq!(setting.demands(), [&"mine", &"theirs"]);
    }

    #[test]
    fn the_repository_can_only_add_a_demand() {
        let of = |value, scope| Scoped { value, scope };
        let demands = |values| {
            Setting::new(values)
                .demands()
                .into_iter()
                .copied()
                .collect()
        };
        for (values, expected) in [
            (vec![], vec![]),
            (
                vec![of("a", Scope::Global), of("b", Scope::Command)],
                vec!["b"],
            ),
            (
                vec![of("a", Scope::Local), of("b", Scope::Worktree)],
                vec!["b"],
            ),
            (
                vec![of("a", Scope::Local), of("b", Scope::Command)],
                vec!["b", "a"],
            ),
        ] {
            let found: Vec<&str> = demands(values);

            assert_eq!(found, expected);
        }
    }
}
