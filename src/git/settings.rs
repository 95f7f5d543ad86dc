//! Reading settings from git's configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gix::bstr::{BString, ByteSlice as _};
use gix::config::Source;

use super::open::Repository;
use crate::model::gate::Gates;
use crate::model::settings::{Remote, Scope, Scoped, Setting, Settings};

/// The keys below `planAudit` that this version acts upon, in lower case.
const SERVED: [&str; 13] = [
    "checkuser",
    "base",
    "remote",
    "allowedsigners",
    "hmackeyfile",
    "place",
    "platform",
    "each",
    "requirereviews",
    "precommit",
    "prepush",
    "protect",
    "signnotes",
];

/// The keys below `planAudit` that the design knows and this version does not act upon.
const UNSERVED: [&str; 3] = ["requireapproval", "approvepresence", "fsync"];

/// Names git's scope of a source; none for what we set ourselves.
pub(super) const fn scope(source: Source) -> Option<Scope> {
    match source {
        Source::GitInstallation | Source::System => Some(Scope::System),
        Source::Git | Source::User => Some(Scope::Global),
        Source::Local => Some(Scope::Local),
        Source::Worktree => Some(Scope::Worktree),
        Source::Env | Source::Cli | Source::EnvOverride => Some(Scope::Command),
        Source::Api => None,
    }
}

/// One line of the configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Section and name in lower case, the subsection as it is.
    pub(super) key: BString,
    /// The value; none for a key without `=`.
    pub(super) value: Option<BString>,
    /// Its scope.
    pub(super) scope: Scope,
}

impl Repository {
    /// Reads the settings that we act upon.
    pub(crate) fn settings(&self) -> Settings {
        let values = self.configuration();
        let text = |key| Setting::new(of(&values, key, |v| Some(v.to_str_lossy().into_owned())));
        let path = |key| Setting::new(of(&values, key, file_path));
        let (unknown, unserved) = unserved(&values);
        Settings {
            base: text("planaudit.base"),
            remote: text("planaudit.remote"),
            allowed_signers: path("planaudit.allowedsigners"),
            hmac_key_file: path("planaudit.hmackeyfile"),
            check_user: text("planaudit.checkuser"),
            place: text("planaudit.place"),
            platform: text("planaudit.platform"),
            reviews: number(&values, "planaudit.requirereviews"),
            each: demand(&values, "planaudit.each"),
            gates: Gates::of(
                &text("planaudit.precommit"),
                &text("planaudit.prepush"),
                &text("planaudit.protect"),
            ),
            signing_key: text("user.signingkey"),
            signing_format: text("gpg.format"),
            sign_notes: demand(&values, "planaudit.signnotes"),
            sign_commits: demand(&values, "commit.gpgsign"),
            user_name: text("user.name"),
            user_email: text("user.email"),
            remotes: remotes(&values),
            transport: transport(&values),
            upstream_remote: self.upstream_remote(),
            unknown,
            unserved,
        }
    }

    /// Lists the whole configuration in git's order, the strongest last.
    pub(super) fn configuration(&self) -> Vec<Line> {
        let snapshot = self.gix.config_snapshot();
        let mut values = Vec::new();
        for section in snapshot.plumbing().sections() {
            if let Some(scope) = scope(section.meta().source) {
                collect(&section, scope, &mut values);
            }
        }
        values
    }
}

/// Adds every value of one section, in its own order.
fn collect(section: &gix::config::file::SectionRef<'_>, scope: Scope, values: &mut Vec<Line>) {
    let header = section.header();
    let mut prefix = BString::from(header.name().to_ascii_lowercase());
    if let Some(name) = header.subsection_name() {
        prefix.push(b'.');
        prefix.extend_from_slice(name);
    }
    let body = section.body();
    let mut names: Vec<String> = Vec::new();
    for name in body.value_names().map(|name| name.to_lowercase()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let mut key = prefix.clone();
        key.push(b'.');
        key.extend_from_slice(name.as_bytes());
        let written = body.values(&name);
        if written.is_empty() || body.value_implicit(&name) == Some(None) {
            values.push(Line {
                key: key.clone(),
                value: None,
                scope,
            });
        }
        values.extend(written.into_iter().map(|value| Line {
            key: key.clone(),
            value: Some(value),
            scope,
        }));
    }
}

/// Returns every value of a key, read by `read`.
fn of<T>(values: &[Line], key: &str, read: impl Fn(&BString) -> Option<T>) -> Vec<Scoped<T>> {
    let named = values.iter().filter(|one| one.key == key);
    named
        .filter_map(|one| {
            Some(Scoped {
                value: read(one.value.as_ref()?)?,
                scope: one.scope,
            })
        })
        .collect()
}

