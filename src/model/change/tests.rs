//! Tests of the classes of change: a table of every member, and what holds of all contracts.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::model::contract::Priority;

fn run(word: &str) -> Check {
    Check::Run {
        argv: vec![word.to_owned()],
        limits: Limits {
            expect_exit: 0,
            timeout_ms: DEFAULT_TIMEOUT_MS,
            max_output_bytes: DEFAULT_MAX_BYTES,
            output_regex: None,
            env: Vec::new(),
        },
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn asked(id: &str) -> Requirement {
    Requirement {
        id: id.to_owned(),
        description: "x".to_owned(),
        priority: Priority::Must,
    }
}

fn made(name: &str) -> Output {
    Output {
        name: name.to_owned(),
        verify: vec![run("a"), run("b")],
    }
}

fn needed(name: &str) -> RequiredOutput {
    RequiredOutput {
        step: 1,
        name: name.to_owned(),
    }
}

fn step(id: u64) -> Step {
    let two = words(&["a", "b"]);
    Step {
        id,
        title: "title".to_owned(),
        covers: two.clone(),
        depends_on: vec![1, 2],
        requires_outputs: vec![needed("a"), needed("b")],
        outputs: vec![made("a"), made("b")],
        verify: vec![run("a"), run("b")],
        inputs: two.clone(),
        exclusive: false,
        modifies: two.clone(),
        creates: two.clone(),
        deletes: two.clone(),
        uses_symbol: two,
    }
}

/// Two of everything. It need not be a plan that could be carried out.
fn contract() -> Contract {
    let two = words(&["a", "b"]);
    Contract {
        task: "task".to_owned(),
        created: "created".to_owned(),
        requirements: vec![asked("a"), asked("b")],
        required_tools: two.clone(),
        pins: two.clone(),
        scope: two,
        claims: Vec::new(),
        steps: vec![step(3), step(4)],
    }
}

/// Classes of the changes that `edit` makes to [`contract`].
fn classes(edit: impl FnOnce(&mut Contract)) -> Vec<Class> {
    let before = contract();
    let mut after = before.clone();
    edit(&mut after);
    let changes = compare(&before, &after);
    changes.iter().map(|change| change.class).collect()
}

/// Reaches one list of a contract.
type Reach<T> = fn(&mut Contract) -> &mut Vec<T>;

/// Demands the classes of an item that is added, removed, changed, and of two that change places.
fn holds<T: Clone>(reach: Reach<T>, new: &T, expected: [Class; 4]) {
    let added = classes(|contract| reach(contract).push(new.clone()));
    let removed = classes(|contract| drop(reach(contract).pop()));
    let changed = classes(|contract| {
        let list = reach(contract);
        list.pop();
        list.push(new.clone());
    });
    let reordered = classes(|contract| reach(contract).reverse());

    let worst = |classes: Vec<Class>| classes.into_iter().max().unwrap();
    assert_eq!([added, removed, changed, reordered].map(worst), expected);
}

use Class::{Neutral, ScopeChange, Strengthening, Weakening};

const MORE_IS_WELCOME: [Class; 4] = [Strengthening, Weakening, Weakening, ScopeChange];
const CHECK_LIST: [Class; 4] = [Strengthening, Weakening, Weakening, Neutral];
const FIXED: [Class; 4] = [ScopeChange; 4];

#[test]
fn checks_may_be_added_and_change_places() {
    holds(
        |contract| &mut contract.steps[0].verify,
        &run("c"),
        CHECK_LIST,
    );
    let of_output: Reach<Check> = |contract| &mut contract.steps[0].outputs[0].verify;
    holds(of_output, &run("c"), CHECK_LIST);
    // Twice the same check is one more, and one less is one less.
    holds(
        |contract| &mut contract.steps[0].verify,
        &run("a"),
        CHECK_LIST,
    );
}

#[test]
fn dependencies_required_outputs_and_pins_may_be_added() {
    holds(
        |contract| &mut contract.steps[0].depends_on,
        &9,
        MORE_IS_WELCOME,
    );
    let required: Reach<RequiredOutput> = |contract| &mut contract.steps[0].requires_outputs;
    holds(required, &needed("c"), MORE_IS_WELCOME);
    let new = "c".to_owned();
    holds(|contract| &mut contract.pins, &new, MORE_IS_WELCOME);
}

#[test]
fn a_declared_output_may_neither_come_nor_go() {
    let expected = [ScopeChange, Weakening, ScopeChange, ScopeChange];

    holds(
        |contract| &mut contract.steps[0].outputs,
        &made("c"),
        expected,
    );
}

#[test]
fn everything_else_is_fixed() {
    let new = "c".to_owned();
    holds(|contract| &mut contract.requirements, &asked("c"), FIXED);
    holds(|contract| &mut contract.required_tools, &new, FIXED);
    holds(|contract| &mut contract.scope, &new, FIXED);
    holds(|contract| &mut contract.steps, &step(5), FIXED);
    let texts: [Reach<String>; 6] = [
        |contract| &mut contract.steps[0].covers,
        |contract| &mut contract.steps[0].inputs,
        |contract| &mut contract.steps[0].modifies,
        |contract| &mut contract.steps[0].creates,
        |contract| &mut contract.steps[0].deletes,
        |contract| &mut contract.steps[0].uses_symbol,
    ];
    for reach in texts {
        holds(reach, &new, FIXED);
    }
    let edits: [fn(&mut Contract); 7] = [
        |contract| contract.task.push('x'),
        |contract| contract.created.push('x'),
        |contract| contract.steps[0].title.push('x'),
        |contract| contract.steps[0].exclusive = true,
        |contract| contract.steps[0].id = 7,
        |contract| contract.requirements[0].description.push('x'),
        |contract| contract.requirements[0].priority = Priority::May,
    ];
    for edit in edits {
        assert_eq!(classes(edit).into_iter().max(), Some(ScopeChange));
    }
}

#[test]
fn whatever_bounds_a_check_changes_it() {
    let edits: [fn(&mut Limits); 5] = [
        |limits| limits.expect_exit = 1,
        |limits| limits.timeout_ms += 1,
        |limits| limits.max_output_bytes += 1,
        |limits| limits.output_regex = Some("x".to_owned()),
        |limits| limits.env.push("x".to_owned()),
    ];
    for edit in edits {
        let mut changed = run("b");
        if let Check::Run { limits, .. } = &mut changed {
            edit(limits);
        }
        let before = contract();
        let mut after = before.clone();
        after.steps[0].verify[1] = changed;

        let [change] = compare(&before, &after).try_into().unwrap();

        assert_eq!(change.class, Weakening);
        assert_eq!(change.member, "step 3 verify");
        assert_ne!(change.before, change.after, "the texts tell them apart");
    }
}

#[test]
fn both_texts_are_told() {
    let before = contract();
    let mut after = before.clone();
    after.pins = words(&["a", "c", "d"]);

    let told: Vec<(Class, Option<String>, Option<String>)> = compare(&before, &after)
        .into_iter()
        .map(|change| (change.class, change.before, change.after))
        .collect();

    let text = |text: &str| Some(text.to_owned());
    let expected = [
        (Weakening, text("b"), text("c")),
        (Strengthening, None, text("d")),
    ];
    assert_eq!(told, expected);
}

/// One thing that somebody does to a contract.
#[derive(Clone, Debug)]
enum Edit {
    /// Adds a check to a step.
    Check(Index, &'static str),
    /// Adds a check to an output.
    OutputCheck(Index, &'static str),
    /// Adds a pin.
    Pin(&'static str),
    /// Adds a dependency.
    DependsOn(Index, u64),
    /// Lets checks change places.
    Reverse(Index),
    /// Takes a check away.
    NoCheck(Index),
    /// Takes a step away.
    NoStep(Index),
    /// Gives a step another title.
    Title(Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let word = || select(vec!["a", "b", "c"]);
    let edit = prop_oneof![
        (any::<Index>(), word()).prop_map(|(at, word)| Edit::Check(at, word)),
        (any::<Index>(), word()).prop_map(|(at, word)| Edit::OutputCheck(at, word)),
        word().prop_map(Edit::Pin),
        (any::<Index>(), 1..9_u64).prop_map(|(at, id)| Edit::DependsOn(at, id)),
        any::<Index>().prop_map(Edit::Reverse),
        any::<Index>().prop_map(Edit::NoCheck),
        any::<Index>().prop_map(Edit::NoStep),
        any::<Index>().prop_map(Edit::Title),
    ];
    proptest::collection::vec(edit, 0..4)
}

fn edited(contract: &Contract, edits: &[Edit]) -> Contract {
    let mut contract = contract.clone();
    for edit in edits {
        let count = contract.steps.len();
        if count == 0 {
            break;
        }
        let steps = &mut contract.steps;
        match edit {
            Edit::Check(at, word) => steps[at.index(count)].verify.insert(0, run(word)),
            Edit::OutputCheck(at, word) => {
                steps[at.index(count)].outputs[0].verify.push(run(word));
            }
            Edit::Pin(word) => contract.pins.push((*word).to_owned()),
            Edit::DependsOn(at, id) => steps[at.index(count)].depends_on.insert(1, *id),
            Edit::Reverse(at) => steps[at.index(count)].verify.reverse(),
            Edit::NoCheck(at) => drop(steps[at.index(count)].verify.pop()),
            Edit::NoStep(at) => drop(steps.remove(at.index(count))),
            Edit::Title(at) => steps[at.index(count)].title.push('x'),
        }
    }
    contract
}

proptest! {
    #[test]
    fn only_equal_contracts_have_no_difference(one in edits(), other in edits()) {
        let (one, other) = (edited(&contract(), &one), edited(&contract(), &other));

        prop_assert_eq!(compare(&one, &other).is_empty(), one == other);
    }

    #[test]
    fn what_is_allowed_twice_is_allowed_at_once(first in edits(), second in edits()) {
        let start = contract();
        let middle = edited(&start, &first);
        let end = edited(&middle, &second);

        let is_allowed = |before, after| are_allowed(&compare(before, after));
        if is_allowed(&start, &middle) && is_allowed(&middle, &end) {
            prop_assert!(is_allowed(&start, &end));
        }
    }

    #[test]
    fn what_makes_a_contract_stronger_cannot_be_taken_back(edits in edits()) {
        let start = contract();
        let end = edited(&start, &edits);

        let there = compare(&start, &end);
        let is_stronger = there.iter().any(|change| change.class == Strengthening);
        if are_allowed(&there) && is_stronger {
            prop_assert!(!are_allowed(&compare(&end, &start)));
        }
    }
}
