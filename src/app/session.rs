//! One open repository with everything that a command may need of it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gix::bstr::BString;

use super::surroundings::Surroundings;
use crate::engine::ports::{Cause, Identity};
use crate::engine::stop::{Stop, causes, remedy};
use crate::engine::world::{Outside, Settings};
use crate::git::open::{Given, OpenError, Repository};
use crate::git::parameters;
use crate::ledger::reading::Readings;
use crate::local::identity::OwnKey;
use crate::local::places::Places;
use crate::local::{LocalError, accepted, anchors, identity, instance, instances, paths};
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::{LedgerId, Oid, Writer};
use crate::model::record::AuditPlace;
use crate::model::settings::{Setting, Settings as Configured};
use crate::model::state::StateError;
use crate::model::text::shown;
use crate::proc::Interrupts;
use crate::sign::key::Key;
use crate::sign::keygen::Keygen;
use crate::sign::{SignError, hmac_file};

/// Variables that name an HMAC key file: ours, and that of plan-auditor.
const HMAC_VARIABLES: [&str; 2] = ["PLAN_AUDIT_HMAC_KEY_FILE", "PLAN_AUDITOR_HMAC_KEY_FILE"];

/// Whether there are objects beside those of the repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// A server asks its hook about a push: they lie apart until the hook has agreed.
    Receiving,
    /// No.
    Settled,
}

/// One open repository.
pub(super) struct Session {
    /// The repository.
    pub(super) repository: Rc<Repository>,
    /// Where local files live; none without a home, which only recording needs.
    pub(super) places: Result<Places, String>,
    /// What git is configured to.
    pub(super) configured: Configured,
    /// Who this clone is.
    pub(super) found: instance::Found,
    /// Whether another clone recorded at this path.
    pub(super) is_exchanged: bool,
    /// Keys that this clone has used; the last is in use.
    pub(super) keys: Vec<OwnKey>,
    /// What the engine needs of all this.
    pub(super) settings: Settings,
    /// What was read of the ledger last.
    pub(super) readings: Readings,
}

impl Session {
    /// Opens the repository that the process was started in, with what came with a push where a server
    /// asks.
    pub(super) fn open(
        surroundings: &Surroundings,
        base: Option<&str>,
        stage: Stage,
    ) -> Result<Self, Stop> {
        let repository = open(surroundings, stage)?;
        refuse_pager(surroundings, &repository)?;
        let configured = repository.settings();
        let places = Places::find(
            repository.common_dir(),
            repository.git_dir(),
            &surroundings.variables,
        );
        if let Ok(places) = &places {
            places.demand_own().map_err(local)?;
        }
        let (found, keys, is_exchanged) = match &places {
            Ok(places) => known(places, &repository).map_err(local)?,
            Err(_) => (instance::Found::Absent, Vec::new(), false),
        };
        let mut session = Self {
            repository: Rc::new(repository),
            places: places.map_err(|error| error.to_string()),
            configured,
            found,
            is_exchanged,
            keys,
            settings: Settings::default(),
            readings: Readings::default(),
        };
        session.settings = session.gather(surroundings, base)?;
        Ok(session)
    }

    /// Returns who this clone is, where it can record.
    pub(super) fn identity(&self) -> Option<&Identity> {
        match &self.found {
            instance::Found::Own(identity) if !self.keys.is_empty() => Some(identity),
            instance::Found::Own(_) | instance::Found::Copied(_) | instance::Found::Absent => None,
        }
    }

    /// Refuses where this clone cannot record, with what ends that.
    pub(super) fn demand_known(&self) -> Result<(), Stop> {
        self.places()?;
        match self.identity() {
            Some(_) => Ok(()),
            None if self.settings.anchored.is_empty() => Err(super::desk::not_initialised()),
            None => Err(super::initialise::forgotten()),
        }
    }

    /// Says that the file is gone that says who this clone is, although it has recorded.
    fn gone(&self, settings: &Settings) -> Option<Finding> {
        let has_recorded = !(settings.own_instances.is_empty() && settings.anchored.is_empty());
        let is_gone = match &self.found {
            instance::Found::Own(_) => false,
            instance::Found::Copied(_) | instance::Found::Absent => has_recorded,
        };
        is_gone.then(|| {
            let message = "this clone has recorded before, and its instance is gone from \
                           .git/plan-audit";
            Finding::new(&rows::INSTANCE_GONE, message).hint(
                "git plan-audit init --no-hooks --new-instance --reason TEXT, if that is meant",
            )
        })
    }

