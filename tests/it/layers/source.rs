//! A small reader of Rust text: it finds paths and crates, and knows comments, texts and tests.

use std::collections::BTreeSet;

/// The tokens of a file without comments, texts and test code.
#[derive(Debug)]
pub(super) struct Source {
    tokens: Vec<String>,
}

impl Source {
    /// Reads a file.
    pub(super) fn of(text: &str) -> Self {
        let all = tokens(text);
        let tests = test_ranges(&all);
        let kept = all
            .into_iter()
            .enumerate()
            .filter(|(at, _)| !tests.iter().any(|range| range.contains(at)));
        Self {
            tokens: kept.map(|(_, token)| token.text).collect(),
        }
    }

    /// Says whether the code holds these tokens in a row.
    pub(super) fn holds(&self, text: &str) -> bool {
        let wanted: Vec<_> = tokens(text).into_iter().map(|token| token.text).collect();
        self.tokens
            .windows(wanted.len())
            .any(|window| window == wanted)
    }

    /// Names paths of this crate, with one module below the layer where there is one.
    ///
    /// `depth` is how many modules lie between the crate and the file, for `super` chains.
    pub(super) fn own_paths(&self, depth: usize) -> Vec<String> {
        let mut found = BTreeSet::new();
        for at in 0..self.tokens.len() {
            if let Some(next) = self.after_root(at, depth) {
                for path in self.paths(next) {
                    found.insert(path.into_iter().take(2).collect::<Vec<_>>().join("::"));
                }
            }
        }
        found.into_iter().collect()
    }

    /// Names outside crates that the code names, in use or inline.
    pub(super) fn outside_crates(&self, crates: &[String]) -> Vec<String> {
        let found = (0..self.tokens.len()).filter(|at| {
            let is_head = *at == 0 || !["::", "."].contains(&self.token(at - 1));
            let is_used = self.token(at + 1) == "::" || (*at > 0 && self.token(at - 1) == "use");
            is_head && is_used
        });
        let heads: BTreeSet<_> = found.map(|at| self.tokens[at].clone()).collect();
        heads
            .into_iter()
            .filter(|head| crates.contains(head))
            .collect()
    }

    /// Returns a token, or nothing beyond the end.
    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", String::as_str)
    }

    /// Returns where a path goes on after the root of the crate, if it begins at this token.
    fn after_root(&self, at: usize, depth: usize) -> Option<usize> {
        if at > 0 && self.token(at - 1) == "::" {
            return None;
        }
        if self.token(at) == "crate" && self.token(at + 1) == "::" {
            return Some(at + 2);
        }
        let mut next = at;
        while self.token(next) == "super" && self.token(next + 1) == "::" {
            next += 2;
        }
        let climbed = (next - at) / 2;
        (climbed > 0 && climbed >= depth).then_some(next)
    }

    /// Reads the paths that begin at a token: one, or those of a group in braces.
    fn paths(&self, at: usize) -> Vec<Vec<String>> {
        let (mut found, mut prefixes, mut path) = (Vec::new(), Vec::new(), Vec::new());
        for next in at.. {
            let token = self.token(next);
            match token {
                "::" => {}
                "{" => prefixes.push(path.clone()),
                "}" | "," if !prefixes.is_empty() => {
                    found.push(std::mem::take(&mut path));
                    if token == "}" {
                        prefixes.pop();
                    }
                    path.extend(prefixes.last().into_iter().flatten().cloned());
                }
                word if is_word(word) || word == "*" => path.push(word.to_owned()),
                _ => break,
            }
            let goes_on = self.token(next + 1) == "::" || token == "::";
            if prefixes.is_empty() && !goes_on {
                break;
            }
        }
        found.push(path);
        // After a group only its prefix is left, which says less than what the group named.
        let longer = |path: &Vec<String>| {
            found
                .iter()
                .any(|one| one.len() > path.len() && one.starts_with(path))
        };
        found
            .iter()
            .filter(|path| !path.is_empty() && !longer(path))
            .cloned()
            .collect()
    }
}

/// A token and the line it stands on.
#[derive(Debug)]
struct Token {
    text: String,
    line: usize,
}

/// Returns how many lines a file has without its inline tests.
pub(super) fn length_without_tests(text: &str) -> usize {
    let all = tokens(text);
    let lines = test_ranges(&all).into_iter().map(|range| {
        let (first, last) = (all[range.start].line, all[range.end - 1].line);
        last - first + 1
    });
    text.lines().count() - lines.sum::<usize>()
}

