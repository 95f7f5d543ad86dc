//! Documents for other tools: each says what `verify` says, in the form that its readers ask for.

use serde_json::Value;

use crate::support::{Layout, Proof, World, need, plans};

/// Writes a document.
#[track_caller]
fn document<const N: usize>(world: &World, line: [&str; N]) -> String {
    world.run(line).exits(0).stdout
}

/// Reads JSON.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Makes a commit whose audit failed, with a title that no form may take for its own syntax.
fn failed() -> World {
    let mut plan = plans::good();
    plan["steps"][0]["title"] = "Say <good> & \"]]>\u{202e} \u{7f}".into();
    let world = World::new().prepared(&plan);
    world.run(["audit"]).exits(1);
    world.git(["commit", "-qm", "Not good & <proud> of it"]);
    world
}

/// Makes a commit that nobody audited, in a clone whose ledger lacks a record of its own.
fn unknown() -> World {
    let world = World::proven();
    world.git([
        "update-ref",
        "refs/notes/plan-audit",
        "refs/notes/plan-audit~1",
    ]);
    world.json(["verify"]).is("UNKNOWN", 3);
    world
}

/// Reads `JUnit` XML with a reader of another project: counts of the whole, and the elements in cases.
fn junit(world: &World) -> Option<(Vec<u64>, Vec<String>)> {
    if !need("python3") {
        return None;
    }
    let text = document(world, ["export", "--as", "junit"]);
    world.write("report.xml", &text);
    let script = "import xml.etree.ElementTree as x
root=x.parse('report.xml').getroot()
assert root.tag=='testsuites' and root.attrib['name']
of=lambda e:[int(e.attrib[k]) for k in ('tests','failures','errors','skipped')]
total=[0,0,0,0]
for s in root:
    assert s.tag=='testsuite' and s.attrib['name'] and s[0].tag=='properties'
    own=[0,0,0,0]
    for c in s.findall('testcase'):
        assert c.attrib['name'] and c.attrib['classname'] and float(c.attrib['time'])>=0
        kinds=[e.tag for e in c]
        assert len(kinds)<2 and all(e.attrib['message'] for e in c)
        own=[a+b for a,b in zip(own,[1,kinds==['failure'],kinds==['error'],kinds==['skipped']])]
        print('case',*kinds)
    assert own==of(s),(own,of(s))
    total=[a+b for a,b in zip(total,own)]
assert total==of(root)
print('total',*total)";
    let read = world.tool("python3", ["-c", script]).stdout;
    std::fs::remove_file(world.top.join("report.xml")).unwrap();
    let mut lines: Vec<String> = read.lines().map(str::to_owned).collect();
    let total = lines.pop().unwrap();
    let counts = total.split(' ').skip(1).map(|count| count.parse().unwrap());
    Some((counts.collect(), lines))
}

#[test]
fn junit_counts_what_failed_and_what_could_not_be_said() {
    for (world, expected) in [
        (World::proven(), [3, 0, 0, 0]),
        (failed(), [3, 3, 0, 0]),
        (unknown(), [3, 0, 2, 1]),
    ] {
        if let Some((counts, cases)) = junit(&world) {
            assert_eq!(counts, expected, "{cases:?}");
        }
    }
}

