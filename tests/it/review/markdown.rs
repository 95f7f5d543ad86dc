//! `review --markdown`: for a pull request, where what is written may call people and draw pictures.

use super::html::hostile;
use crate::support::World;

#[test]
fn foreign_text_stays_text_in_markdown() {
    let world = hostile();

    let text = world
        .run(["review", "HEAD^^..HEAD", "--markdown"])
        .exits(0)
        .stdout;

    // Beside code, no bracket of markup is there but that of what folds tables.
    let beside: String = text.split('`').step_by(2).collect();
    let own = ["<details>", "</details>", "<summary>", "</summary>"];
    let rest = own.iter().fold(beside, |rest, own| rest.replace(own, ""));
    assert!(!rest.contains(['<', '[', '@']), "{rest}");
    assert!(!rest.contains("http:") && !rest.contains("//"), "{rest}");
    let is_odd = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_odd), "{text}");
    for row in text.lines().filter(|line| line.starts_with('|')) {
        assert!(row.ends_with('|'), "{row}");
    }
    for word in [
        "✅ PASS",
        "❌ FAIL",
        "❌ weakening",
        "✅ approved",
        "not as sealed",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn every_row_of_a_table_has_as_many_cells_as_its_head() {
    let world = hostile();
    let text = world.run(["review", "HEAD^", "--markdown"]).exits(0).stdout;
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut head = None;

    for line in text.lines() {
        let is_row = line.starts_with('|');
        let known = *head.get_or_insert_with(|| cells(line));
        if is_row {
            assert_eq!(cells(line), known, "{line}");
        } else {
            head = None;
        }
    }

    assert!(text.contains("|---|"), "{text}");
}

#[test]
fn it_goes_to_a_file_or_into_the_one_object() {
    let world = World::proven();

    let json = world.json(["review", "--markdown"]).is("OK", 0);
    assert!(
        json.text("/markdown")
            .starts_with("## Review of 1 commit\n")
    );
    let json = world
        .json(["review", "--markdown=out.md", "--html", "out.html"])
        .is("OK", 0);
    assert_eq!(json.list("/wrote").len(), 2);

    let file = std::fs::read_to_string(world.top.join("out.md")).unwrap();
    assert!(file.contains("✅ PASS plan `default`"), "{file}");
    assert!(json.value.get("markdown").is_none());
}
