//! Tests of the contract's bytes.

use super::*;
use crate::wire::plan;

fn of_plan(file: &str) -> Contract {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/plan");
    let bytes = std::fs::read(path.join(file)).unwrap();
    plan::read(&PlanName::default_plan(), file, &bytes)
        .contract
        .unwrap()
}

fn text(contract: &Contract) -> String {
    String::from_utf8(write(contract)).unwrap()
}

#[test]
fn every_member_is_there_in_canonical_order() {
    let expected = concat!(
        r#"{"claims":[],"created":"2026-11-29","pins":[],"required_tools":[],"requirements":[],"#,
        r#""scope":[],"steps":[{"covers":[],"creates":[],"deletes":[],"depends_on":[],"#,
        r#""exclusive":false,"id":1,"inputs":[],"modifies":[],"outputs":[],"requires_outputs":[],"#,
        r#""title":"x","uses_symbol":[],"verify":[{"argv":["true"],"env":[],"expect_exit":0,"#,
        r#""max_output_bytes":2000000,"output_regex":null,"timeout_ms":300000,"type":"run"}]}],"#,
        r#""task":"x"}"#,
    );

    assert_eq!(text(&of_plan("valid-smallest.json")), expected);
}

#[test]
fn the_digest_is_stable() {
    let bytes = write(&of_plan("valid-smallest.json"));

    assert_eq!(
        digest(&bytes).to_string(),
        "fb519c5fa75de84ef62b6225736741a95d2a3be88842d93165207e17c406bce7"
    );
}

#[test]
fn contracts_come_back_as_they_were_written() {
    for file in [
        "valid-smallest.json",
        "valid-quick-start.json",
        "valid-fib.json",
        "valid-skill.json",
        "valid-every-feature.json",
    ] {
        let contract = of_plan(file);
        assert_eq!(read(&write(&contract)), Ok(contract), "{file}");
    }
}

#[test]
fn other_spellings_are_refused() {
    let canonical = text(&of_plan("valid-smallest.json"));
    let other = |from: &str, to: &str| {
        let changed = canonical.replacen(from, to, 1);
        assert_ne!(changed, canonical);
        read(changed.as_bytes())
    };

    let same_meaning = [
        ("{", "{ "),
        (r#""task":"x"}"#, r#""task":"x"} "#),
        (r#""task":"x""#, r#""task":"\u0078""#),
        (r#""claims":[],"#, ""),
        (r#""pins":[],"#, ""),
        (r#","env":[]"#, ""),
        (r#""output_regex":null,"#, ""),
        (r#""timeout_ms":300000,"#, ""),
        (r#""depends_on":[],"#, ""),
        (r#""outputs":[]"#, r#""outputs":null"#),
        (r#""timeout_ms":300000"#, r#""timeout":300"#),
        (r#""type":"run""#, r#""type":"exec""#),
        (r#""argv":["true"]"#, r#""cmd":"true""#),
        (r#""claims":[]"#, r#""x-a":1,"claims":[]"#),
        (r#""title":"x""#, r#""status":1,"title":"x""#),
    ];
    for (from, to) in same_meaning {
        assert_eq!(
            other(from, to),
            Err(ContractError::NotCanonical),
            "{from} {to}"
        );
    }
    let invalid = [
        (r#""claims":[]"#, r#""claims":[{}]"#),
        (r#""timeout_ms":300000"#, r#""timeout_ms":0"#),
        (r#""timeout_ms":300000"#, r#""timeout_ms":1.5"#),
        (r#""argv":["true"]"#, r#""argv":[]"#),
        (r#""id":1"#, r#""id":0"#),
        (r#""task":"x""#, r#""task":"x","task":"x""#),
        (r#""depends_on":[]"#, r#""depends_on":[2]"#),
        (r#""covers":[]"#, r#""covers":["R1"]"#),
    ];
    for (from, to) in invalid {
        assert!(
            matches!(other(from, to), Err(ContractError::Invalid { .. })),
            "{from} {to}"
        );
    }
    assert!(matches!(read(b""), Err(ContractError::Invalid { .. })));
}

#[test]
fn only_a_sequential_contract_has_edges_that_nothing_backs() {
    let mut contract = of_plan("valid-fib.json");
    contract.steps[1].requires_outputs.clear();
    assert!(read(&write(&contract)).is_ok());

    let mut third = contract.steps[1].clone();
    third.id = 3;
    third.depends_on = vec![1];
    contract.steps.push(third);

    assert!(read(&write(&contract)).is_err());
}
