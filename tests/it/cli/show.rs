//! `show`: one record in full.

use crate::support::{Parts, World};

#[test]
fn a_record_is_shown_by_its_id_or_the_start_of_it() {
    let world = World::proven();
    let parts = Parts::of(&world.record("audit").text);
    let start: String = parts.id().chars().take(12).collect();

    let whole = world.json(["show", parts.id()]).is("OK", 0);
    let short = world.json(["show", &start]).is("OK", 0);

    assert_eq!(whole.value, short.value);
    assert_eq!(whole.text("/record/id"), parts.id());
    assert_eq!(whole.at("/record/body").to_string(), parts.get("body"));
}

#[test]
fn an_id_that_is_unknown_or_no_id_is_refused() {
    let world = World::proven();

    for id in ["0000000000000000", "nonsense", "", "../../x"] {
        world.json(["show", id]).is("REFUSED", 2);
    }
}

#[test]
fn the_text_names_kind_writer_and_time() {
    let world = World::proven();
    let parts = Parts::of(&world.record("seal").text);

    let ran = world.run(["show", parts.id()]).exits(0);

    ran.says("seal")
        .says(parts.get("writer").trim_matches('"'))
        .says(parts.get("time").trim_matches('"'));
}
