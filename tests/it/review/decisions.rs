//! What people decide with `review --approve` and `--reject`, and what the judge makes of it.

use crate::support::{Json, Key, Line, Parts, World, plans};

/// The list of signers.
const SIGNERS: &str = ".plan-auditor/allowed_signers";
/// The namespace of records, and that of approvals.
const NAMESPACES: [&str; 2] = ["git-plan-audit", "git-plan-audit-approve"];

/// A project whose main lists one who records, one who records and approves, and one who approves.
struct Team {
    world: World,
    worker: Key,
    boss: Key,
    carol: Key,
}

impl Team {
    /// Makes a branch on which the worker's plan is proven.
    fn new() -> Self {
        let team = Self::before();
        team.be(&team.worker);
        let world = team.world.clone().prepared(&plans::good()).finished();
        Self { world, ..team }
    }

    /// Makes the branch, with nothing on it.
    fn before() -> Self {
        let world = World::new();
        let key = |name| Key::make(&world, name);
        let (worker, boss, carol) = (key("worker"), key("boss"), key("carol"));
        let both = NAMESPACES.join(",");
        let list = [
            entry("worker", NAMESPACES[0], &worker),
            format!(
                "boss@example.com namespaces=\"{both}\",valid-before=\"20350101Z\" {}\n",
                boss.public()
            ),
            entry("carol", NAMESPACES[1], &carol),
        ];
        world.commit(SIGNERS, list.concat());
        let team = Self {
            world,
            worker,
            boss,
            carol,
        };
        team.at_main();
        team.world.git(["switch", "-qc", "work"]);
        team
    }

    /// Makes HEAD what the remote's main is.
    fn at_main(&self) {
        let main = "refs/remotes/origin/main";
        self.world.git(["update-ref", main, "HEAD"]);
        self.world
            .git(["symbolic-ref", "refs/remotes/origin/HEAD", main]);
    }

    /// Lets somebody record.
    fn be(&self, key: &Key) {
        self.world
            .run(["init", "--no-hooks", "--key", key.path()])
            .exits(0);
    }

    /// Lets somebody decide on HEAD.
    fn decides(&self, key: &Key, decision: &str) -> Json {
        self.be(key);
        self.world
            .json(["review", decision, "-m", "I looked at it", "HEAD"])
    }

    /// Asks for so many people.
    fn asks_for(&self, count: &str) {
        self.world
            .git(["config", "planAudit.requireReviews", count]);
    }

    /// Demands what `verify` says of HEAD, and with which code.
    #[track_caller]
    fn judged(&self, outcome: &str, code: &str) {
        let json = self.world.json(["verify", "HEAD"]);
        let found = json.text("/outcome").to_owned();
        assert_eq!(found, outcome, "{}", json.ran);
        assert!(json.codes().contains(&code), "{code}: {}", json.ran);
    }

    /// Adds somebody to the list on the branch.
    fn lists(&self, name: &str) {
        let list = std::fs::read_to_string(self.world.top.join(SIGNERS)).unwrap();
        let key = Key::make(&self.world, name);
        let list = list + &entry(name, NAMESPACES[0], &key);
        self.world.commit(SIGNERS, list);
    }

    /// Puts another record in the place of the last review, through plain git.
    fn vary(&self, change: impl FnOnce(Parts) -> Parts, (key, namespace): (&Key, &str)) {
        let genuine = self.world.record("review").text;
        let varied = change(Parts::of(&genuine))
            .with_true_id()
            .signed_as(&self.world, key, namespace)
            .line();
        let mut lines = self.world.lines();
        for line in lines.iter_mut().filter(|line| line.text == genuine) {
            line.text.clone_from(&varied);
        }
        self.world.replace_ledger(&lines);
    }

    /// Returns why the one review of HEAD does not count.
    fn why(&self) -> String {
        let json = self.world.json(["review"]).is("OK", 0);
        json.text("/commits/0/reviews/0/reason").to_owned()
    }
}

/// Writes an entry of the list of signers.
fn entry(name: &str, namespaces: &str, key: &Key) -> String {
    let public = key.public();
    format!("{name}@example.com namespaces=\"{namespaces}\" {public}\n")
}

#[test]
fn a_change_of_who_is_trusted_ends_with_the_approval_of_who_may() {
    let team = Team::before();
    team.lists("dave");
    team.judged("FAIL", "trust-changed");
    let hint = team.world.json(["verify", "HEAD"]);
    assert!(hint.hint("trust-changed").contains("review --approve"));

    let refused = team.decides(&team.worker, "--approve").is("REFUSED", 2);
    assert_eq!(refused.codes(), ["cannot-approve"]);
    let stranger = Key::make(&team.world, "stranger");
    let refused = team.decides(&stranger, "--approve").is("REFUSED", 2);
    assert_eq!(refused.codes(), ["cannot-approve"]);
    let approved = team.decides(&team.carol, "--approve").is("OK", 0);

    assert_eq!(
        approved.text("/review/trust/0/path"),
        "allowed_signers",
        "{}",
        approved.ran
    );
    let blob = team.world.rev(&format!("HEAD:{SIGNERS}"));
    assert_eq!(approved.text("/review/trust/0/id"), blob);
    team.judged("NO_PLAN", "trust-approved");
    team.world
        .run(["verify", "HEAD"])
        .exits(3)
        .says("carol@example.com approved");
    // It is of these files, in whatever commit they are.
    team.world.git([
        "commit",
        "-q",
        "--amend",
        "--no-edit",
        "--date",
        "2020-01-01T00:00Z",
    ]);
    team.world.commit("more.txt", "more\n");
    team.judged("NO_PLAN", "trust-approved");
    team.lists("eve");
    team.judged("FAIL", "trust-changed");
}

