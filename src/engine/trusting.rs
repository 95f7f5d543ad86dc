//! Whose evidence counts, and which settings: read at the trust point only (DESIGN section 8).

mod changed;

use std::collections::{BTreeMap, BTreeSet};

use super::judge::asked;
use super::ports::{Objects, TrustRef};
use super::stop::Stop;
use super::world::World;
use crate::ledger::judged::Trust;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::{LedgerId, Oid};
use crate::model::repository::{Accepted, Certainty};
use crate::model::state::{Flag, TRUST_FILES, TrustFiles};
use crate::model::text::{self, quoted};
use crate::trust::allowed_signers;
use crate::trust::signers::{Grant, Signers, Source};
use crate::wire::digest::sha256;
use crate::wire::supervisor;
pub(crate) use changed::{Line, Replaced, differing_files};

/// The directory of plans and trust.
const DIRECTORY: &str = ".plan-auditor";
/// The list of signers.
const SIGNERS: &str = "allowed_signers";
/// The settings.
const SETTINGS: &str = "supervisor.json";
/// The directory of policies.
const POLICIES: &str = "policies";
/// The mode of a directory in a tree.
const DIRECTORY_MODE: u32 = 0o040_000;

/// The trust of one judgement.
#[derive(Clone, Debug)]
pub(crate) struct Trusting {
    /// The trust point; none where there is none.
    pub(crate) point: Option<TrustRef>,
    /// The name of the trust point, where that is the judged commit itself and has no parent to ask.
    pub(crate) first: Option<String>,
    /// Its tree.
    pub(crate) tree: Option<Oid>,
    /// Keys that count, and the pinned ledger.
    pub(crate) trust: Trust,
    /// The ledger that the trust point pins; none where only the clone's own records name one.
    pub(crate) pinned: Option<LedgerId>,
    /// Flags that the settings allow (D9).
    pub(crate) allowed: BTreeSet<Flag>,
    /// The profile.
    pub(crate) profile: String,
    /// How often a step may fail before `run` asks for a reason; none where the settings are wrong.
    pub(crate) max_attempts: Option<u64>,
    /// Tips of the ledger that are not asked for although a trailer names them.
    pub(crate) disregarded: BTreeSet<Oid>,
    /// Whether what carries trust is that of the judged commit, which is the trust point and which a
    /// person accepted in this clone.
    has_accepted: bool,
    /// What a reader should know.
    pub(crate) findings: Vec<Finding>,
}

impl Trusting {
    /// Returns whose evidence counts, as a sentence.
    pub(crate) fn sentence(&self) -> String {
        match &self.trust.signers.source {
            Source::TrustPoint(name) => format!("signers listed at {name}"),
            Source::File(name) => format!("signers listed in {name}"),
            Source::OwnKeys if self.trust.signers.is_empty() => "nobody".to_owned(),
            Source::OwnKeys => "this clone's own keys (no signers are listed)".to_owned(),
        }
    }

    /// Returns who says who counts.
    const fn signers_source(&self) -> &Source {
        &self.trust.signers.source
    }
}