/// Finds items under `#[cfg(test)]` or `#[test]`, as ranges of tokens.
fn test_ranges(tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    let (mut ranges, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let window = |length: usize| -> String {
            let end = (at + length).min(tokens.len());
            tokens[at..end]
                .iter()
                .map(|token| token.text.as_str())
                .collect()
        };
        if window(7) == "#[cfg(test)]" || window(4) == "#[test]" {
            let end = end_of_item(tokens, at + 4);
            ranges.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    ranges
}

/// Returns where the item around a token ends: after its block, or after its semicolon.
fn end_of_item(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Says whether a token is a name.
fn is_word(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Cuts text into names, `::` and single signs; comments and texts fall away.
fn tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while at < letters.len() {
        let end = end_of_token(&letters, at);
        let token: String = letters[at..end].iter().collect();
        let is_comment = token.starts_with("//") || token.starts_with("/*");
        let is_text = token.len() > 1 && token.contains(['"', '\'']);
        let is_noise = is_comment || is_text || token.trim().is_empty();
        if !is_noise {
            found.push(Token {
                text: token.clone(),
                line,
            });
        }
        line += token.matches('\n').count();
        at = end;
    }
    found
}

/// Returns where the token that begins here ends.
fn end_of_token(letters: &[char], at: usize) -> usize {
    let rest = &letters[at..];
    let starts = |text: &str| {
        text.chars()
            .zip(rest)
            .filter(|(one, other)| one == *other)
            .count()
            == text.len()
    };
    if starts("//") {
        return at + rest.iter().take_while(|letter| **letter != '\n').count();
    }
    if starts("/*") {
        return end_of_comment(letters, at);
    }
    if let Some(end) = end_of_text(letters, at) {
        return end;
    }
    if starts("::") {
        return at + 2;
    }
    let is_name = |letter: &&char| letter.is_alphanumeric() || **letter == '_';
    at + rest.iter().take_while(is_name).count().max(1)
}

/// Returns where a block comment ends; they nest.
fn end_of_comment(letters: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0, from);
    while at + 1 < letters.len() {
        match (letters[at], letters[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    letters.len()
}

/// Returns where a string or character literal that begins here ends; a lifetime is none.
fn end_of_text(letters: &[char], at: usize) -> Option<usize> {
    let rest: String = letters[at..].iter().take(12).collect();
    let body = rest.strip_prefix('b').unwrap_or(&rest);
    let raw = body
        .strip_prefix('r')
        .filter(|tail| tail.trim_start_matches('#').starts_with('"'));
    if let Some(tail) = raw {
        let hashes = tail.chars().take_while(|letter| *letter == '#').count();
        let close: Vec<char> = format!("\"{}", "#".repeat(hashes)).chars().collect();
        let open = at + rest.len() - tail.len() + hashes + 1;
        let found = (open..letters.len()).find(|next| letters[*next..].starts_with(&close));
        return Some(found.map_or(letters.len(), |next| next + close.len()));
    }
    let quote = body
        .chars()
        .next()
        .filter(|letter| ['"', '\''].contains(letter))?;
    let mut next = at + (rest.len() - body.len()) + 1;
    let is_character = letters.get(next) == Some(&'\\') || letters.get(next + 1) == Some(&'\'');
    if quote == '\'' && !is_character {
        return None;
    }
    while next < letters.len() && letters[next] != quote {
        next += if letters[next] == '\\' { 2 } else { 1 };
    }
    Some(next + 1)
}

#[test]
fn comments_texts_and_tests_name_nothing() {
    let text = r##"
        // use crate::a; /* use crate::b; */
        const X: &str = "use crate::c;"; const Y: &str = r#"crate::"d"#; const Z: char = '"';
        fn f<'a>(x: &'a str) {}
        #[cfg(test)]
        mod tests { use crate::e; fn g() { if true {} } }
        #[cfg(test)] use crate::f;
        use crate::g;
    "##;

    assert_eq!(Source::of(text).own_paths(1), ["g"]);
}

#[test]
fn groups_are_opened() {
    let source = Source::of("use crate::{a, b::{c, d}, e::f::g};");

    assert_eq!(source.own_paths(1), ["a", "b::c", "b::d", "e::f"]);
}

#[test]
fn super_reaches_the_crate_only_from_high_enough() {
    let source = Source::of("use super::super::git; use super::near;");

    assert_eq!(source.own_paths(2), ["git"]);
    assert_eq!(source.own_paths(3), [""; 0]);
    assert_eq!(source.own_paths(1), ["git", "near"]);
}

#[test]
fn a_crate_is_named_in_use_and_inline() {
    let crates = ["gix", "regex"].map(str::to_owned);

    assert_eq!(Source::of("use gix;").outside_crates(&crates), ["gix"]);
    assert_eq!(
        Source::of("fn f(x: gix::Id) {}").outside_crates(&crates),
        ["gix"]
    );
    assert_eq!(
        Source::of("self.gix.open(); super::regex::x();").outside_crates(&crates),
        [""; 0]
    );
}

#[test]
fn tests_do_not_count_as_length() {
    let text = "//! x\nfn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";

    assert_eq!(length_without_tests(text), 2);
}

#[test]
fn forbidden_words_are_found_in_code_only() {
    assert!(Source::of("fn f() { x.unwrap() }").holds(".unwrap()"));
    assert!(!Source::of("fn f() { x.unwrap_or(1) } // .unwrap()").holds(".unwrap()"));
    assert!(Source::of("#[allow(dead_code)] fn f() {}").holds("#[allow("));
}
