//! Questions that claims raise, and who may answer them how.

use serde_json::{Value, json};

use super::{claiming, exists};
use crate::support::{Key, Parts, World};

/// A claim that only finance can confirm.
fn human(paths: &[&str]) -> Value {
    let mut claim = json!({
        "id": "C1", "type": "human", "criticality": "high", "expect": true, "authority": "finance",
        "statement": "refunds below 50 EUR need no second person",
    });
    if !paths.is_empty() {
        claim["paths"] = json!(paths);
    }
    claim
}

/// A world whose trust point lists a worker, and two people who may approve; the worker's plan waits.
struct Team {
    world: World,
    worker: Key,
    finance: Key,
    legal: Key,
}

impl Team {
    fn with(claims: &Value) -> Self {
        let world = World::new();
        let [worker, finance, legal] =
            ["worker", "finance", "legal"].map(|name| Key::make(&world, name));
        let approver = |name: &str, key: &Key| {
            format!(
                "{name} namespaces=\"git-plan-audit,git-plan-audit-approve\" {}\n",
                key.public()
            )
        };
        let list = worker.signers() + &approver("finance", &finance) + &approver("legal", &legal);
        world.commit(".plan-auditor/allowed_signers", list);
        world.commit("src/a.rs", "fn refund() {}\n");
        world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
        world.git([
            "symbolic-ref",
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
        ]);
        let team = Self {
            world,
            worker,
            finance,
            legal,
        };
        team.be(&team.worker);
        team.world.with_plan(&claiming(claims.clone()));
        team
    }

    /// Takes the key of somebody.
    fn be(&self, key: &Key) {
        self.world
            .run(["init", "--no-hooks", "--key", key.path()])
            .exits(0);
    }

    /// Asks, and returns the question.
    fn ask(&self) -> String {
        self.world.json(["preflight"]);
        Parts::of(&self.world.record("question").text)
            .id()
            .to_owned()
    }

    /// Asks, and lets who is asked confirm.
    fn confirmed(&self) {
        let question = self.ask();
        self.be(&self.finance);
        self.world
            .json(["answer", &question, "--confirm"])
            .is("OK", 0);
    }
}

#[test]
fn a_confirmation_by_who_is_asked_ends_the_waiting_and_is_shown_apart_from_code() {
    let team = Team::with(&json!([human(&[])]));
    let world = &team.world;
    let waits = world.json(["preflight"]).is("UNKNOWN", 3);
    assert_eq!(waits.text("/gate"), "waiting");
    assert_eq!(waits.text("/plans/0/claims/0/outcome"), "HUMAN_REQUIRED");
    assert!(waits.codes().contains(&"claim-waits"), "{}", waits.ran);
    let record = waits.text("/plans/0/record").to_owned();
    let open = world.json(["questions"]).is("OK", 0);
    assert_eq!(open.text("/questions/0/authority"), "finance");
    let question = open.text("/questions/0/question").to_owned();

    team.be(&team.finance);
    let given = world.json(["answer", &question, "--confirm"]).is("OK", 0);

    assert_eq!(given.at("/already"), false);
    let passes = world.json(["preflight"]).is("PASS", 0);
    assert_eq!(passes.text("/plans/0/claims/0/outcome"), "VERIFIED");
    assert_eq!(passes.text("/plans/0/claims/0/basis"), "HUMAN");
    assert_eq!(passes.text("/plans/0/claims/0/answer/by"), "finance");
    world
        .run(["preflight"])
        .exits(0)
        .says("answered by finance: confirm");
    assert_eq!(world.json(["questions"]).at("/questions/0/open"), false);
    // What is recorded of the code is what it was, and anybody makes it again.
    world.json(["preflight", "--verify", &record]);
    let again = world.json(["answer", &question, "--confirm"]).is("OK", 0);
    assert_eq!(again.at("/already"), true);
    let other = world.json(["answer", &question, "--reject", "--reason", "no"]);
    assert_eq!(other.is("REFUSED", 2).codes(), ["answer-refused"]);
}

#[test]
fn nobody_answers_for_somebody_else_and_no_worker_at_all() {
    let team = Team::with(&json!([human(&[])]));
    let question = team.ask();

    let worker = team.world.json(["answer", &question, "--confirm"]);
    assert_eq!(worker.is("REFUSED", 2).codes(), ["cannot-approve"]);
    team.be(&team.legal);
    let legal = team.world.json(["answer", &question, "--confirm"]);

    assert_eq!(legal.is("REFUSED", 2).codes(), ["answer-refused"]);
    team.world.json(["preflight"]).is("UNKNOWN", 3);
}