/// Returns every value of a key that demands something, as truth. A key without a value is true, as for
/// git; so is what git would not read, for a demand that is spelled wrongly is none to be passed over.
fn demand(values: &[Line], key: &str) -> Setting<bool> {
    let is_no = |value: &BString| {
        let text = value.to_str_lossy().to_ascii_lowercase();
        ["", "false", "no", "off", "0"].contains(&text.as_str())
    };
    let named = values.iter().filter(|one| one.key == key);
    let truths = named.map(|one| Scoped {
        value: !one.value.as_ref().is_some_and(is_no),
        scope: one.scope,
    });
    Setting::new(truths.collect())
}

/// Returns every value of a key that demands a number; none for what is none, which is not to be passed
/// over.
fn number(values: &[Line], key: &str) -> Setting<Option<u32>> {
    let named = values.iter().filter(|one| one.key == key);
    let numbers = named.map(|one| {
        let text = one.value.as_ref().and_then(|value| value.to_str().ok());
        Scoped {
            value: text.and_then(|text| text.trim().parse().ok()),
            scope: one.scope,
        }
    });
    Setting::new(numbers.collect())
}

/// Reads a path, with `~/` for the home directory.
pub(super) fn file_path(value: &BString) -> Option<PathBuf> {
    let home = gix::path::env::home_dir();
    gix::config::Path::from(value.as_bstr())
        .interpolate(gix::config::path::interpolate::Context {
            home_dir: home.as_deref(),
            ..Default::default()
        })
        .ok()
}

/// Lists the remotes, by name.
fn remotes(values: &[Line]) -> Vec<Remote> {
    let mut found: BTreeMap<String, Remote> = BTreeMap::new();
    for one in values {
        let Some(rest) = one.key.strip_prefix(b"remote.") else {
            continue;
        };
        let Some((name, variable)) = rest.rsplit_once_str(b".") else {
            continue;
        };
        let name = name.to_str_lossy().into_owned();
        let remote = found.entry(name.clone()).or_insert_with(|| Remote {
            name,
            url: None,
            push_url: None,
            fetch: Vec::new(),
        });
        let value = one.value.as_ref().map(|value| value.to_str_lossy());
        match (variable, value) {
            (b"fetch", Some(value)) => remote.fetch.push(value.into_owned()),
            // The first one counts; an empty one takes back what came before.
            (b"url", Some(value)) if value.is_empty() => remote.url = None,
            (b"url", Some(value)) => {
                remote.url.get_or_insert(value.into_owned());
            }
            (b"pushurl", Some(value)) if value.is_empty() => remote.push_url = None,
            (b"pushurl", Some(value)) => {
                remote.push_url.get_or_insert(value.into_owned());
            }
            _ => {}
        }
    }
    found.into_values().collect()
}

/// Lists what the repository itself says of the way to its remotes, in git's order: headers and
/// other names of addresses, which run nothing, and who may use what is fetched.
fn transport(values: &[Line]) -> Vec<(String, String)> {
    let is_harmless = |key: &[u8]| {
        let ends = |start: &[u8], end: &[u8]| key.starts_with(start) && key.ends_with(end);
        ends(b"http.", b".extraheader")
            || ends(b"url.", b".insteadof")
            || key == b"core.sharedrepository"
    };
    let ours = values
        .iter()
        .filter(|one| one.scope.is_in_repository() && is_harmless(&one.key));
    ours.filter_map(|one| {
        let value = one.value.as_ref()?.to_str().ok()?;
        Some((one.key.to_str().ok()?.to_owned(), value.to_owned()))
    })
    .collect()
}

/// Lists the `planAudit.*` keys that nobody knows, and those that are not served yet.
fn unserved(values: &[Line]) -> (Vec<Scoped<String>>, Vec<Scoped<String>>) {
    let mut unknown = Vec::new();
    let mut unserved = Vec::new();
    for one in values {
        let Some(name) = one.key.strip_prefix(b"planaudit.") else {
            continue;
        };
        let name = name.to_str_lossy();
        let scoped = Scoped {
            value: format!("planAudit.{name}"),
            scope: one.scope,
        };
        if UNSERVED.contains(&name.as_ref()) {
            unserved.push(scoped);
        } else if !SERVED.contains(&name.as_ref()) {
            unknown.push(scoped);
        }
    }
    (unknown, unserved)
}
