//! `review --html`: one page that needs nothing, holds nothing foreign as markup, and can be read by
//! everybody.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Key, World, finish, need, plans};

/// What somebody would write who wants to be more than text.
const HOSTILE: &str =
    "</code><script>alert(1)</script>\"' onload=x <img src=//x.test> &lt; \u{202e}evil\u{202c}";

/// A world whose every text is hostile: subject, task, requirement, title, check, reason, decision.
pub(super) fn hostile() -> World {
    let mut plan = plans::good();
    plan["task"] = json!(format!("one\n{HOSTILE}"));
    plan["requirements"][0]["description"] = json!(HOSTILE);
    plan["steps"][0]["title"] = json!(HOSTILE);
    plan["steps"][0]["verify"] = json!([
        { "type": "run", "argv": ["grep", "-q", HOSTILE, "work.txt"] },
        { "type": "run", "argv": ["true"] },
    ]);
    plan["pins"] = json!(["sub/**"]);
    let world = World::new().prepared(&plan);
    world.run(["run"]).exits(1);
    plan["steps"][0]["verify"] = json!([{ "type": "run", "argv": ["true", HOSTILE] }]);
    world.with_plan(&plan);
    let line = ["seal", "--new-generation", "--reason", HOSTILE];
    world.json(line).is("OK", 0);
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", HOSTILE]);
    // Somebody else decides; where nobody is listed, both keys are this clone's own.
    let other = Key::make(&world, "other");
    world
        .run(["init", "--no-hooks", "--key", other.path()])
        .exits(0);
    let line = ["review", "--approve", "-m", HOSTILE];
    world.json(line).is("OK", 0);
    world.write("sub/deep/start.txt", "drift\n");
    world.git(["commit", "-qam", "Drift"]);
    world
}

/// Writes the page of two commits, one proven and one not.
fn page(world: &World) -> String {
    let file = world.temp_path().join("page.html");
    let ran = world.run(["review", "HEAD^^..HEAD", "--html", file.to_str().unwrap()]);
    ran.exits(0).says("wrote");
    std::fs::read_to_string(file).unwrap()
}