#[test]
fn an_answer_in_another_role_or_by_another_key_has_no_effect() {
    let team = Team::with(&json!([human(&[])]));
    let world = &team.world;
    let question = team.ask();
    team.be(&team.finance);
    world.json(["answer", &question, "--confirm"]).is("OK", 0);
    let honest = world.record("answer");
    world.forget();

    for (key, namespace) in [
        (&team.legal, "git-plan-audit-approve"),
        (&team.worker, "git-plan-audit-approve"),
        (&team.finance, "git-plan-audit"),
    ] {
        world.git([
            "update-ref",
            "refs/notes/plan-audit",
            "refs/notes/plan-audit~1",
        ]);
        let forged = Parts::of(&honest.text)
            .with("writer", format!("\"{}\"", key.writer(world)))
            .with_true_id();
        let signed = forged.signed_as(world, key, namespace);
        world.add_line(&honest.target, &signed.line());
        world.forget();
        let json = world.json(["preflight"]);
        assert_eq!(
            json.text("/plans/0/claims/0/outcome"),
            "HUMAN_REQUIRED",
            "{namespace}"
        );
    }
}

#[test]
fn a_rejection_blocks_and_what_is_put_off_stays_open() {
    let team = Team::with(&json!([human(&[])]));
    let question = team.ask();
    team.be(&team.finance);
    let put_off = ["answer", &question, "--defer", "--reason", "next week"];
    team.world.json(put_off).is("OK", 0);
    team.world.json(["preflight"]).is("UNKNOWN", 3);
    assert_eq!(team.world.json(["questions"]).at("/questions/0/open"), true);

    team.world
        .json([
            "answer",
            &question,
            "--reject",
            "--reason",
            "since May they do",
        ])
        .is("OK", 0);

    let json = team.world.json(["preflight"]).is("FAIL", 1);
    assert_eq!(json.text("/plans/0/claims/0/outcome"), "DISPROVED");
    team.world.json(["seal"]).is("REFUSED", 2);
}

#[test]
fn an_answer_ends_with_what_it_spoke_of_and_with_its_record() {
    let team = Team::with(&json!([human(&["src/**"])]));
    team.confirmed();
    team.world.json(["preflight"]).is("PASS", 0);

    team.world.commit("docs/x.md", "x");
    team.world.json(["preflight"]).is("PASS", 0);
    team.world.commit("src/a.rs", "fn refund() { twice() }\n");
    team.world.json(["preflight"]).is("UNKNOWN", 3);

    team.world
        .git(["checkout", "-q", "HEAD~2", "--", "src/a.rs"]);
    team.world.git(["commit", "-qm", "Back"]);
    team.world.json(["preflight"]).is("PASS", 0);
    let answer = Parts::of(&team.world.record("answer").text).id().to_owned();
    team.world
        .json([
            "revoke",
            "--record",
            &answer,
            "--reason",
            "wrong",
            "--approve",
        ])
        .is("OK", 0);
    team.world.json(["preflight"]).is("UNKNOWN", 3);
}

#[test]
fn an_answer_that_is_copied_to_the_note_of_another_commit_says_nothing_there() {
    let team = Team::with(&json!([human(&["src/**"])]));
    team.confirmed();
    let answer = team.world.record("answer");

    team.world.commit("src/a.rs", "fn refund() { twice() }\n");
    team.world.add_line(&team.world.rev("HEAD"), &answer.text);

    let json = team.world.json(["preflight"]);
    assert_eq!(
        json.text("/plans/0/claims/0/outcome"),
        "HUMAN_REQUIRED",
        "{}",
        json.ran
    );
}