    /// Adds what this clone knows outside the repository.
    fn add_known(&self, settings: &mut Settings) -> Result<(), LocalError> {
        let Ok(places) = &self.places else {
            return Ok(());
        };
        let known = anchors::known(places)?;
        let mut ledgers: Vec<LedgerId> = known.iter().filter_map(|(_, ledger)| *ledger).collect();
        ledgers.dedup();
        if let [one] = ledgers.as_slice() {
            settings.own_ledger = Some(*one);
        }
        settings.anchored = known.into_iter().map(|(head, _)| head).collect();
        settings.accepted = accepted::read(places)?;
        settings.own_instances = instances::read(places)?;
        Ok(())
    }

    /// Returns the work tree, or refuses.
    pub(super) fn work_dir(&self) -> Result<&Path, Stop> {
        self.repository
            .work_dir()
            .ok_or_else(|| StateError::Bare.into())
    }

    /// Returns the places of local files, or refuses.
    pub(super) fn places(&self) -> Result<&Places, Stop> {
        self.places.as_ref().map_err(|why| {
            Stop::refuse(Finding::new(&rows::NOT_INITIALISED, why.clone()).hint("set HOME"))
        })
    }

    /// Returns the key in use.
    pub(super) fn key(
        &self,
        surroundings: &Surroundings,
        interrupts: &Interrupts,
    ) -> Result<Key, Stop> {
        let own = self.keys.last().ok_or_else(super::desk::not_initialised)?;
        let found = match &own.writer {
            Writer::Ssh(_) => keygen(surroundings, interrupts).map(|keygen| Key::Ssh {
                keygen,
                location: own.location.clone(),
                writer: own.writer.clone(),
            }),
            Writer::Hmac(_) => {
                hmac_file::read(Path::new(&own.location), self.repository.work_dir()).map(Key::hmac)
            }
        };
        found
            .and_then(|key| key.demand_present().map(|()| key))
            .map_err(|error| lost(own, &error))
    }

    /// Returns the HMAC key file that is configured outside the repository.
    pub(super) fn hmac_file(&self, surroundings: &Surroundings) -> Option<PathBuf> {
        let named = HMAC_VARIABLES
            .into_iter()
            .find_map(|name| surroundings.path(name));
        named.map(Path::to_path_buf).or_else(|| {
            self.configured
                .hmac_key_file
                .outside()
                .map(|file| file.value.clone())
        })
    }

    /// Puts together what the engine needs.
    fn gather(&self, surroundings: &Surroundings, base: Option<&str>) -> Result<Settings, Stop> {
        let configured = &self.configured;
        let mut settings = Settings {
            base: base
                .map(str::to_owned)
                .or_else(|| configured.base.outside().map(|each| each.value.clone())),
            own_keys: self.keys.iter().map(|key| key.writer.clone()).collect(),
            places: configured.place.demands().into_iter().cloned().collect(),
            platforms: configured.platform.demands().into_iter().cloned().collect(),
            reviews: demanded(&configured.reviews),
            each: configured.each.demands().into_iter().any(|each| *each),
            gates: configured.gates.clone(),
            outside: Outside {
                places: outside(&configured.place),
                platforms: outside(&configured.platform),
            },
            bare_hint: self.repository.bare_hint(),
            fetched: self.fetched(),
            findings: self
                .disguised()
                .into_iter()
                .chain(self.ignored_settings())
                .chain(self.odd_places())
                .chain(self.odd_reviews())
                .collect(),
            ..Settings::default()
        };
        if let Some(file) = configured.allowed_signers.outside() {
            settings.signers_file = Some(read_signers(&file.value)?);
        }
        settings.merging = self.repository.merging().map_err(|error| {
            let message = format!("cannot read MERGE_HEAD: {error}");
            Stop::refuse(Finding::new(&rows::REPOSITORY, message).hint("git merge --abort"))
        })?;
        // Before the hook of a merge, git has named the heads so and not written MERGE_HEAD yet.
        let named = surroundings.variables.keys().filter_map(|name| {
            let id = Oid::parse(name.to_str()?.strip_prefix("GITHEAD_")?)?;
            Some(id).filter(|id| !settings.merging.contains(id))
        });
        let named: Vec<Oid> = named.collect();
        settings.merging.extend(named);
        settings.findings.extend(merging(&settings.merging));
        self.add_known(&mut settings).map_err(local)?;
        settings.findings.extend(self.gone(&settings));
        self.add_hmac_keys(surroundings, &mut settings)?;
        Ok(settings)
    }

