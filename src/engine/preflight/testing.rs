//! Which statements claims make, what testing them gave, and what a person is shown of it.

use std::collections::BTreeMap;

use super::answers::{self, Answers};
use crate::engine::judge::Judge;
use crate::engine::lineage::read_kept;
use crate::engine::ports::{Commit, Question, Taken};
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::claim::Claim;
use crate::model::claim::evidence::{Evidence, Item, Reason, Tested};
use crate::model::claim::gate::Gate;
use crate::model::claim::statement::Statement;
use crate::model::files::Files;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::{Digest, RecordId};
use crate::model::outcome::{ShownPlace, TestedClaim};
use crate::model::record::ClaimsBody;
use crate::model::secret::looks_secret;
use crate::model::text;
use crate::wire::{claim, evidence};

/// How long a line of source is shown, in characters.
const SHOWN: usize = 160;

/// What the ledger says: evidence of earlier commits, by the digest of the statement, and answers.
#[derive(Debug, Default)]
pub(in crate::engine) struct Known {
    by_claim: BTreeMap<Digest, Evidence>,
    answers: Option<Answers>,
}

impl Known {
    /// Knows nothing.
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    /// Knows what was answered.
    pub(in crate::engine) fn answered(judge: &Judge<'_>) -> Self {
        Self {
            by_claim: BTreeMap::new(),
            answers: Some(Answers::of(judge)),
        }
    }

    /// Returns the question that was asked of a claim.
    pub(super) fn question(&self, claim: &TestedClaim) -> Option<RecordId> {
        let answers = self.answers.as_ref()?;
        let evidence = &claim.evidence;
        answers.question(evidence.claim, evidence.scope.list)
    }

    /// Takes the newest evidence for each statement out of the records that count.
    pub(super) fn of(judge: &Judge<'_>) -> Result<Self, Stop> {
        let mut known = Self::answered(judge);
        for (_, body) in judge.ledger.claims() {
            for each in read(&judge.world, &body)?.unwrap_or_default() {
                known.by_claim.insert(each.claim, each);
            }
        }
        Ok(known)
    }
}

/// Reads the evidence of a record; none where it is not here or is other bytes.
pub(super) fn read(world: &World<'_>, body: &ClaimsBody) -> Result<Option<Vec<Evidence>>, Stop> {
    let bytes = read_kept(world.notes, &body.evidence, "read evidence of claims")?;
    Ok(bytes.and_then(|bytes| evidence::read_all(&bytes).ok()))
}

/// Claims that make the same statement.
struct Group<'c> {
    statement: &'c Statement,
    claims: Vec<&'c Claim>,
}

/// Tests claims at a commit; those that state the same are one.
pub(in crate::engine) fn test(
    (world, commit): (&World<'_>, &Commit),
    claims: &[Claim],
    known: &Known,
) -> Result<Vec<TestedClaim>, Stop> {
    test_in((world, commit, None), claims, known)
}

/// Tests claims, on files that are in no tree yet where some are given.
pub(in crate::engine) fn test_in(
    (world, commit, files): (&World<'_>, &Commit, Option<&Files>),
    claims: &[Claim],
    known: &Known,
) -> Result<Vec<TestedClaim>, Stop> {
    let groups = grouped(claims);
    let questions: Vec<Question<'_>> = groups
        .iter()
        .map(|(digest, group)| Question {
            statement: group.statement,
            earlier: known.by_claim.get(digest),
        })
        .collect();
    let found = match files {
        Some(files) => world.prober.test_files(commit, files, &questions),
        None => world.prober.test(commit, &questions),
    };
    let pairs = groups.iter().zip(found);
    pairs
        .map(|((digest, group), (evidence, taken))| {
            let scope = evidence.scope.list;
            let mut claim = shown(world, group, evidence, taken)?;
            if let Some(answers) = &known.answers {
                answers::settle(&mut claim, answers.said(group.statement, (*digest, scope)));
            }
            Ok(claim)
        })
        .collect()
}

/// Groups claims by what they state, in the order of the first of each.
fn grouped(claims: &[Claim]) -> Vec<(Digest, Group<'_>)> {
    let mut groups: Vec<(Digest, Group<'_>)> = Vec::new();
    let mut places: BTreeMap<Digest, usize> = BTreeMap::new();
    for one in claims {
        let digest = claim::digest(&one.statement);
        let at = *places.entry(digest).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, group)) => group.claims.push(one),
            None => groups.push((
                digest,
                Group {
                    statement: &one.statement,
                    claims: vec![one],
                },
            )),
        }
    }
    groups
}