#[test]
fn sarif_has_what_its_readers_ask_for() {
    for (world, kind, level) in [
        (World::proven(), "pass", "none"),
        (failed(), "fail", "error"),
        (unknown(), "fail", "error"),
    ] {
        let sarif = json(&document(&world, ["export", "--as", "sarif"]));

        let run = &sarif["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let known: Vec<&Value> = rules.iter().map(|rule| &rule["id"]).collect();
        assert_eq!(sarif["version"], "2.1.0");
        for rule in rules {
            for text in ["shortDescription", "fullDescription", "help"] {
                assert!(!rule[text]["text"].as_str().unwrap().is_empty(), "{rule}");
            }
        }
        let results = run["results"].as_array().unwrap();
        for result in results {
            let at = &result["locations"][0]["physicalLocation"];
            assert!(known.contains(&&result["ruleId"]), "{result}");
            assert!(
                result["kind"] == "fail" || result["level"] == "none",
                "{result}"
            );
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            assert!(at["region"]["startLine"].as_u64() >= Some(1), "{result}");
            assert!(
                !at["artifactLocation"]["uri"]
                    .as_str()
                    .unwrap()
                    .starts_with('/')
            );
        }
        assert_eq!(results[0]["ruleId"], "verdict");
        assert_eq!(
            (&results[0]["kind"], &results[0]["level"]),
            (&kind.into(), &level.into())
        );
    }
}

/// Opens an envelope with ssh-keygen, as `docs/format/export.md` says, and returns the statement.
fn opened(world: &World, envelope: &str, namespace: &str) -> Option<Value> {
    world.write("envelope.json", envelope);
    let script = format!(
        "set -e
ssh-keygen -y -f ~/.config/git-plan-audit/keys/*-ed25519 | sed 's/^/ada /' > signers
jq -rj .payload envelope.json | base64 -d > payload
{{ printf 'DSSEv1 28 application/vnd.in-toto+json %d ' \"$(wc -c < payload)\"; cat payload; }} > signed
{{ echo '-----BEGIN SSH SIGNATURE-----'; jq -r '.signatures[0].sig' envelope.json | fold -w 70; \
echo '-----END SSH SIGNATURE-----'; }} > signed.sig
ssh-keygen -Y verify -n {namespace} -f signers -I ada -s signed.sig < signed > /dev/null && cat payload || echo null"
    );
    let payload = world.tool("sh", ["-c", &script]).stdout;
    world.git(["clean", "-qfd"]);
    json(&payload)
        .as_object()
        .map(|members| Value::Object(members.clone()))
}

/// Demands that an in-toto statement says that of the one check of a commit.
fn states_test(world: &World, expected: &str) {
    let envelope = document(world, ["export", "--as", "in-toto"]);
    let test = opened(world, &envelope, "git-plan-audit-export").unwrap();

    let (kind, predicate) = (&json(&envelope)["payloadType"], &test["predicate"]);
    let count = |name: &str| predicate[name].as_array().unwrap().len();
    assert_eq!(*kind, "application/vnd.in-toto+json");
    assert_eq!(test["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(test["subject"][0]["digest"]["gitCommit"], world.rev("HEAD"));
    assert_eq!(predicate["result"], expected);
    let failed = usize::from(expected == "FAILED");
    assert_eq!(
        (count("failedTests"), count("passedTests")),
        (failed, 1 - failed)
    );
    let configuration = predicate["configuration"].as_array().unwrap();
    let is_found = |each: &Value| each["uri"].is_string() || each["digest"]["sha256"].is_string();
    assert!(!configuration.is_empty() && configuration.iter().all(is_found));
}

/// Demands that a verification summary says that of a commit.
fn states_summary(world: &World, expected: &str, level: &str) {
    let resource = "git+https://example.org/x";
    let envelope = document(world, ["export", "--as", "vsa", "--resource", resource]);
    let summary = opened(world, &envelope, "git-plan-audit-export").unwrap();

    let predicate = &summary["predicate"];
    let of = "https://slsa.dev/verification_summary/v1";
    assert_eq!(summary["predicateType"], of);
    assert_eq!(predicate["verificationResult"], expected);
    assert_eq!(predicate["verifiedLevels"], serde_json::json!([level]));
    assert_eq!(predicate["resourceUri"], resource);
    let is_text = |member: &&str| predicate.pointer(member).is_some_and(Value::is_string);
    let needed = ["/verifier/id", "/timeVerified", "/policy/uri"];
    assert_eq!(
        needed.iter().filter(|each| is_text(each)).count(),
        3,
        "{summary}"
    );
}

#[test]
fn a_statement_is_signed_and_passes_only_what_is_proven() {
    if !need("jq") {
        return;
    }
    for (world, expected, level) in [
        (World::proven(), "PASSED", "PLAN_AUDIT_VERIFIED"),
        (failed(), "FAILED", "FAILED"),
        (unknown(), "FAILED", "FAILED"),
    ] {
        states_test(&world, expected);
        states_summary(&world, expected, level);
    }
}

#[test]
fn the_signature_of_a_statement_proves_no_record() {
    if !need("jq") {
        return;
    }
    let world = World::proven();
    let envelope = document(&world, ["export", "--as", "in-toto"]);
    assert!(opened(&world, &envelope, "git-plan-audit-export").is_some());

    for namespace in ["git-plan-audit", "git-plan-audit-approve"] {
        assert!(
            opened(&world, &envelope, namespace).is_none(),
            "{namespace}"
        );
    }
}

#[test]
fn what_cannot_be_stated_is_refused() {
    let none = World::new();
    none.init();
    for form in ["in-toto", "vsa"] {
        let json = none.json(["export", "--as", form, "--resource", "urn:x"]);
        json.is("REFUSED", 2)
            .codes()
            .contains(&"nothing-to-state")
            .then_some(())
            .unwrap();
    }
    none.run(["export", "--as", "vsa"]).exits(129);
    none.run(["export", "--as", "junit"])
        .exits(0)
        .says("skipped=\"1\"");

    let closed = World::with(Layout::Main, Proof::Hmac)
        .prepared(&plans::good())
        .finished();
    let json = closed.json(["export", "--as", "in-toto"]).is("REFUSED", 2);
    assert!(json.codes().contains(&"export-unsigned"), "{}", json.ran);
    let bare = document(&closed, ["export", "--as", "in-toto", "--unsigned"]);
    assert_eq!(self::json(&bare)["predicate"]["result"], "PASSED");
}