    /// Adds the HMAC keys at hand: the configured one, and those that this clone has used.
    fn add_hmac_keys(
        &self,
        surroundings: &Surroundings,
        settings: &mut Settings,
    ) -> Result<(), Stop> {
        if let Some(file) = self.hmac_file(surroundings) {
            let key = hmac_file::read(&file, self.repository.work_dir())
                .map_err(|error| unusable(&error))?;
            settings
                .own_keys
                .push(Writer::Hmac(crate::trust::keyring::hmac_id(&key)));
            settings.keyring.add(key);
        }
        for own in self
            .keys
            .iter()
            .filter(|key| matches!(key.writer, Writer::Hmac(_)))
        {
            match hmac_file::read(Path::new(&own.location), self.repository.work_dir()) {
                Ok(key) => settings.keyring.add(key),
                Err(error) => {
                    settings
                        .findings
                        .push(Finding::new(&rows::KEY_GONE, error.to_string()));
                }
            }
        }
        Ok(())
    }

    /// Says why this clone's own keys are not known.
    fn place_finding(&self) -> Option<Finding> {
        match (&self.places, &self.found) {
            (Err(why), _) => Some(Finding::new(&rows::NO_HOME, why.clone()).hint("set HOME")),
            (Ok(_), _) if self.is_exchanged => {
                let message = "another clone recorded at this path: what a person accepted there is \
                               not known of this one";
                Some(
                    Finding::new(&rows::EXCHANGED, message)
                        .hint("if it was replaced on purpose: git plan-audit init --no-hooks"),
                )
            }
            (Ok(_), instance::Found::Copied(_)) => {
                let message = "this clone was copied or moved, or has the id of another one, so its keys \
                               are not known here";
                Some(Finding::new(&rows::COPIED, message).hint("git plan-audit init --no-hooks"))
            }
            (Ok(_), instance::Found::Own(_) | instance::Found::Absent) => None,
        }
    }

    /// Says that git shows other objects here than those that are judged.
    fn disguised(&self) -> Option<Finding> {
        let found = self.repository.disguises();
        (!found.is_empty()).then(|| {
            let message = format!(
                "{} make git show other objects: the true ones are judged",
                found.join(" and ")
            );
            Finding::new(&rows::OBJECTS_REPLACED, message)
                .hint("git replace -l names the first, cat .git/info/grafts the second")
        })
    }

    /// Lists what remotes had when they were asked last.
    fn fetched(&self) -> Vec<(String, Oid)> {
        let remotes = self.configured.remotes.iter();
        let ledger = |name: &String| Some((name.clone(), self.repository.ledger_at(name)?));
        remotes.filter_map(|remote| ledger(&remote.name)).collect()
    }

    /// Names values of `planAudit.place` that no audit could have.
    fn odd_places(&self) -> impl Iterator<Item = Finding> {
        let asked = self.configured.place.demands().into_iter();
        let known = [AuditPlace::Worktree, AuditPlace::Checkout].map(AuditPlace::as_str);
        let odd = asked.filter(move |place| !known.contains(&place.as_str()));
        odd.map(|place| {
            let message = format!(
                "planAudit.place is {}, and an audit runs in worktree or checkout: none can count",
                shown(place)
            );
            Finding::new(&rows::SETTINGS_INVALID, message)
                .hint("git config --show-origin --get-all planAudit.place")
        })
    }

    /// Says that `planAudit.requireReviews` is no number.
    fn odd_reviews(&self) -> Option<Finding> {
        let mut asked = self.configured.reviews.demands().into_iter();
        let message = "planAudit.requireReviews is no whole number: how many people have to approve \
                       cannot be told";
        asked.any(Option::is_none).then(|| {
            Finding::new(&rows::SETTINGS_INVALID, message)
                .hint("git config --show-origin --get-all planAudit.requireReviews")
        })
    }

