//! Splits a `cmd` into words as a POSIX shell does: no expansion, no operators, no comments.

/// Splits a command into words; none if a quote is not closed.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    let stand_in = stand_in(command)?;
    // The library takes `#` for the begin of a comment and would drop the rest of the command.
    let without_comments = command.replace('#', stand_in.encode_utf8(&mut [0; 4]));
    let words = shell_words::split(&without_comments).ok()?;
    Some(
        words
            .into_iter()
            .map(|word| word.replace(stand_in, "#"))
            .collect(),
    )
}

/// Finds a character that the command does not hold.
fn stand_in(command: &str) -> Option<char> {
    ('\u{e000}'..='\u{f8ff}').find(|&candidate| !command.contains(candidate))
}

/// Finds the first word that a shell would take for an operator, a redirection or the end of a
/// command; what is quoted is none.
pub(super) fn operator(command: &str) -> Option<String> {
    let bare = unprotected(command);
    let mut words = bare.split_whitespace();
    words.find(|word| is_operator(word)).map(str::to_owned)
}

/// Says whether a shell would act on a word in which nothing is quoted.
fn is_operator(word: &str) -> bool {
    let is_sign = |c: char| "|&;<>".contains(c);
    let redirection = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    word.chars().all(is_sign) || redirection.starts_with(['<', '>']) || word.ends_with(';')
}

/// Writes a letter for each character that a quote or a backslash protects, and drops the quotes.
fn unprotected(command: &str) -> String {
    let mut text = String::new();
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None | Some('"'), '\\') => {
                characters.next();
                text.push('x');
            }
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => text.push('x'),
            (None, _) => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        assert_eq!(
            split("a 'b c' \"d \\\" e\" f\\ g").unwrap(),
            ["a", "b c", "d \" e", "f g"]
        );
        assert_eq!(
            split("  a\t$HOME *.rs; b\n").unwrap(),
            ["a", "$HOME", "*.rs;", "b"]
        );
        assert_eq!(split("a ''").unwrap(), ["a", ""]);
    }

    #[test]
    fn a_hash_does_not_hide_the_rest() {
        assert_eq!(
            split("grep #include a.c").unwrap(),
            ["grep", "#include", "a.c"]
        );
        assert_eq!(
            split("\u{e000} #\u{e001}").unwrap(),
            ["\u{e000}", "#\u{e001}"]
        );
    }

    #[test]
    fn an_open_quote_is_refused() {
        for command in ["a 'b", "a \"b", "'"] {
            assert_eq!(split(command), None, "{command}");
        }
    }

    #[test]
    fn operators_are_found() {
        for (command, found) in [
            ("make && make test", "&&"),
            ("a | b", "|"),
            ("a >out", ">out"),
            ("a 2>&1", "2>&1"),
            ("a &>/dev/null", "&>/dev/null"),
            ("a < b", "<"),
            ("a; b", "a;"),
            ("a 'b c' & d", "&"),
        ] {
            assert_eq!(operator(command).as_deref(), Some(found), "{command}");
        }
    }

    #[test]
    fn what_is_quoted_or_part_of_a_word_is_no_operator() {
        for command in [
            "make a&&b",
            "printf 'a b' '|'",
            "a \"&&\" b",
            "expr 3 \\> 2",
            "a '2>&1' \";\"",
            "grep '<html>' a",
            "curl http://x/?a=1&b=2",
        ] {
            assert_eq!(operator(command), None, "{command}");
        }
    }
}
