//! Splits a `cmd` into words as a POSIX shell does, and as nothing else does: no expansion, no
//! operators, no comments.

/// Words that a shell would act on.
const OPERATORS: [&str; 12] = [
    "&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>", "2>&1", "&>",
];

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

/// Finds the first word that a shell would act on.
pub(super) fn operator(words: &[String]) -> Option<&str> {
    words
        .iter()
        .map(String::as_str)
        .find(|word| OPERATORS.contains(word))
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
        assert_eq!(operator(&split("make && make test").unwrap()), Some("&&"));
        assert_eq!(operator(&split("make a&&b").unwrap()), None);
    }
}