    /// Names settings of the repository that are not used, and why.
    fn ignored_settings(&self) -> Vec<Finding> {
        let configured = &self.configured;
        let inside = |name: &str, is_inside: bool| {
            is_inside.then(|| {
                let message = format!(
                    "{name} in the repository's own configuration is not used: it could widen trust"
                );
                Finding::new(&rows::SETTING_IGNORED, message).hint(format!(
                    "git config --global {name} ..., or name it on the command line"
                ))
            })
        };
        let (text, path) = (in_repository::<String>, in_repository::<PathBuf>);
        let signing = self.keys.is_empty() && text(&configured.signing_key);
        let mut findings: Vec<Finding> = [
            inside("planAudit.base", text(&configured.base)),
            inside(
                "planAudit.allowedSigners",
                path(&configured.allowed_signers),
            ),
            inside("planAudit.hmacKeyFile", path(&configured.hmac_key_file)),
            inside("planAudit.checkUser", text(&configured.check_user)),
            inside("user.signingKey", signing),
        ]
        .into_iter()
        .flatten()
        .collect();
        findings.extend(self.place_finding());
        findings.extend(configured.unknown.iter().map(|each| {
            let message = format!(
                "{} ({}) is no setting of this tool",
                each.value,
                each.scope.as_str()
            );
            Finding::new(&rows::SETTING_UNKNOWN, message)
        }));
        findings.extend(configured.unserved.iter().map(|each| {
            let message = format!(
                "{} ({}) is not served by this version",
                each.value,
                each.scope.as_str()
            );
            Finding::new(&rows::SETTING_UNSERVED, message)
        }));
        findings
    }
}

/// Reads who this clone is, with which keys it recorded, and whether another one recorded at its path.
///
/// To a user who may not read what another one keeps here this is a clone that never recorded: judging needs
/// none of it, and recording is refused where it would write.
fn known(
    places: &Places,
    repository: &Repository,
) -> Result<(instance::Found, Vec<OwnKey>, bool), LocalError> {
    let found = match instance::read(places) {
        Err(error) if error.is_denied() => instance::Found::Absent,
        found => found?,
    };
    Ok((
        found,
        identity::read(places)?,
        paths::is_exchanged(places, repository.work_dir())?,
    ))
}

/// Returns the greatest number that is demanded: the repository can only ask for more.
fn demanded(setting: &Setting<Option<u32>>) -> u32 {
    let all = setting.demands().into_iter().flatten();
    all.copied().max().unwrap_or(0)
}

/// Says whether the value that git would use is one of the repository's own.
fn in_repository<T>(setting: &Setting<T>) -> bool {
    let value = setting.value();
    value.is_some_and(|value| value.scope.is_in_repository())
}

/// Opens the repository, with the settings of `git -c` that gix does not read by itself.
fn open(surroundings: &Surroundings, stage: Stage) -> Result<Repository, Stop> {
    let command = command_lines(surroundings)?;
    let path = |name| surroundings.path(name).map(Path::to_path_buf);
    let names = |name: &str| surroundings.variable(name).is_some();
    let given = Given {
        command,
        git_dir: path("GIT_DIR"),
        common_dir: path("GIT_COMMON_DIR"),
        names_work_tree: names("GIT_DIR") && names("GIT_WORK_TREE"),
        incoming: match stage {
            Stage::Receiving => super::pushed::incoming(surroundings),
            Stage::Settled => Vec::new(),
        },
    };
    Repository::open_with(&surroundings.directory, &given).map_err(|error| refused(&error))
}

/// Refuses to speak through a program of the repository, which git has started before us.
fn refuse_pager(surroundings: &Surroundings, repository: &Repository) -> Result<(), Stop> {
    let is_set = |name: &str| surroundings.variables.contains_key(OsStr::new(name));
    if !is_set("GIT_PAGER_IN_USE") || is_set("GIT_PAGER") {
        return Ok(());
    }
    let Some(key) = repository.own_pager() else {
        return Ok(());
    };
    let message = format!(
        "git shows this through a program that the repository's configuration names ({key}): it may \
         show other words than these"
    );
    let hint = "git --no-pager plan-audit, or git-plan-audit in one word";
    Err(Stop::refuse(
        Finding::new(&rows::REPOSITORY, message).hint(hint),
    ))
}

