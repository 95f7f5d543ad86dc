//! The life of a contract in the world in memory: generations, ends, seals by hand.

use super::{Fake, PLAN, Proves, answer, plan, said};
use crate::engine::append::{Entry, append};
use crate::engine::audit::{self, Subject, audit};
use crate::engine::bound::on_disk;
use crate::engine::close::{self, How};
use crate::engine::seal::{Renewal, Request, seal};
use crate::ledger::notes::Notes as _;
use crate::ledger::testing::ledger;
use crate::model::ids::{PlanName, RecordId};
use crate::model::outcome::{Outcome, Word};
use crate::model::record::{Kept, Kind, Role, SealBody, SealedPins};
use crate::model::time::Timestamp;
use crate::wire::body;
use crate::wire::digest::sha256;

impl Fake {
    /// Makes a world whose plan is sealed and committed, and whose trust point lists clone 1, which
    /// may approve, and clone 2, which may not.
    pub(crate) fn with_approver() -> Self {
        let fake = Self::with(Proves::Ssh);
        fake.write(PLAN, &plan("true"));
        let approver = Self::signer_line(1).replacen(
            ' ',
            " namespaces=\"git-plan-audit,git-plan-audit-approve\" ",
            1,
        );
        let signers = approver + &Self::signer_line(2);
        fake.write(".plan-auditor/allowed_signers", &signers);
        assert_eq!(said(&fake.seal().unwrap()).0, Word::Ok);
        let base = fake.commit();
        fake.trust(base);
        fake.configured.borrow_mut().own_ledger = Some(ledger(1));
        fake
    }

    /// Seals as it is asked.
    pub(crate) fn seal_as(&self, request: &Request) -> Result<Outcome, String> {
        self.flow(|world, recorder| answer(seal(world, recorder, request)))
    }

    /// Seals the plan of a name.
    pub(crate) fn seal_plan(&self, name: &str) -> Result<Outcome, String> {
        self.seal_as(&Request {
            plan: PlanName::parse(name),
            ..Request::default()
        })
    }

    /// Seals the plan as a new generation.
    pub(crate) fn renew(&self, role: Role) -> Result<Outcome, String> {
        let reason = "the first was wrong".to_owned();
        self.seal_as(&Request {
            renewal: Some(Renewal { reason, role }),
            ..Request::default()
        })
    }

    /// Seals the plan on disk without any question, as somebody does who writes the record by hand.
    pub(crate) fn seal_by_hand(
        &self,
        continues: &[RecordId],
        generation: u32,
        reason: Option<&str>,
    ) {
        self.seal_pins_by_hand(continues, generation, reason, None);
    }

    /// Seals the plan so, with pins as they are given.
    pub(crate) fn seal_pins_by_hand(
        &self,
        continues: &[RecordId],
        generation: u32,
        reason: Option<&str>,
        pins: Option<SealedPins>,
    ) {
        let plan = &on_disk(self).unwrap()[0];
        let sealable = plan.contract.clone().unwrap();
        let body = SealBody {
            plan: plan.name.clone(),
            contract: sealable.digest,
            kept: Kept {
                blob: self.notes.blob_id(&sealable.bytes),
                bytes: u64::try_from(sealable.bytes.len()).unwrap(),
                sha256: sha256(&sealable.bytes),
            },
            continues: continues.to_vec(),
            generation,
            branch: None,
            profile: "standard".to_owned(),
            pins,
            reason: reason.map(str::to_owned),
        };
        let entry = Entry {
            target: self.head().unwrap(),
            records: vec![(Kind::Seal, body::write_seal(&body).unwrap())],
            kept: vec![sealable.bytes],
            subject: "by hand".to_owned(),
            seen: Vec::new(),
            role: Role::Record,
            time: Timestamp::from_seconds(1_800_000_000).unwrap(),
        };
        let identity = self.identity();
        self.flow(|world, recorder| append(world, recorder, &identity, entry))
            .unwrap();
    }

    /// Closes a plan with HEAD, or gives it up.
    pub(crate) fn close(&self, how: How) -> Result<Outcome, String> {
        let request = close::Request { plan: None, how };
        self.flow(|world, recorder| answer(close::close(world, recorder, &request)))
    }

    /// Audits one plan.
    pub(crate) fn audit_of(&self, plan: &str) -> Result<Outcome, String> {
        let plan = PlanName::parse(plan);
        self.flow(|world, recorder| {
            let request = audit::Request {
                subject: Subject::Worktree,
                only: plan.as_ref(),
                jobs: self.jobs.get(),
            };
            answer(audit(world, recorder, request, &|_| {}))
        })
    }
}