#[test]
fn an_approval_of_trust_is_spent_once_main_has_taken_it_over() {
    let team = Team::before();
    let list = std::fs::read_to_string(team.world.top.join(SIGNERS)).unwrap();
    team.lists("dave");
    let more = std::fs::read_to_string(team.world.top.join(SIGNERS)).unwrap();
    team.decides(&team.carol, "--approve").is("OK", 0);

    team.at_main();
    team.judged("NO_PLAN", "trust-approved");
    team.world.commit(SIGNERS, &list);
    team.at_main();
    team.world.git(["switch", "-qc", "again"]);
    team.world.commit(SIGNERS, &more);

    team.judged("FAIL", "trust-changed");
    team.decides(&team.carol, "--approve").is("OK", 0);
    team.judged("NO_PLAN", "trust-approved");
}

#[test]
fn what_a_key_decided_last_counts_and_binds_no_other_key() {
    let team = Team::before();
    team.lists("dave");

    team.decides(&team.carol, "--approve").is("OK", 0);
    let again = team.decides(&team.carol, "--approve").is("OK", 0);
    assert_eq!(again.at("/review/already"), true);
    team.decides(&team.carol, "--reject").is("OK", 0);
    team.judged("FAIL", "review-rejected");
    team.judged("FAIL", "trust-changed");

    team.decides(&team.boss, "--approve").is("OK", 0);
    team.judged("NO_PLAN", "review-rejected");
    team.judged("NO_PLAN", "trust-approved");
    team.decides(&team.carol, "--approve").is("OK", 0);
    let json = team.world.json(["verify", "HEAD"]);
    assert!(!json.codes().contains(&"review-rejected"), "{}", json.ran);
}

#[test]
fn what_is_proven_needs_as_many_people_as_are_asked_for() {
    let team = Team::new();
    team.world
        .git(["config", "--global", "planAudit.requireReviews", "2"]);
    // The repository asks for less, and that counts for nothing.
    team.asks_for("1");
    team.judged("FAIL", "reviews-missing");

    team.decides(&team.boss, "--approve").is("OK", 0);
    team.judged("FAIL", "reviews-missing");
    team.world
        .run(["verify", "HEAD"])
        .exits(1)
        .says("2 people have to approve")
        .says("boss@example.com did");
    team.decides(&team.carol, "--approve").is("OK", 0);
    team.judged("PASS", "reviewed");

    team.decides(&team.boss, "--reject").is("OK", 0);
    team.judged("FAIL", "reviews-missing");
    let json = team.world.json(["review"]).is("OK", 0);
    assert_eq!(json.list("/commits/0/reviews").len(), 3);
    assert_eq!(json.at("/commits/0/reviews/0/counts"), false);
    assert_eq!(json.text("/commits/0/reviews/1/role"), "approve");
    team.world
        .run(["review"])
        .exits(0)
        .says("does not count: the same key decided again later");
}

#[test]
fn another_tree_needs_a_review_of_its_own() {
    let team = Team::new();
    team.asks_for("1");
    team.decides(&team.boss, "--approve").is("OK", 0);
    team.judged("PASS", "reviewed");

    team.world
        .git(["commit", "-q", "--amend", "-m", "Say it in other words"]);
    team.judged("PASS", "reviewed");
    team.world.commit("more.txt", "more\n");
    team.world.json(["audit"]).is("PASS", 0);

    team.judged("FAIL", "reviews-missing");
}

#[test]
fn who_sealed_a_plan_does_not_approve_what_came_of_it() {
    let team = Team::before();
    team.be(&team.boss);
    let world = team.world.clone().prepared(&plans::good()).finished();
    let team = Team { world, ..team };
    team.asks_for("1");

    let refused = team.decides(&team.boss, "--approve").is("REFUSED", 2);
    assert_eq!(refused.codes(), ["review-idle"]);
    // Nor by a record that is made all the same.
    team.decides(&team.boss, "--reject").is("OK", 0);
    team.vary(|parts| approving(&parts), (&team.boss, NAMESPACES[1]));
    team.judged("FAIL", "reviews-missing");
    team.world
        .run(["verify", "HEAD"])
        .exits(1)
        .says("only who sealed it did");
    assert_eq!(team.why(), "the same person sealed the plan");
    team.decides(&team.carol, "--approve").is("OK", 0);
    team.judged("PASS", "reviewed");
}