/// Resolves the trust of a judgement of `judged` (none: of a workspace).
pub(crate) fn resolve(world: &World<'_>, judged: Option<&Oid>) -> Result<Trusting, Stop> {
    let tip = tip(world)?;
    let point = seen_from(world, tip.as_ref(), judged)?;
    let tree = match &point {
        Some(point) => Some(tree_of(world.objects, &point.commit)?),
        None => None,
    };
    let mut findings = world.settings.findings.clone();
    let accepted = accepted(world, tip.as_ref(), judged)?;
    // A first commit has no parent: where it was accepted, it is the trust point itself.
    let certain = point
        .as_ref()
        .or(tip.as_ref().filter(|_| accepted.is_some()));
    findings.extend(certain.and_then(|point| uncertain(world, point)));
    let has_accepted = accepted.is_some();
    let settled = accepted.as_ref().map(|accepted| accepted.tree);
    let read = supervisor_at(
        world.objects,
        (point.as_ref(), settled.or(tree).as_ref()),
        &mut findings,
    )?;
    let max_attempts = read.as_ref().map(|settings| settings.max_attempts);
    let settings = read.unwrap_or_default();
    if accepted.is_none() {
        let asked = point.as_ref().filter(|point| point.is_parent);
        if let (Some(point), Some(tip)) = (asked, &tip) {
            let tip = tree_of(world.objects, &tip.commit)?;
            let says_nothing = |tree| -> Result<bool, Stop> {
                let carried = carried(world.objects, tree, &TRUST_FILES)?;
                Ok(carried == Accepted::Nothing)
            };
            // Where neither lists anybody nor sets anything, it makes no difference who is asked.
            if !(says_nothing(tree.as_ref())? && says_nothing(Some(&tip))?) {
                findings.push(parent_asked(point));
            }
        }
        findings.extend(unaccepted(world, point.as_ref(), tree.as_ref())?);
    }
    let list = match (accepted, &point) {
        (Some(present), _) => present.list.map(|list| (present.name, list)),
        (None, Some(point)) => {
            signers_at(world.objects, tree.as_ref())?.map(|list| (point.name.clone(), list))
        }
        (None, None) => None,
    };
    let signers = signers(world, list, &mut findings);
    Ok(Trusting {
        has_accepted,
        first: tip.filter(|_| point.is_none()).map(|tip| tip.name),
        point,
        tree,
        trust: Trust {
            keyring: world.settings.keyring.clone(),
            signers,
            pin: settings.ledger.or(world.settings.own_ledger),
        },
        pinned: settings.ledger,
        allowed: settings.allow_flags,
        profile: settings.profile,
        max_attempts,
        disregarded: settings.disregard_anchors,
        findings,
    })
}

/// The judged commit, which is the trust point itself.
struct Present {
    /// The trust point's name.
    name: String,
    /// Its tree.
    tree: Oid,
    /// Its list of signers; none where it lists nobody.
    list: Option<Vec<u8>>,
}

/// Returns the judged commit where it is the trust point itself, something there carries trust, and
/// a person accepted in this clone all that does; none elsewhere. Its parent may have another list,
/// or none, and a root commit has no parent.
fn accepted(
    world: &World<'_>,
    tip: Option<&TrustRef>,
    judged: Option<&Oid>,
) -> Result<Option<Present>, Stop> {
    let Some(tip) = tip.filter(|tip| Some(&tip.commit) == judged) else {
        return Ok(None);
    };
    if world.settings.accepted.is_none() {
        return Ok(None);
    }
    let tree = tree_of(world.objects, &tip.commit)?;
    let is_any = carried(world.objects, Some(&tree), &TRUST_FILES)? != Accepted::Nothing;
    let list = signers_at(world.objects, Some(&tree))?;
    let name = tip.name.clone();
    let present = Present { name, tree, list };
    Ok((is_any && is_accepted(world, Some(&tree))?).then_some(present))
}

/// Says why nobody can tell whether a trust point is the one that the project means.
///
/// Where a person accepted what it carries, a branch of a usual name that is the only one will do:
/// what it carries is compared.
fn uncertain(world: &World<'_>, point: &TrustRef) -> Option<Finding> {
    let why = match point.certainty {
        Certainty::Named => return None,
        Certainty::Usual if world.settings.accepted.is_some() => return None,
        Certainty::Usual => "the remote did not say that it is its default branch",
        Certainty::Torn => "main and master are both there, and nothing says which one counts",
    };
    let name = point.name.trim_end_matches('^');
    let message = format!("{name} may not be the trust point: {why}");
    let remote = name.strip_prefix("refs/remotes/");
    let remote = remote.and_then(|name| name.rsplit_once('/'));
    let hint = match remote {
        Some((remote, _)) => format!(
            "git remote set-head {} --auto, or name the branch with --base",
            quoted(remote)
        ),
        None => "name the branch that counts with --base".to_owned(),
    };
    Some(Finding::new(&rows::TRUST_UNCERTAIN, message).hint(hint))
}

/// Finds the tip of the branch that is trusted, whatever is judged.
fn tip(world: &World<'_>) -> Result<Option<TrustRef>, Stop> {
    match &world.settings.base {
        Some(name) => named(world.objects, name).map(Some),
        None => world
            .objects
            .default_base()
            .map_err(Stop::broken("find the trust point")),
    }
}