/// Makes what a person is shown of one statement.
fn shown(
    world: &World<'_>,
    group: &Group<'_>,
    evidence: Evidence,
    taken: Taken,
) -> Result<TestedClaim, Stop> {
    let claims = group.claims.iter();
    let criticality = claims.clone().map(|claim| claim.criticality).max();
    let criticality = criticality.unwrap_or(crate::model::claim::Criticality::Critical);
    let mut steps: Vec<u64> = claims.clone().flat_map(|one| one.steps.clone()).collect();
    steps.sort_unstable();
    steps.dedup();
    let places = evidence.items.iter().map(|item| place(world, item));
    let places = places.collect::<Result<_, _>>()?;
    let id = evidence::write(&evidence).map(|text| evidence::id(&text));
    Ok(TestedClaim {
        ids: claims.map(|claim| claim.id.clone()).collect(),
        steps,
        criticality,
        line: group.statement.line(),
        id: id.unwrap_or(Digest::ZERO),
        is_taken_over: taken == Taken::Over,
        gate: Gate::of(evidence.tested, criticality),
        authority: answers::authority(group.statement).map(str::to_owned),
        answer: None,
        has_answers_that_differ: false,
        places,
        evidence,
    })
}

/// Reads the line of a place from git.
fn place(world: &World<'_>, item: &Item) -> Result<ShownPlace, Stop> {
    let mut shown = ShownPlace {
        path: text::path(&item.path),
        line: item.range.map(|range| range.lines.0),
        text: None,
        side: item.side,
    };
    let Some(range) = item.range else {
        return Ok(shown);
    };
    let blob = world.objects.blob(&item.object);
    let blob = blob.map_err(Stop::broken("read a file"))?;
    let bytes = blob.unwrap_or_default();
    let number = usize::try_from(range.lines.0).unwrap_or(usize::MAX);
    let line = bytes
        .split(|byte| *byte == b'\n')
        .nth(number.saturating_sub(1));
    let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
    if !looks_secret(&line) {
        let cut: String = line.trim().chars().take(SHOWN).collect();
        shown.text = Some(cut);
    }
    Ok(shown)
}

/// Says what the results of a plan add up to; none where there is none.
pub(in crate::engine) fn gate_of(claims: &[TestedClaim]) -> Option<Gate> {
    Gate::worst(claims.iter().map(|claim| claim.gate))
}

/// Says what is to be known of one result; nothing of one that holds.
pub(super) fn finding(claim: &TestedClaim) -> Option<Finding> {
    // What was accepted is told by itself.
    let is_accepted = claim
        .answer
        .as_ref()
        .is_some_and(|answer| answer.decision.until().is_some());
    if claim.tested() == Tested::Verified || is_accepted {
        return None;
    }
    let row = match claim.gate {
        Gate::Blocked => &rows::BLOCKS,
        Gate::Waiting => &rows::WAITS,
        Gate::Review => &rows::REVIEW,
        Gate::Pass => &rows::NOTE,
    };
    let mut finding = Finding::new(row, message(claim)).hint(hint(claim));
    if let [step] = claim.steps.as_slice() {
        finding = finding.of_step(*step);
    }
    Some(finding)
}

/// Says in a sentence what became of a claim.
pub(in crate::engine) fn message(claim: &TestedClaim) -> String {
    let tested = claim.tested();
    let why = tested
        .reason()
        .map(|reason| format!(" ({})", reason.as_str()));
    format!(
        "claim {} is {}{}: {}",
        claim.ids.join(", "),
        tested.as_str(),
        why.unwrap_or_default(),
        claim.line
    )
}

/// Says what ends a finding.
fn hint(claim: &TestedClaim) -> String {
    match claim.tested() {
        Tested::Verified => String::new(),
        Tested::Disproved => "change the plan: it rests on what is not so".to_owned(),
        Tested::HumanRequired => format!(
            "git plan-audit questions, then {} answers",
            text::shown(claim.authority.as_deref().unwrap_or("who can say"))
        ),
        Tested::Inconclusive(Reason::MissingObject) => "git fetch --refetch".to_owned(),
        Tested::Inconclusive(_) => {
            let kind = &claim.evidence.evaluator.name;
            format!("git plan-audit claims explain {kind} tells when it abstains")
        }
    }
}
