//! What the hooks gate, as configured: how strict each is, and which references are protected
//! (DESIGN sections 8 and 10). Pure.

use globset::{Glob, GlobBuilder, GlobMatcher};

use super::settings::{Scoped, Setting};

/// The references that are protected where nothing else is said.
const PROTECTED: [&str; 3] = ["refs/heads/**", "refs/tags/**", "!refs/heads/wip/**"];
/// How many patterns are taken.
const MOST: usize = 1000;

/// What is looked at before a commit is made; the later, the stricter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CommitGate {
    /// Nothing.
    Off,
    /// Plan files and sealed contracts, as they are staged.
    Contract,
    /// Evidence for what is staged; where there is none, an audit.
    Audit,
}

/// What is asked before something is pushed; the later, the more is done for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PushGate {
    /// Nothing.
    Off,
    /// Evidence that is there already.
    Evidence,
    /// Evidence; where it is missing for what is checked out, an audit.
    Audit,
}

/// A word of a setting.
trait Word: Copy + Ord + Sized + 'static {
    /// The words, the loosest first.
    const WORDS: &'static [(&'static str, Self)];
    /// What holds where nothing is said.
    const USUAL: Self;
}

impl Word for CommitGate {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("off", Self::Off),
        ("contract", Self::Contract),
        ("audit", Self::Audit),
    ];
    const USUAL: Self = Self::Contract;
}

impl Word for PushGate {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("off", Self::Off),
        ("evidence", Self::Evidence),
        ("audit", Self::Audit),
    ];
    const USUAL: Self = Self::Audit;
}

/// What the hooks gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Gates {
    /// Before a commit.
    pub(crate) commit: CommitGate,
    /// Before a push.
    pub(crate) push: PushGate,
    /// What is protected.
    pub(crate) protected: Protected,
    /// Values that cannot be read, as sentences: a hook then refuses.
    pub(crate) faults: Vec<String>,
    /// Settings of the repository that would loosen a gate and do not count, by name.
    pub(crate) ignored: Vec<&'static str>,
}

impl Default for Gates {
    fn default() -> Self {
        let empty = || Setting::new(Vec::new());
        Self::of(&empty(), &empty(), &empty())
    }
}

impl Gates {
    /// Reads the settings. Those of the repository itself can only make a gate stricter.
    pub(crate) fn of(
        commit: &Setting<String>,
        push: &Setting<String>,
        protect: &Setting<String>,
    ) -> Self {
        let (mut faults, mut ignored) = (Vec::new(), Vec::new());
        let commit = strictest("planAudit.preCommit", commit, &mut faults, &mut ignored);
        let asked = word_of("planAudit.prePush", push.outside(), &mut faults);
        let mut push_gate = asked.unwrap_or(PushGate::USUAL);
        // Whether we run what is sealed is the repository's to say; that evidence is asked for is not.
        match word_of("planAudit.prePush", push.inside(), &mut faults) {
            Some(PushGate::Off) => ignored.push("planAudit.prePush"),
            Some(inside) if push_gate == PushGate::Off || asked.is_none() => push_gate = inside,
            Some(_) | None => {}
        }
        Self {
            commit,
            push: push_gate,
            protected: Protected::of(protect, &mut faults, &mut ignored),
            faults,
            ignored,
        }
    }
}

/// Returns the stricter of what the repository says and what else holds.
fn strictest<T: Word>(
    name: &'static str,
    setting: &Setting<String>,
    faults: &mut Vec<String>,
    ignored: &mut Vec<&'static str>,
) -> T {
    let outside = word_of(name, setting.outside(), faults).unwrap_or(T::USUAL);
    match word_of::<T>(name, setting.inside(), faults) {
        Some(inside) if inside < outside => {
            ignored.push(name);
            outside
        }
        Some(inside) => inside,
        None => outside,
    }
}

/// Reads one word.
fn word_of<T: Word>(
    name: &str,
    value: Option<&Scoped<String>>,
    faults: &mut Vec<String>,
) -> Option<T> {
    let value = value?;
    let found = T::WORDS.iter().find(|(word, _)| *word == value.value);
    if found.is_none() {
        let words: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
        faults.push(format!(
            "{name} is {:?} ({}); it may be {}",
            value.value,
            value.scope.as_str(),
            words.join(", ")
        ));
    }
    found.map(|(_, gate)| *gate)
}