/// Returns the trust point of a judgement: the tip, or its first parent where it is the commit judged.
fn seen_from(
    world: &World<'_>,
    tip: Option<&TrustRef>,
    judged: Option<&Oid>,
) -> Result<Option<TrustRef>, Stop> {
    let Some(tip) = tip.filter(|tip| Some(&tip.commit) == judged) else {
        return Ok(tip.cloned());
    };
    let commit = world
        .objects
        .commit(&tip.commit)
        .map_err(Stop::broken("read the trust point"))?;
    let parent = commit.and_then(|commit| commit.parents.first().copied());
    Ok(parent.map(|commit| TrustRef {
        name: format!("{}^", tip.name),
        commit,
        is_parent: true,
        certainty: tip.certainty,
    }))
}

/// Resolves a trust point by name.
fn named(objects: &dyn Objects, name: &str) -> Result<TrustRef, Stop> {
    // A tag that somebody pushed must not stand before the branch of a remote, nor keep us from it.
    let tracking = format!("refs/remotes/{name}");
    let found = match asked(objects, &tracking)? {
        None => asked(objects, name)?,
        found => found,
    };
    let commit = found.ok_or_else(|| {
        let message = format!("the trust point {name} names no commit here");
        Stop::refuse(
            Finding::new(&rows::NO_REVISION, message)
                .hint("git fetch, or name another one with --base"),
        )
    })?;
    Ok(TrustRef {
        name: name.to_owned(),
        commit: commit.id,
        is_parent: false,
        certainty: Certainty::Named,
    })
}

/// Says that a parent of the trust point was asked: it may have come with the same push.
fn parent_asked(point: &TrustRef) -> Finding {
    let message = format!(
        "the judged commit is the trust point itself, so {} says who counts",
        point.name
    );
    Finding::new(&rows::TRUST_PARENT, message)
        .hint("where several commits came at once: git plan-audit verify --base COMMIT, the last one before them")
}

/// Returns the tree of a commit that must be here.
fn tree_of(objects: &dyn Objects, id: &Oid) -> Result<Oid, Stop> {
    let commit = objects
        .commit(id)
        .map_err(Stop::broken("read the trust point"))?;
    commit.map(|commit| commit.tree).ok_or_else(|| {
        let message = format!("the trust point {id} is not in this clone");
        Stop::Unknown(vec![
            Finding::new(&rows::HISTORY, message).hint("git fetch --unshallow"),
        ])
    })
}

/// Reads supervisor.json at the trust point; none where it is wrong, which is told with its place.
fn supervisor_at(
    objects: &dyn Objects,
    (point, tree): (Option<&TrustRef>, Option<&Oid>),
    findings: &mut Vec<Finding>,
) -> Result<Option<supervisor::Supervisor>, Stop> {
    let Some(tree) = tree else {
        return Ok(Some(supervisor::Supervisor::default()));
    };
    if has_policies(objects, tree)? {
        let message =
            "the trust point holds .plan-auditor/policies, which this version cannot judge";
        findings.push(Finding::new(&rows::POLICIES, message));
    }
    let Some(bytes) = file(objects, tree, SETTINGS)? else {
        return Ok(Some(supervisor::Supervisor::default()));
    };
    match supervisor::read(&bytes) {
        Ok(settings) => {
            if settings.profile == "strict" {
                let message = "the strict profile is not supported yet by this version";
                findings.push(Finding::new(&rows::PROFILE, message));
            }
            Ok(Some(settings))
        }
        Err(wrong) => {
            findings.push(invalid(point, wrong));
            Ok(None)
        }
    }
}

/// Says what is wrong with supervisor.json, and where.
fn invalid(point: Option<&TrustRef>, wrong: supervisor::Wrong) -> Finding {
    let at = point.map_or("the trust point", |point| point.name.as_str());
    let message = format!("supervisor.json at {at}: {}", wrong.message);
    let finding = Finding::new(&rows::SETTINGS_INVALID, message)
        .hint(format!("git log -p {at} -- .plan-auditor/supervisor.json"));
    match wrong.place {
        Some(place) => finding.at(place),
        None => finding,
    }
}

/// Says whether the trust point holds policies.
fn has_policies(objects: &dyn Objects, tree: &Oid) -> Result<bool, Stop> {
    let directory = format!("{DIRECTORY}/policies");
    let entries = objects
        .entries(tree, &directory)
        .map_err(Stop::broken("read a tree"))?;
    Ok(entries.is_some_and(|entries| !entries.is_empty()))
}