/// Makes an approval of a rejection.
fn approving(parts: &Parts) -> Parts {
    let body = parts.get("body").replace("\"reject\"", "\"approve\"");
    parts.clone().with("body", body)
}

#[test]
fn a_review_that_is_no_approval_of_this_counts_for_nothing() {
    let team = Team::new();
    team.asks_for("1");
    team.decides(&team.boss, "--approve").is("OK", 0);
    let genuine: Vec<Line> = team.world.lines();
    let other = team.world.rev("HEAD^^{tree}");
    let tree = team.world.rev("HEAD^{tree}");
    let time = |year: &str| {
        let time = format!("\"{year}-06-01T00:00:00Z\"");
        move |parts: Parts| parts.with("time", time.clone())
    };

    let try_it = |change: &dyn Fn(Parts) -> Parts, namespace: &str, why: &str| {
        team.world.replace_ledger(&genuine);
        team.vary(change, (&team.boss, namespace));
        if why.is_empty() {
            team.judged("PASS", "reviewed");
        } else {
            team.judged("FAIL", "reviews-missing");
            assert_eq!(team.why(), why);
        }
    };
    try_it(&time("2034"), NAMESPACES[1], "");
    let late = "its key does not count here, or not at that time";
    try_it(&time("2036"), NAMESPACES[1], late);
    let role = "it was not made in the approve role by a key that may approve";
    try_it(&time("2034"), NAMESPACES[0], role);
    let moved = |parts: Parts| {
        let body = parts.get("body").replace(&tree, &other);
        parts.with("body", body)
    };
    try_it(&moved, NAMESPACES[1], "it is of another tree");
}

#[test]
fn a_review_that_was_taken_back_or_carried_elsewhere_counts_for_nothing() {
    let team = Team::new();
    team.asks_for("1");
    team.decides(&team.boss, "--approve").is("OK", 0);
    let review = team.world.record("review");
    team.world.commit("more.txt", "more\n");
    team.world.json(["audit"]).is("PASS", 0);

    team.world.add_line(&team.world.rev("HEAD"), &review.text);
    team.judged("FAIL", "reviews-missing");
    team.world.git(["switch", "-q", "--detach", "HEAD^"]);
    team.judged("PASS", "reviewed");

    let id = Parts::of(&review.text).id().to_owned();
    team.world
        .json([
            "revoke",
            "--record",
            &id,
            "--reason",
            "too quick",
            "--approve",
        ])
        .is("OK", 0);
    team.judged("FAIL", "reviews-missing");
    assert_eq!(team.why(), "it was taken back");
}

#[test]
fn a_key_that_is_not_listed_where_trust_is_read_approves_nothing() {
    let team = Team::new();
    team.asks_for("1");
    team.decides(&team.boss, "--approve").is("OK", 0);
    let file = team.world.home().join("signers");
    let list = entry("worker", NAMESPACES[0], &team.worker);
    std::fs::write(&file, list + &entry("carol", NAMESPACES[1], &team.carol)).unwrap();

    let file = file.to_str().unwrap();
    team.world
        .git(["config", "--global", "planAudit.allowedSigners", file]);

    team.judged("FAIL", "reviews-missing");
    assert_eq!(
        team.why(),
        "its key does not count here, or not at that time"
    );
}

#[test]
fn two_keys_of_one_person_are_one_person() {
    let team = Team::before();
    let second = Key::make(&team.world, "second");
    let list = std::fs::read_to_string(team.world.top.join(SIGNERS)).unwrap();
    team.world
        .commit(SIGNERS, list + &entry("carol", NAMESPACES[1], &second));
    team.at_main();
    team.be(&team.worker);
    let world = team.world.clone().prepared(&plans::good()).finished();
    let team = Team { world, ..team };
    team.asks_for("2");

    team.decides(&team.carol, "--approve").is("OK", 0);
    team.decides(&second, "--approve").is("OK", 0);

    team.judged("FAIL", "reviews-missing");
    team.decides(&team.boss, "--approve").is("OK", 0);
    team.judged("PASS", "reviewed");
}

#[test]
fn what_cannot_be_decided_is_refused_and_recorded_nowhere() {
    let team = Team::before();
    team.world.commit("a.txt", "a\n");
    team.be(&team.boss);
    let before = team.world.lines().len();
    let refused = |revision: &str, code: &str| {
        let line = ["review", "--approve", "-m", "fine", revision];
        let json = team.world.json(line).is("REFUSED", 2);
        assert_eq!(json.codes(), [code], "{}", json.ran);
    };

    refused("HEAD", "review-idle");
    refused("HEAD^..HEAD", "review-range");
    refused("nonsense", "no-revision");
    for line in [
        vec!["review", "--approve"],
        vec!["review", "--approve", "-m", " "],
        vec!["review", "--approve", "--reject", "-m", "x"],
        vec!["review", "--approve", "-m", "x", "--plan", "default"],
    ] {
        team.world.run(line).exits(129);
    }
    assert_eq!(team.world.lines().len(), before);
}

#[test]
fn a_number_that_is_none_is_not_passed_over() {
    let team = Team::new();

    team.asks_for("some");

    team.judged("UNKNOWN", "settings-invalid");
}
