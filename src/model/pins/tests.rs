//! What pins freeze, and that nothing that becomes of a frozen file is missed.

use proptest::prelude::*;

use super::super::files::{LINK, SUBMODULE};
use super::super::ids::Oid;
use super::*;

const PLAIN: u32 = 0o100_644;

fn file(mode: u32, id: u8) -> File {
    File {
        mode,
        id: Oid::Sha1([id; 20]),
    }
}

/// Makes files of paths, each with mode and content.
fn files(all: &[(&str, u32, u8)]) -> Files {
    let one = |(path, mode, id): &(&str, u32, u8)| (path.as_bytes().to_vec(), file(*mode, *id));
    all.iter().map(one).collect()
}

fn patterns(all: &[&str]) -> PinPatterns {
    let all: Vec<String> = all.iter().map(|text| (*text).to_owned()).collect();
    PinPatterns::new(&all).unwrap()
}

/// Lists what is frozen of paths that stand for files of a mode.
fn frozen(pattern: &str, mode: u32, paths: &[&str]) -> Vec<String> {
    let all: Vec<(&str, u32, u8)> = paths.iter().map(|path| (*path, mode, 1)).collect();
    let files = files(&all);
    let found = patterns(&[pattern]).matched(&files);
    let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
    found.into_iter().map(text).collect()
}

/// Judges pins that were taken of `sealed` while the fork point held `forked`.
fn judged(
    sealed: (&Files, Option<&Files>),
    now: &Files,
    fork: Option<&Files>,
) -> Vec<(String, Fault)> {
    let patterns = patterns(&["tests/**"]);
    let pins = take(&patterns, sealed.0, sealed.1);
    let text = |each: Violation| (String::from_utf8(each.path).unwrap(), each.fault);
    violations(&patterns, &pins, (now, fork))
        .into_iter()
        .map(text)
        .collect()
}

#[test]
fn case_does_not_matter() {
    assert_eq!(
        frozen("Tests/a.rs", PLAIN, &["TESTS/A.RS", "tests/b.rs"]),
        ["TESTS/A.RS"]
    );
    assert_eq!(
        frozen("GRÜN/*", PLAIN, &["grün/a", "Grün/b"]),
        ["Grün/b", "grün/a"]
    );
    assert_eq!(frozen("[Z-a]x", PLAIN, &["Zx"]), ["Zx"]);
}

#[test]
fn what_stands_in_the_place_of_a_directory_is_frozen() {
    for mode in [LINK, SUBMODULE] {
        assert_eq!(frozen("tests/**", mode, &["tests", "src"]), ["tests"]);
        assert_eq!(
            frozen("a/b/*.rs", mode, &["a", "a/b", "a/c", "b"]),
            ["a", "a/b"]
        );
        assert_eq!(frozen("a/*/x", mode, &["a/b", "b/c"]), ["a/b"]);
    }
    assert_eq!(frozen("tests/**", PLAIN, &["tests"]), [""; 0]);
}

#[test]
fn a_submodule_is_frozen_where_a_pattern_may_lead_into_it_and_a_link_is_not() {
    assert_eq!(frozen("**/x", SUBMODULE, &["a", "b/c"]), ["a", "b/c"]);
    assert_eq!(frozen("a/**/x", SUBMODULE, &["a/b", "b"]), ["a/b"]);
    assert_eq!(frozen("{a/b,c}/x", SUBMODULE, &["a", "d"]), ["a", "d"]);
    assert_eq!(frozen("**/x", LINK, &["a", "b/x"]), ["b/x"]);
}

#[test]
fn patterns_that_freeze_nothing_are_named() {
    let all = files(&[("tests/a", PLAIN, 1), ("lib", SUBMODULE, 1)]);

    let idle = patterns(&["tests/*", "none/**", "TESTS/A", "lib/tests/**"]).idle(&all);

    assert_eq!(idle, [1]);
}

#[test]
fn what_is_as_it_was_sealed_is_untouched() {
    let all = files(&[("tests/a", PLAIN, 1), ("src/a", PLAIN, 1)]);
    let now = files(&[("tests/a", PLAIN, 1), ("src/a", PLAIN, 2)]);

    assert_eq!(judged((&all, None), &now, None), []);
}

#[test]
fn whatever_becomes_of_a_pinned_file_is_found() {
    let all = files(&[
        ("tests/a", PLAIN, 1),
        ("tests/b", PLAIN, 1),
        ("tests/c", PLAIN, 1),
        ("tests/d", PLAIN, 1),
    ]);
    let now = files(&[
        ("tests/a", PLAIN, 2),
        ("tests/b", 0o100_755, 1),
        ("tests/c", LINK, 1),
        ("tests/D", PLAIN, 1),
    ]);
    let expected = [
        ("tests/D", Fault::Added),
        ("tests/a", Fault::Changed),
        ("tests/b", Fault::Changed),
        ("tests/c", Fault::Changed),
        ("tests/d", Fault::Removed),
    ];

    let found = judged((&all, None), &now, None);

    assert_eq!(
        found,
        expected.map(|(path, fault)| (path.to_owned(), fault))
    );
}