/// Returns the settings of `git -c`.
pub(super) fn command_lines(surroundings: &Surroundings) -> Result<Vec<BString>, Stop> {
    let lines = surroundings.variable("GIT_CONFIG_PARAMETERS");
    let lines = lines.map_or(Some(Vec::new()), |text| parameters::read(text.as_bytes()));
    lines.ok_or_else(|| {
        let message = "GIT_CONFIG_PARAMETERS is not what git writes for `git -c key=value`";
        Stop::refuse(Finding::new(&rows::REPOSITORY, message).hint("unset GIT_CONFIG_PARAMETERS"))
    })
}

/// Returns what is demanded from outside the repository.
fn outside(setting: &Setting<String>) -> Vec<String> {
    let value = setting.outside().map(|each| each.value.clone());
    value.into_iter().collect()
}

/// Says that a merge is under way.
fn merging(heads: &[Oid]) -> Option<Finding> {
    let first = heads.first()?;
    let message = format!(
        "a merge of {} is under way: contracts that were sealed there bind the workspace too",
        first.short()
    );
    Some(Finding::new(&rows::MERGING, message))
}

/// Finds ssh-keygen.
pub(super) fn keygen(
    surroundings: &Surroundings,
    interrupts: &Interrupts,
) -> Result<Keygen, SignError> {
    Keygen::find(&surroundings.variables, &surroundings.directory, interrupts)
}

/// Refuses a key that cannot be used.
pub(super) fn unusable(error: &SignError) -> Stop {
    let mut finding = Finding::new(&rows::KEY, causes(error));
    finding.hint = remedy(error).or_else(|| {
        Some(
            "a key with a passphrase: ssh-add FILE; another key: git plan-audit init --no-hooks --key FILE; \
             without ssh-keygen: git plan-audit init --no-hooks --hmac"
                .to_owned(),
        )
    });
    Stop::refuse(finding)
}

/// Refuses to go on with the key in use, and says how to take another one.
pub(super) fn lost(own: &OwnKey, error: &SignError) -> Stop {
    let text = format!("the key in use cannot be used: {}", causes(error));
    let hint = match (error, &own.writer) {
        (SignError::NoKeygen, _) => "install it, or put its directory into PATH",
        (_, Writer::Ssh(_)) => {
            "put it back, or take another one: ssh-keygen -t ed25519 -f FILE, then \
             git plan-audit init --no-hooks --key FILE"
        }
        (_, Writer::Hmac(_)) => {
            "put it back, or take another one: git plan-audit init --no-hooks --hmac --key FILE"
        }
    };
    Stop::refuse(Finding::new(&rows::KEY, text).hint(hint))
}

/// Reads a file of signers outside the repository.
fn read_signers(path: &Path) -> Result<(String, Vec<u8>), Stop> {
    let name = path.display().to_string();
    match crate::local::file::read(path) {
        Ok(Some(bytes)) => Ok((name, bytes)),
        Ok(None) => Err(no_signers(&format!(
            "planAudit.allowedSigners names {name}, which is not there"
        ))),
        Err(error) => Err(no_signers(&causes(&error))),
    }
}

/// Refuses a file of signers that cannot be read.
fn no_signers(why: &str) -> Stop {
    Stop::refuse(
        Finding::new(&rows::SETTINGS_INVALID, why)
            .hint("git config --show-origin planAudit.allowedSigners"),
    )
}

/// Refuses a repository.
fn refused(error: &OpenError) -> Stop {
    let text = if matches!(error, OpenError::NotFound { .. }) {
        error.to_string()
    } else {
        causes(error)
    };
    let mut finding = Finding::new(&rows::REPOSITORY, text);
    finding.hint = error.hint();
    Stop::refuse(finding)
}

/// Refuses because of a local file.
pub(super) fn local(error: LocalError) -> Stop {
    let error: Cause = error.into();
    let mut finding = Finding::new(&rows::LOCAL_FILE, causes(&*error));
    finding.hint = remedy(&*error);
    Stop::refuse(finding)
}

/// Returns the name of the platform as records have it.
pub(super) fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}
