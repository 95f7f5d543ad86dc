//! True records for tests, written by several keys in several clones.

use std::collections::BTreeMap;

use super::judged::Trust;
use crate::model::check::{CheckResult, End};
use crate::model::ids::{Digest, InstanceId, LedgerId, Oid, PlanName, RecordId, Writer};
use crate::model::record::{
    AuditBody, AuditPlace, Header, InstanceBody, Kept, Kind, Proof, SealBody, StepResult,
};
use crate::model::state::{Control, Noted, State, Untracked};
use crate::model::time::Timestamp;
use crate::trust::keyring::{Keyring, hmac_id, mac};
use crate::trust::signers::{Grant, Signers, Source};
use crate::wire::body;
use crate::wire::proof::message;
use crate::wire::record::Draft;

/// Returns the key with a number.
pub(crate) fn key(number: u8) -> Vec<u8> {
    vec![number; 32]
}

/// Returns the name of a key.
pub(crate) fn writer(number: u8) -> Writer {
    Writer::Hmac(hmac_id(&key(number)))
}

/// Returns the ledger with a number.
pub(crate) fn ledger(number: u8) -> LedgerId {
    LedgerId::new([number; 32])
}

/// Returns an object with a number.
pub(crate) fn object(number: u8) -> Oid {
    Oid::Sha256([number; 32])
}

/// Returns a ring of the keys 0 to 9.
pub(crate) fn keyring() -> Keyring {
    let mut ring = Keyring::default();
    for number in 0..10 {
        ring.add(key(number));
    }
    ring
}

/// Trusts these keys, whatever the time.
pub(crate) fn trust(keys: &[u8]) -> Trust {
    let entries = keys
        .iter()
        .map(|number| (writer(*number), Grant::default()));
    Trust {
        keyring: keyring(),
        signers: Signers::new(Source::OwnKeys, entries),
        pin: None,
    }
}

/// One key in one clone, with the end of its chain.
#[derive(Clone, Debug)]
pub(crate) struct Pen {
    /// The key.
    pub(crate) key: u8,
    /// The clone.
    pub(crate) instance: u8,
    /// The ledger.
    pub(crate) ledger: u8,
    /// The last record.
    pub(crate) head: RecordId,
}

impl Pen {
    /// Takes a key in a clone that has written nothing yet.
    pub(crate) const fn new(key: u8, instance: u8) -> Self {
        Self {
            key,
            instance,
            ledger: 1,
            head: RecordId::NONE,
        }
    }

    /// Drafts one record after the head.
    pub(crate) fn draft(
        &self,
        at: Oid,
        (kind, text): &(Kind, String),
        seen: &[RecordId],
        covers: u32,
    ) -> Draft {
        let mut prev = vec![self.head];
        prev.extend(seen.iter().filter(|id| **id != self.head).take(15));
        let header = Header {
            kind: kind.as_str().to_owned(),
            ledger: ledger(self.ledger),
            writer: writer(self.key),
            instance: InstanceId::new([self.instance; 16]),
            prev,
            time: Timestamp::from_seconds(1_800_000_000).unwrap(),
            head: at,
            covers,
        };
        Draft::new(&header, text)
    }

    /// Proves a record with the key.
    pub(crate) fn prove(&self, id: &RecordId) -> Proof {
        Proof::Hmac {
            key: hmac_id(&key(self.key)),
            mac: mac(&key(self.key), &message(id)).unwrap(),
        }
    }

    /// Writes records of one append, of which the last is proven and vouches for the others; an
    /// `instance` comes first where the chain is not open.
    pub(crate) fn write(
        &mut self,
        at: Oid,
        records: &[(Kind, String)],
        seen: &[RecordId],
    ) -> Vec<String> {
        let mut all = records.to_vec();
        if self.head == RecordId::NONE {
            all.insert(0, (Kind::Instance, instance_body()));
        }
        let last = all.len() - 1;
        let mut drafts = Vec::new();
        for (index, record) in all.iter().enumerate() {
            let covers = if index == last {
                u32::try_from(last).unwrap()
            } else {
                0
            };
            let seen = if index == 0 { seen } else { &[] };
            let draft = self.draft(at, record, seen, covers);
            self.head = draft.id();
            drafts.push(draft);
        }
        let proof = self.prove(&self.head);
        let line = |draft: &Draft| {
            if draft.id() == self.head {
                draft.line(&proof)
            } else {
                draft.line(&Proof::By(self.head))
            }
        };
        drafts.iter().map(line).collect()
    }
}

/// Lines by the object whose note holds them.
pub(crate) type Lines = BTreeMap<Oid, Vec<String>>;

/// Body of an `instance`.
pub(crate) fn instance_body() -> String {
    let body = InstanceBody {
        reason: None,
        tool: "0.1.0".to_owned(),
    };
    body::write_instance(&body).unwrap()
}

/// Body of a seal of a contract of the default plan.
pub(crate) fn seal_body(contract: Digest) -> String {
    let body = SealBody {
        plan: PlanName::default_plan(),
        contract,
        kept: Kept {
            blob: object(0),
            bytes: 0,
            sha256: Digest::ZERO,
        },
        continues: Vec::new(),
        generation: 1,
        branch: None,
        profile: "standard".to_owned(),
        pins: None,
        reason: None,
    };
    body::write_seal(&body).unwrap()
}

/// Body of an audit of the default plan, one step of which has one check that ended with `code`.
pub(crate) fn audit_body(contract: Digest, tree: Oid, code: i32) -> String {
    let step = StepResult {
        id: 1,
        required: Vec::new(),
        checks: vec![CheckResult::of(End::Exited(code))],
        outputs: Vec::new(),
    };
    let body = AuditBody {
        plan: PlanName::default_plan(),
        contract,
        place: AuditPlace::Worktree,
        platform: "linux-x86_64".to_owned(),
        tool: "0.1.0".to_owned(),
        before: clean(tree),
        after: clean(tree),
        steps: vec![step],
        kept: None,
    };
    body::write_audit(&body).unwrap()
}

/// A state with nothing odd.
pub(crate) fn clean(tree: Oid) -> State {
    let zero = Digest::ZERO;
    State {
        head: None,
        branch: None,
        tree,
        content: zero,
        index: zero,
        staged_tree: Some(tree),
        untracked: Untracked {
            noted: Noted::default(),
            digest: zero,
        },
        hidden: Noted::default(),
        flags: BTreeMap::new(),
        control: Control {
            config: zero,
            hooks: zero,
            info: zero,
            replace: zero,
        },
        aside: crate::model::state::Aside::default(),
    }
}