/// Which references are protected: the last pattern that fits decides; one with `!` takes back.
#[derive(Clone, Debug)]
pub(crate) struct Protected {
    /// Each with whether it protects.
    patterns: Vec<(GlobMatcher, bool)>,
    /// How many of them, the first ones, hold only because nothing else is said.
    usual: usize,
}

impl PartialEq for Protected {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&(GlobMatcher, bool), &(GlobMatcher, bool))| {
            one.0.glob() == other.0.glob() && one.1 == other.1
        };
        self.usual == other.usual
            && self.patterns.len() == other.patterns.len()
            && self.patterns.iter().zip(&other.patterns).all(same)
    }
}

impl Eq for Protected {}

impl Protected {
    /// Takes the patterns; the repository itself can only add some.
    fn of(
        setting: &Setting<String>,
        faults: &mut Vec<String>,
        ignored: &mut Vec<&'static str>,
    ) -> Self {
        let (inside, mut all): (Vec<&Scoped<String>>, Vec<&str>) = {
            let values = setting.all().iter();
            let (inside, outside): (Vec<_>, Vec<_>) =
                values.partition(|each| each.scope.is_in_repository());
            (
                inside,
                outside.iter().map(|each| each.value.as_str()).collect(),
            )
        };
        let usual = if all.is_empty() {
            all.extend(PROTECTED);
            PROTECTED.len()
        } else {
            0
        };
        for each in inside {
            if each.value.starts_with('!') {
                ignored.push("planAudit.protect");
            } else {
                all.push(&each.value);
            }
        }
        let mut patterns = Vec::new();
        for pattern in all.into_iter().take(MOST) {
            match compiled(pattern) {
                Ok(_) if !may_be_whole(pattern) => faults.push(format!(
                    "planAudit.protect is {pattern:?}, and the full name of a reference begins with refs/, as in \
                     refs/heads/main"
                )),
                Ok(compiled) => patterns.push(compiled),
                Err(error) => faults.push(format!("planAudit.protect: {error}")),
            }
        }
        Self { patterns, usual }
    }

    /// Says whether a reference, by its full name, is protected.
    pub(crate) fn covers(&self, name: &str) -> bool {
        last_of(&self.patterns, name).is_some_and(|covers| covers)
    }

    /// Says whether a server protects a reference: where nothing else is said its default branch alone,
    /// for work that is not done yet is pushed there too. Where none is the default, each may be.
    pub(crate) fn covers_on_server(&self, name: &str, default: Option<&str>) -> bool {
        let said = self.patterns.get(self.usual..).unwrap_or_default();
        let is_meant = default.map_or_else(|| name.starts_with("refs/heads/"), |it| it == name);
        let is_default = self.usual > 0 && is_meant;
        last_of(said, name).unwrap_or(is_default)
    }
}

/// Returns what the last pattern that fits says of a reference.
fn last_of(patterns: &[(GlobMatcher, bool)], name: &str) -> Option<bool> {
    let mut last_first = patterns.iter().rev();
    let last = last_first.find(|(pattern, _)| pattern.is_match(name));
    last.map(|(_, covers)| *covers)
}

/// Says whether a full name of a reference can begin as a pattern does.
fn may_be_whole(pattern: &str) -> bool {
    let plain = pattern.strip_prefix('!').unwrap_or(pattern);
    plain.starts_with("refs/") || plain.starts_with(['*', '?', '[', '{', '\\'])
}