#[test]
fn only_an_accepted_risk_clears_what_code_disproved_and_only_up_to_its_day() {
    let team = Team::with(&json!([exists("C1", "critical", "src/none.rs")]));
    let question = team.ask();
    team.be(&team.legal);
    let confirm = team.world.json(["answer", &question, "--confirm"]);
    assert_eq!(confirm.is("REFUSED", 2).codes(), ["answer-refused"]);
    let reject = ["answer", &question, "--reject", "--reason", "x"];
    let reject = team.world.json(reject).is("REFUSED", 2);
    assert_eq!(reject.codes(), ["answer-refused"]);
    let accept = |day| {
        [
            "answer",
            question.as_str(),
            "--accept-risk",
            "--until",
            day,
            "--reason",
            "the old path stays",
        ]
    };
    let late = team.world.json(accept("2020-01-01")).is("REFUSED", 2);
    assert_eq!(late.codes(), ["answer-refused"]);

    team.world.json(accept("9998-12-31")).is("OK", 0);

    let json = team.world.json(["preflight"]).is("PASS", 0);
    assert_eq!(json.text("/plans/0/claims/0/outcome"), "DISPROVED");
    assert!(json.codes().contains(&"risk-accepted"), "{}", json.ran);
    // A day that is over counts no longer.
    let honest = team.world.record("answer");
    team.world.git([
        "update-ref",
        "refs/notes/plan-audit",
        "refs/notes/plan-audit~2",
    ]);
    team.world.forget();
    let body = Parts::of(&honest.text)
        .get("body")
        .replace("9998-12-31", "2020-12-31");
    let old = Parts::of(&honest.text).with("body", body).with_true_id();
    let old = old.signed_as(&team.world, &team.legal, "git-plan-audit-approve");
    team.world.add_line(&honest.target, &old.line());
    team.world.json(["preflight"]).is("FAIL", 1);
}

#[test]
fn two_answers_that_say_different_things_count_as_none() {
    let team = Team::with(&json!([human(&[])]));
    team.confirmed();
    let honest = team.world.record("answer");
    let parts = Parts::of(&honest.text);
    let body = parts.get("body").replace(r#""confirm""#, r#""reject""#);
    let body = body.replace('}', r#","reason":"no"}"#);
    let own = Parts::of(&honest.text).id().to_owned();
    let second = Parts::of(&honest.text)
        .with("prev", format!("[\"{own}\"]"))
        .with("body", body)
        .with_true_id()
        .signed_as(&team.world, &team.finance, "git-plan-audit-approve");
    team.world.add_line(&honest.target, &second.line());
    team.world.forget();

    let json = team.world.json(["preflight"]);

    assert_eq!(
        json.text("/plans/0/claims/0/outcome"),
        "HUMAN_REQUIRED",
        "{}",
        json.ran
    );
    assert!(json.codes().contains(&"answers-differ"), "{}", json.ran);
}

#[test]
fn what_is_no_question_or_is_claimed_no_longer_is_refused() {
    let team = Team::with(&json!([human(&[])]));
    let question = team.ask();
    team.be(&team.finance);
    for id in ["0123456789ab", "", "nonsense"] {
        let json = team.world.json(["answer", id, "--confirm"]);
        assert_eq!(json.is("REFUSED", 2).codes(), ["question-unknown"], "{id}");
    }
    team.world.with_plan(&claiming(json!([])));

    let json = team.world.json(["answer", &question, "--confirm"]);

    assert_eq!(json.is("REFUSED", 2).codes(), ["question-unknown"]);
    for line in [
        vec!["answer", "0123"],
        vec!["answer", "0123", "--reject"],
        vec!["answer", "0123", "--confirm", "--defer", "--reason", "x"],
        vec!["answer", "0123", "--accept-risk", "--reason", "x"],
        vec!["answer", "0123", "--confirm", "--until", "2030-01-01"],
    ] {
        team.world.run(line).exits(129);
    }
}

#[test]
fn all_questions_are_asked_at_once_and_each_only_once() {
    let team = Team::with(&json!([
        human(&[]),
        exists("C2", "high", "src/none.rs"),
        exists("C3", "low", "src/none.rs"),
        exists("C4", "high", "src/a.rs"),
    ]));
    let asked = || {
        let lines = team.world.lines();
        lines
            .iter()
            .filter(|line| line.text.contains("\"kind\":\"question\""))
            .count()
    };
    let before = team.world.json(["questions"]).is("OK", 0);
    assert!(
        before.codes().contains(&"question-unasked"),
        "{}",
        before.ran
    );

    team.world.json(["preflight"]).is("FAIL", 1);
    team.world.json(["preflight"]).is("FAIL", 1);

    assert_eq!(asked(), 2);
    assert_eq!(team.world.json(["questions"]).list("/questions").len(), 2);
}