/// Reads the signers: a file outside the repository, a list at the trust point, or the clone's own keys.
fn signers(
    world: &World<'_>,
    list: Option<(String, Vec<u8>)>,
    findings: &mut Vec<Finding>,
) -> Signers {
    match (&world.settings.signers_file, list) {
        (Some((name, bytes)), _) => listed(Source::File(name.clone()), bytes, findings),
        (None, Some((name, bytes))) => listed(Source::TrustPoint(name), &bytes, findings),
        (None, None) => own_keys(world),
    }
}

/// Returns the clone's own keys as signers.
fn own_keys(world: &World<'_>) -> Signers {
    let own = world.settings.own_keys.iter();
    Signers::new(
        Source::OwnKeys,
        own.map(|key| (key.clone(), Grant::default())),
    )
}

/// Reads the list of signers of a tree; none where nobody is listed.
fn signers_at(objects: &dyn Objects, tree: Option<&Oid>) -> Result<Option<Vec<u8>>, Stop> {
    let Some(tree) = tree else { return Ok(None) };
    let bytes = file(objects, tree, SIGNERS)?;
    Ok(bytes.filter(|bytes| !says_nothing(bytes)))
}

/// Returns the tree of the trust point, whatever is judged.
fn present_tree(world: &World<'_>) -> Result<Option<Oid>, Stop> {
    let tip = tip(world)?;
    tip.map(|tip| tree_of(world.objects, &tip.commit))
        .transpose()
}

/// Returns what carries trust at the trust point, for a person to accept.
pub(crate) fn present_trust(world: &World<'_>) -> Result<Accepted, Stop> {
    let tree = present_tree(world)?;
    carried(world.objects, tree.as_ref(), &TRUST_FILES)
}

/// Returns what these files of a tree carry: their modes and their very bytes, or the object of a
/// directory; a list that names nobody carries nothing.
fn carried(objects: &dyn Objects, tree: Option<&Oid>, files: &[&str]) -> Result<Accepted, Stop> {
    let Some(tree) = tree else {
        return Ok(Accepted::Nothing);
    };
    let entries = trusted_entries(objects, tree)?;
    let mut text = String::new();
    for (name, (mode, id)) in files.iter().filter_map(|name| entries.get_key_value(*name)) {
        let content = if *mode == DIRECTORY_MODE {
            id.to_string()
        } else {
            let bytes = present(objects, name, id)?;
            if name == SIGNERS && says_nothing(&bytes) {
                continue;
            }
            sha256(&bytes).to_string()
        };
        text.push_str(&[name, "\0", &mode.to_string(), "\0", &content, "\n"].concat());
    }
    let digest = (!text.is_empty()).then(|| sha256(text.as_bytes()));
    Ok(Accepted::of(digest))
}

/// Says whether what carries trust in a tree is what a person accepted in this clone.
///
/// Settings that do nothing but to pin the ledger that this clone's own records name change nothing
/// here: who follows the advice to pin it need not accept it again.
fn is_accepted(world: &World<'_>, tree: Option<&Oid>) -> Result<bool, Stop> {
    let Some(accepted) = world.settings.accepted else {
        return Ok(true);
    };
    let objects = world.objects;
    if carried(objects, tree, &TRUST_FILES)? == accepted {
        return Ok(true);
    }
    let settings = match tree {
        Some(tree) => file(objects, tree, SETTINGS)?,
        None => None,
    };
    let own = world.settings.own_ledger;
    let only_pins = settings
        .and_then(|bytes| supervisor::read(&bytes).ok())
        .is_some_and(|found| {
            let pin = supervisor::Supervisor {
                ledger: own,
                ..supervisor::Supervisor::default()
            };
            own.is_some() && found == pin
        });
    Ok(only_pins && carried(objects, tree, &[SIGNERS, POLICIES])? == accepted)
}

/// Returns the ledger that counts: the one that the trust point pins, else the one that this
/// clone's own records name.
pub(crate) fn pinned(world: &World<'_>) -> Result<Option<LedgerId>, Stop> {
    Ok(pinned_there(world)?.or(world.settings.own_ledger))
}