/// One tag of a page.
#[derive(Debug)]
struct Tag {
    name: String,
    closes: bool,
    attributes: Vec<(String, String)>,
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        let found = all.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Takes a page apart at its tags; what is left of the style is none of them.
fn tags(page: &str) -> Vec<Tag> {
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    let text = format!("{before}<style></style>{after}");
    let text = text.strip_prefix("<!DOCTYPE html>").unwrap();
    let inner = text.split('<').skip(1);
    inner
        .map(|part| tag(part.split_once('>').unwrap().0))
        .collect()
}

/// Reads what stands between the brackets of a tag.
fn tag(text: &str) -> Tag {
    let (closes, text) = match text.strip_prefix('/') {
        Some(name) => (true, name),
        None => (false, text),
    };
    let (name, mut rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        let word = rest.trim_start();
        let end = word.find([' ', '=']).unwrap_or(word.len());
        let (own, after) = word.split_at(end);
        let (value, after) = match after.strip_prefix("=\"") {
            Some(after) => after.split_once('"').unwrap(),
            None => ("", after),
        };
        attributes.push((own.to_owned(), value.to_owned()));
        rest = after;
    }
    Tag {
        name: name.to_owned(),
        closes,
        attributes,
    }
}

/// Elements that have no end.
const VOID: [&str; 4] = ["br", "col", "meta", "hr"];

#[test]
fn nothing_foreign_is_markup_and_nothing_is_fetched() {
    let page = page(&hostile());

    let known: BTreeSet<&str> = "html head meta title style body a header h1 p nav ol li span code bdi main article \
        h2 h3 h4 h5 dl dt dd section ul div table caption colgroup col thead tbody tr th td details summary time br del ins footer"
        .split_whitespace()
        .collect();
    let mut open: Vec<String> = Vec::new();
    for tag in tags(&page) {
        assert!(known.contains(tag.name.as_str()), "{tag:?}");
        for (name, value) in &tag.attributes {
            let is_safe =
                !name.starts_with("on") && !["src", "style", "srcset"].contains(&name.as_str());
            assert!(
                is_safe && (name != "href" || value.starts_with('#')),
                "{tag:?}"
            );
        }
        match (tag.closes, VOID.contains(&tag.name.as_str())) {
            (false, false) => open.push(tag.name),
            (false, true) => {}
            (true, _) => assert_eq!(open.pop(), Some(tag.name)),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let is_odd = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!page.contains(is_odd) && page.contains("\\u{202e}evil"));
    assert!(page.contains("default-src 'none'") && !page.contains("http://"));
}

/// Demands that ids are there once, and that what names one names one that is there.
fn demand_links(tags: &[Tag]) {
    let ids: Vec<&str> = tags.iter().filter_map(|tag| tag.get("id")).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "{ids:?}");
    for tag in tags {
        let link = tag.get("href").map(|href| href.trim_start_matches('#'));
        for id in link.iter().chain(&tag.get("aria-labelledby")) {
            assert!(unique.contains(id), "{tag:?}");
        }
    }
}

/// Demands that no level of headings is left out.
fn demand_levels(tags: &[Tag]) {
    let mut last = 0;
    for tag in tags {
        let level = tag
            .name
            .strip_prefix('h')
            .and_then(|level| level.parse::<usize>().ok());
        if let Some(level) = level {
            assert!(level <= last + 1, "h{level} after h{last}");
            last = level;
        }
    }
}

#[test]
fn whoever_reads_it_by_ear_or_keyboard_finds_the_way() {
    let page = page(&hostile());
    let tags: Vec<Tag> = tags(&page).into_iter().filter(|tag| !tag.closes).collect();
    let of = |name: &'static str| tags.iter().filter(move |tag| tag.name == name);

    demand_links(&tags);
    demand_levels(&tags);
    assert_eq!(of("html").next().unwrap().get("lang"), Some("en"));
    for once in ["h1", "main", "nav", "header", "footer", "title"] {
        assert_eq!(of(once).count(), 1, "{once}");
    }
    assert_eq!(of("article").count(), 2);
    assert!(of("table").count() > 5);
    assert_eq!(of("table").count(), of("caption").count());
    assert!(of("th").all(|cell| cell.get("scope").is_some()));
    for word in [
        "PASS",
        "FAIL",
        "passed",
        "not audited",
        "weakening",
        "approved",
    ] {
        assert!(page.contains(word), "{word} is told by colour alone");
    }
}

#[test]
fn a_browser_shows_it_as_it_is_meant() {
    let browser = "chromium-headless-shell";
    if !need(browser) {
        return;
    }
    let world = hostile();
    let good = page(&world);
    let file = world.temp_path().join("page.html");
    let open = |options: &[&str]| {
        let address = format!("file://{}", file.display());
        let mut line = vec!["--no-sandbox", "--disable-gpu", "--enable-logging=stderr"];
        line.extend(options);
        line.push(&address);
        finish(&mut world.command(browser, &world.top, line)).exits(0)
    };
    let refused = "Content Security Policy";

    let seen = open(&["--dump-dom"]);

    assert!(!seen.stderr.contains(refused), "{seen}");
    assert_eq!(seen.stdout.matches("<article").count(), 2);
    assert!(!seen.stdout.contains("<script") && !seen.stdout.contains("<img"));
    let pdf = world.top.join("page.pdf");
    let to = format!("--print-to-pdf={}", pdf.display());
    open(&[&to]);
    assert!(std::fs::read(pdf).unwrap().starts_with(b"%PDF"));
    // That a refusal would be seen is seen where the style is another than the policy names.
    std::fs::write(&file, good.replace("<style>", "<style>/**/")).unwrap();
    let seen = open(&["--dump-dom"]);
    assert!(seen.stderr.contains(refused), "{seen}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused() {
    let world = World::proven();

    let json = world.json(["review", "--html", "no/such/folder/page.html"]);

    assert_eq!(json.is("REFUSED", 2).codes(), ["review-file"]);
}