#[test]
fn a_directory_that_became_a_link_or_submodule_is_found() {
    let all = files(&[("tests/a", PLAIN, 1)]);
    for mode in [LINK, SUBMODULE] {
        let now = files(&[("tests", mode, 1)]);

        let found = judged((&all, None), &now, None);

        let expected = [("tests", Fault::Added), ("tests/a", Fault::Removed)];
        assert_eq!(
            found,
            expected.map(|(path, fault)| (path.to_owned(), fault))
        );
    }
}

#[test]
fn what_the_fork_point_has_may_stand_there() {
    let all = files(&[("tests/a", PLAIN, 1), ("tests/gone", PLAIN, 1)]);
    let before = files(&[("tests/a", PLAIN, 1), ("tests/gone", PLAIN, 1)]);
    let main = files(&[("tests/a", PLAIN, 2), ("tests/new", PLAIN, 2)]);

    assert_eq!(judged((&all, Some(&before)), &main, Some(&main)), []);
}

#[test]
fn a_file_that_the_main_line_never_had_cannot_be_taken_away() {
    let all = files(&[("tests/own", PLAIN, 1)]);
    let main = Files::new();

    let found = judged((&all, Some(&main)), &main, Some(&main));

    assert_eq!(found, [("tests/own".to_owned(), Fault::Removed)]);
}

/// Files of few paths, so that they often meet.
fn any_files() -> impl Strategy<Value = Files> {
    let path = prop_oneof!["tests/[ab]", "tests", "src/[ab]", "TESTS/a"];
    let path = path.prop_map(String::into_bytes);
    let mode = prop::sample::select(vec![PLAIN, 0o100_755, LINK, SUBMODULE]);
    let what = (mode, 0_u8..3).prop_map(|(mode, id)| file(mode, id));
    prop::collection::btree_map(path, what, 0..5)
}

fn any_patterns() -> impl Strategy<Value = PinPatterns> {
    let one = prop::sample::select(vec!["tests/**", "tests/a", "src/*", "**/b"]);
    prop::collection::vec(one, 1..4).prop_map(|all| patterns(&all))
}

proptest! {
    #[test]
    fn a_frozen_path_is_untouched_exactly_if_it_is_as_sealed_or_as_at_the_fork_point(
        patterns in any_patterns(), sealed in any_files(), now in any_files(), fork in any_files(),
    ) {
        let pins = take(&patterns, &sealed, Some(&fork));

        let found = violations(&patterns, &pins, (&now, Some(&fork)));

        let frozen: std::collections::BTreeSet<&[u8]> =
            patterns.matched(&now).into_iter().chain(pins.keys().map(Vec::as_slice)).collect();
        for path in frozen {
            let is_found = found.iter().any(|each| each.path == path);
            let sealed = pins.get(path).map(|pin| pin.file);
            let is_fine = match (now.get(path), sealed) {
                (Some(file), sealed) => sealed == Some(*file) || fork.get(path) == Some(file),
                // Only the main line may take away what it had.
                (None, Some(_)) => pins[path].at_fork && !fork.contains_key(path),
                (None, None) => true,
            };
            prop_assert_eq!(is_found, !is_fine, "{:?}", path);
        }
    }

    #[test]
    fn pins_that_were_added_to_twice_still_hold_the_first(
        one in any_files(), two in any_files(), three in any_files(),
    ) {
        let all = ["tests/a", "tests/**", "**/b"];
        let [first, second, third] = [1, 2, 3].map(|count| patterns(&all[..count]));
        let more = |before: &Pins, old: &PinPatterns, new: &PinPatterns, files: &Files| {
            let mut pins = take(new, files, None);
            for path in old.matched(files) {
                pins.remove(path);
            }
            pins.extend(before.clone());
            pins
        };

        let one = take(&first, &one, None);
        let two = more(&one, &first, &second, &two);
        let three = more(&two, &second, &third, &three);

        prop_assert_eq!(lost(&first, &one, &two), []);
        prop_assert_eq!(lost(&second, &two, &three), []);
        prop_assert_eq!(lost(&first, &one, &three), []);
    }

    #[test]
    fn pins_follow_their_equals_only_where_the_patterns_are_the_same(
        patterns in any_patterns(), one in any_files(), two in any_files(),
    ) {
        let (one, two) = (take(&patterns, &one, None), take(&patterns, &two, None));

        prop_assert_eq!(lost(&patterns, &one, &two).is_empty(), one == two);
    }
}