/// Returns the ledger that the trust point pins.
pub(crate) fn pinned_there(world: &World<'_>) -> Result<Option<LedgerId>, Stop> {
    let tree = present_tree(world)?;
    let settings = supervisor_at(world.objects, (None, tree.as_ref()), &mut Vec::new())?;
    Ok(settings.and_then(|settings| settings.ledger))
}

/// Says that what carries trust at the trust point is not what this clone accepted.
fn unaccepted(
    world: &World<'_>,
    point: Option<&TrustRef>,
    tree: Option<&Oid>,
) -> Result<Option<Finding>, Stop> {
    if is_accepted(world, tree)? {
        return Ok(None);
    }
    let name = point.map_or("the trust point", |point| point.name.as_str());
    let message =
        format!("the signers and settings at {name} are not those that this clone accepted");
    let accepts = "git plan-audit init --no-hooks accepts them";
    let hint = match point {
        Some(_) => format!(
            "git log -p {name} -- {DIRECTORY}/{SIGNERS} {DIRECTORY}/{SETTINGS} shows them; {accepts}"
        ),
        None => accepts.to_owned(),
    };
    Ok(Some(Finding::new(&rows::SIGNERS_NEW, message).hint(hint)))
}

/// Reads a list; it stands for itself also when none of its lines can be used.
fn listed(source: Source, bytes: &[u8], findings: &mut Vec<Finding>) -> Signers {
    let listed = allowed_signers::read(bytes);
    for unused in &listed.unused {
        let message = format!(
            "line {} of allowed_signers is not used: {}",
            unused.line, unused.why
        );
        findings.push(Finding::new(&rows::SIGNERS_UNUSED, message));
    }
    let signers = Signers::new(source, listed.entries);
    if !signers.is_empty() && !signers.has_approver() {
        findings.push(Finding::new(&rows::NO_APPROVER, "no approver configured"));
    }
    signers
}

/// Says whether a list has nothing but comments and blank lines.
fn says_nothing(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('#'))
}

/// Reads a file of the plan directory of a tree; none where the tree names none.
fn file(objects: &dyn Objects, tree: &Oid, name: &str) -> Result<Option<Vec<u8>>, Stop> {
    let entries = trusted_entries(objects, tree)?;
    let found = entries.get(name);
    found.map(|(_, id)| present(objects, name, id)).transpose()
}

/// Reads a file of trust that must be here: one that was lost is not one that nobody wrote.
fn present(objects: &dyn Objects, name: &str, id: &Oid) -> Result<Vec<u8>, Stop> {
    let blob = objects
        .blob(id)
        .map_err(Stop::broken("read a file of trust"))?;
    blob.ok_or_else(|| {
        let message = format!("{DIRECTORY}/{name} at the trust point ({id}) is not in this clone");
        Stop::Unknown(vec![
            Finding::new(&rows::HISTORY, message).hint("git fetch --no-filter --refetch"),
        ])
    })
}

/// Returns what a tree holds beside its plans: mode and object by name, also of directories.
fn trusted_entries(
    objects: &dyn Objects,
    tree: &Oid,
) -> Result<BTreeMap<String, (u32, Oid)>, Stop> {
    let entries = objects
        .entries(tree, DIRECTORY)
        .map_err(Stop::broken("read a tree"))?;
    let named = entries.into_iter().flatten().filter_map(|entry| {
        let name = String::from_utf8(entry.name).ok()?;
        Some((name, (entry.mode, entry.id)))
    });
    Ok(named.collect())
}

/// Returns what carries trust in a tree.
pub(crate) fn trust_files(objects: &dyn Objects, tree: &Oid) -> Result<TrustFiles, Stop> {
    let mut found = TrustFiles::new();
    let mut directories = vec![String::new()];
    while let Some(directory) = directories.pop() {
        let path = format!("{DIRECTORY}{directory}");
        let entries = objects
            .entries(tree, &path)
            .map_err(Stop::broken("read a tree"))?;
        for entry in entries.into_iter().flatten() {
            let name = text::path(&entry.name);
            if directory.is_empty() && !TRUST_FILES.contains(&name.as_str()) {
                continue;
            }
            let below = format!("{directory}/{name}");
            if entry.mode == DIRECTORY_MODE {
                directories.push(below);
            } else {
                let below = below.trim_start_matches('/').to_owned();
                found.insert(below, (entry.mode, entry.id));
            }
        }
    }
    Ok(found)
}