/// Compiles one pattern.
fn compiled(pattern: &str) -> Result<(GlobMatcher, bool), globset::Error> {
    let plain = pattern.strip_prefix('!');
    let glob: Glob = GlobBuilder::new(plain.unwrap_or(pattern))
        .literal_separator(true)
        .build()?;
    Ok((glob.compile_matcher(), plain.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::Scope;

    fn setting(values: &[(&str, Scope)]) -> Setting<String> {
        let scoped = |(value, scope): &(&str, Scope)| Scoped {
            value: (*value).to_owned(),
            scope: *scope,
        };
        Setting::new(values.iter().map(scoped).collect())
    }

    #[test]
    fn the_repository_can_only_tighten_the_gate_before_a_commit() {
        use CommitGate::{Audit, Contract, Off};
        for (values, expected, is_ignored) in [
            (vec![], Contract, false),
            (vec![("off", Scope::Local)], Contract, true),
            (vec![("audit", Scope::Worktree)], Audit, false),
            (vec![("off", Scope::Global)], Off, false),
            (
                vec![("audit", Scope::Global), ("contract", Scope::Local)],
                Audit,
                true,
            ),
            (
                vec![("off", Scope::Global), ("contract", Scope::Local)],
                Contract,
                false,
            ),
            (
                vec![("audit", Scope::System), ("off", Scope::Command)],
                Off,
                false,
            ),
        ] {
            let gates = Gates::of(&setting(&values), &setting(&[]), &setting(&[]));

            assert_eq!(gates.commit, expected, "{values:?}");
            assert_eq!(!gates.ignored.is_empty(), is_ignored, "{values:?}");
        }
    }

    #[test]
    fn the_repository_may_ask_for_no_audit_but_not_for_no_evidence() {
        use PushGate::{Audit, Evidence, Off};
        for (values, expected, is_ignored) in [
            (vec![], Audit, false),
            (vec![("evidence", Scope::Local)], Evidence, false),
            (vec![("off", Scope::Local)], Audit, true),
            (vec![("off", Scope::Global)], Off, false),
            (
                vec![("off", Scope::Global), ("evidence", Scope::Local)],
                Evidence,
                false,
            ),
            (
                vec![("evidence", Scope::Global), ("audit", Scope::Local)],
                Evidence,
                false,
            ),
        ] {
            let gates = Gates::of(&setting(&[]), &setting(&values), &setting(&[]));

            assert_eq!(gates.push, expected, "{values:?}");
            assert_eq!(!gates.ignored.is_empty(), is_ignored, "{values:?}");
        }
    }

    #[test]
    fn a_word_that_means_nothing_is_a_fault() {
        let gates = Gates::of(
            &setting(&[("Contract", Scope::Local)]),
            &setting(&[("yes", Scope::Global)]),
            &setting(&[("refs/[", Scope::Global)]),
        );

        assert_eq!(gates.faults.len(), 3, "{:?}", gates.faults);
    }

    #[test]
    fn every_branch_and_tag_is_protected_but_unfinished_work() {
        let usual = Gates::default().protected;
        for (name, expected) in [
            ("refs/heads/main", true),
            ("refs/heads/a/b/c", true),
            ("refs/tags/v1", true),
            ("refs/heads/wip/x/y", false),
            ("refs/heads/wip", true),
            ("refs/notes/other", false),
            ("refs/for/main", false),
            ("HEAD", false),
        ] {
            assert_eq!(usual.covers(name), expected, "{name}");
        }
    }

    #[test]
    fn a_server_protects_its_default_branch_and_what_is_named() {
        let of = |values: &[(&str, Scope)]| {
            Gates::of(&setting(&[]), &setting(&[]), &setting(values)).protected
        };
        let covers = |protected: &Protected, name: &str| {
            protected.covers_on_server(name, Some("refs/heads/trunk"))
        };
        let usual = of(&[]);
        let added = of(&[("refs/heads/release/*", Scope::Local)]);
        let chosen = of(&[("refs/heads/release/*", Scope::Global)]);

        assert!(covers(&usual, "refs/heads/trunk"));
        assert!(!covers(&usual, "refs/heads/topic") && !covers(&usual, "refs/tags/v1"));
        assert!(covers(&added, "refs/heads/trunk") && covers(&added, "refs/heads/release/1"));
        assert!(!covers(&chosen, "refs/heads/trunk") && covers(&chosen, "refs/heads/release/1"));
    }

    #[test]
    fn the_repository_can_only_add_to_what_is_protected() {
        let of = |values: &[(&str, Scope)]| {
            Gates::of(&setting(&[]), &setting(&[]), &setting(values)).protected
        };
        let added = of(&[
            ("refs/heads/wip/**", Scope::Local),
            ("!refs/heads/main", Scope::Local),
        ]);
        let chosen = of(&[("refs/heads/main", Scope::Global)]);

        assert!(added.covers("refs/heads/wip/x"));
        assert!(added.covers("refs/heads/main"));
        assert!(chosen.covers("refs/heads/main"));
        assert!(!chosen.covers("refs/heads/topic"));
    }
}
