//! Claims that hold on: those that say `hold` are tested at whatever is judged, not only where the work began.

use super::Judge;
use crate::engine::place::Place;
use crate::engine::ports::Commit;
use crate::engine::preflight::answers;
use crate::engine::preflight::testing::{self, Known, message};
use crate::engine::stop::Stop;
use crate::model::claim::Claim;
use crate::model::claim::evidence::Tested;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, claims as rows};
use crate::model::outcome::TestedClaim;

impl Judge<'_> {
    /// Says which claims of a contract that are to hold on do not hold in a place.
    pub(in crate::engine) fn held(
        &self,
        contract: &Contract,
        place: &Place,
    ) -> Result<Vec<Finding>, Stop> {
        let mut findings = Vec::new();
        for claim in self.tested(contract, place, |claim| claim.hold)? {
            findings.extend(answers::findings(&claim));
            findings.extend(not_held(&claim));
        }
        Ok(findings)
    }

    /// Says which of the other claims do not hold in a place (any more): that may be what the plan is for.
    pub(in crate::engine) fn no_longer(
        &self,
        contract: &Contract,
        place: &Place,
    ) -> Result<Option<Finding>, Stop> {
        let tested = self.tested(contract, place, |claim| !claim.hold)?;
        let is_false = |claim: &&TestedClaim| claim.tested() == Tested::Disproved;
        let ids: Vec<String> = tested
            .iter()
            .filter(is_false)
            .flat_map(|claim| claim.ids.clone())
            .collect();
        if ids.is_empty() {
            return Ok(None);
        }
        let message = format!("claims that do not hold here: {}", ids.join(", "));
        let hint = "where one has to: \"hold\": true in the claim";
        Ok(Some(Finding::new(&rows::NO_LONGER, message).hint(hint)))
    }

    /// Tests claims of a contract in a place, whose tree need not be in the object store.
    fn tested(
        &self,
        contract: &Contract,
        place: &Place,
        is_meant: fn(&Claim) -> bool,
    ) -> Result<Vec<TestedClaim>, Stop> {
        let claims: Vec<Claim> = contract
            .claims
            .iter()
            .filter(|one| is_meant(one))
            .cloned()
            .collect();
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let objects = self.world.objects;
        let commit = Commit {
            id: self.judged.or(self.tip).unwrap_or(*place.tree()),
            tree: *place.tree(),
            parents: Vec::new(),
            subject: String::new(),
            anchors: Vec::new(),
        };
        let is_here = objects.is_content(place.tree());
        let is_here = is_here.map_err(Stop::broken("look for a tree"))?;
        let files = if is_here {
            None
        } else {
            Some(place.files(objects)?)
        };
        testing::test_in(
            (&self.world, &commit, files),
            &claims,
            &Known::answered(self),
        )
    }
}

/// Says that a claim does not hold, or cannot be told to.
fn not_held(claim: &TestedClaim) -> Option<Finding> {
    let is_accepted = claim
        .answer
        .as_ref()
        .is_some_and(|answer| answer.decision.until().is_some());
    let row = match claim.tested() {
        _ if is_accepted => return None,
        Tested::Verified => return None,
        Tested::Disproved => &rows::NOT_HELD,
        Tested::Inconclusive(_) | Tested::HumanRequired => &rows::HOLD_OPEN,
    };
    let hint = "git plan-audit preflight; make it hold again, or say why it need not: git plan-audit seal \
                --new-generation --reason TEXT";
    Some(Finding::new(row, message(claim)).hint(hint))
}
