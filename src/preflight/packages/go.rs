//! go.mod.

use std::ops::Range;

use super::{Group, Listing, Package};
use crate::model::claim::evidence::Reason;

/// From which minor version of Go 1 on a go.mod names every module that is needed, so that what it
/// requires is what is taken.
const WHOLE: u64 = 17;

/// A line of a directive.
struct Line<'t> {
    directive: &'t str,
    words: Vec<&'t str>,
    span: Range<usize>,
}

/// Reads what is required.
pub(super) fn declared(text: &str) -> Result<Listing, Reason> {
    let lines = lines(text)?;
    let mut listing = Listing::default();
    for line in lines.iter().filter(|line| line.directive == "require") {
        let [name, version] = line.words.as_slice() else {
            return Err(Reason::ParseError);
        };
        listing.packages.push(Package {
            name: unquoted(name).to_owned(),
            group: Group::Normal,
            version: Some(unquoted(version).trim_start_matches('v').to_owned()),
            span: line.span.clone(),
        });
    }
    Ok(listing)
}

/// Reads what is taken: what is required, as far as nothing replaces it.
pub(super) fn resolved(text: &str) -> Result<Listing, Reason> {
    let mut listing = declared(text)?;
    let lines = lines(text)?;
    let of = |directive: &'static str| lines.iter().filter(move |line| line.directive == directive);
    let is_whole = of("go").any(|line| is_whole(&line.words));
    for package in &mut listing.packages {
        let mut replaced = of("replace").filter_map(|line| line.words.first());
        let is_replaced = replaced.any(|name| unquoted(name) == package.name);
        if is_replaced || !is_whole {
            package.version = None;
        }
    }
    Ok(listing)
}

/// Says whether a `go` line is of a version that lists every module.
fn is_whole(words: &[&str]) -> bool {
    let mut parts = words.first().map_or("", |word| *word).split('.');
    let (major, minor) = (parts.next(), parts.next());
    // 1.21rc1 has more than a number.
    let digits = minor.map_or("", |minor| {
        let end = minor.find(|sign: char| !sign.is_ascii_digit());
        minor.get(..end.unwrap_or(minor.len())).unwrap_or_default()
    });
    major == Some("1") && digits.parse::<u64>().is_ok_and(|minor| minor >= WHOLE)
}

/// Divides a file into the lines of its directives; blocks are opened.
fn lines(text: &str) -> Result<Vec<Line<'_>>, Reason> {
    let (mut found, mut block, mut start) = (Vec::new(), None, 0);
    if text.contains("/*") {
        return Err(Reason::ParseError);
    }
    for whole in text.split_inclusive('\n') {
        let body = whole.split("//").next().unwrap_or_default();
        let mut words: Vec<&str> = body.split_whitespace().collect();
        let span = start..start + body.trim_end().len();
        start += whole.len();
        match (block, words.as_slice()) {
            (_, []) => {}
            (Some(_), [")"]) => block = None,
            (Some(directive), _) => found.push(Line {
                directive,
                words,
                span,
            }),
            (None, [directive, "("]) => block = Some(*directive),
            (None, [_, ..]) => {
                let directive = words.remove(0);
                found.push(Line {
                    directive,
                    words,
                    span,
                });
            }
        }
    }
    if block.is_some() {
        return Err(Reason::ParseError);
    }
    Ok(found)
}

/// Takes the quotes off a word.
fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '`'])
}
