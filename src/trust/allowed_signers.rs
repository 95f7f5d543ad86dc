//! The `allowed_signers` file: OpenSSH's format (ssh-keygen(1), ALLOWED SIGNERS), read strictly.
//!
//! Plain keys with `namespaces`, `valid-after` and `valid-before` are used. A line with another
//! option, or that cannot be read, is reported and not used: it never widens trust. Whatever counts
//! here counts for ssh-keygen too; spellings that the two could read differently are not used.

use ssh_key::PublicKey;

use super::signers::Grant;
use super::sshsig::{APPROVE, RECORD, is_strong, writer_of};
use crate::model::ids::Writer;
use crate::model::time::Timestamp;

/// A line that is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unused {
    /// Its number, from 1.
    pub(crate) line: usize,
    /// Why.
    pub(crate) why: String,
}

/// What a file lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Listed {
    /// Keys that may record, and what else they may.
    pub(crate) entries: Vec<(Writer, Grant)>,
    /// Lines that are not used.
    pub(crate) unused: Vec<Unused>,
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Listed {
    let mut listed = Listed::default();
    for (index, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match entry(line) {
            Ok(entry) => listed.entries.push(entry),
            Err(why) => listed.unused.push(Unused {
                line: index + 1,
                why,
            }),
        }
    }
    listed
}

/// Reads one entry: principals, options, key.
fn entry(line: &str) -> Result<(Writer, Grant), String> {
    if line.contains(|c: char| c.is_control() && c != '\t') {
        return Err("it holds a control character".to_owned());
    }
    let mut words = split(line)?.into_iter();
    let principals = principals(&words.next().ok_or("no principals")?)?;
    let rest: Vec<String> = words.collect();
    let key_at = rest
        .iter()
        .position(|word| is_key_type(word))
        .ok_or("no key of a known type")?;
    let (options, key) = rest.split_at(key_at);
    let key = PublicKey::from_openssh(&key.iter().take(2).cloned().collect::<Vec<_>>().join(" "))
        .map_err(|_| "the key cannot be read")?;
    if !is_strong(key.key_data()) {
        return Err("the key is of a kind or length that does not count".to_owned());
    }
    let writer = writer_of(&key).ok_or("the key cannot be named")?;
    let mut grant = Grant {
        principals,
        ..Grant::default()
    };
    match options {
        [] => {}
        [list] => apply_options(&mut grant, list)?,
        [..] => return Err("options are not one word".to_owned()),
    }
    Ok((writer, grant))
}

/// Reads principals, in quotes or without. Where only some match, a key would be one person's and
/// not another's, which no record tells apart.
fn principals(word: &str) -> Result<String, String> {
    let inner = word
        .strip_prefix('"')
        .map_or(Some(word), |rest| rest.strip_suffix('"'));
    let text = inner.filter(|text| !text.contains('"'));
    let text = text.ok_or("quotes stand inside the principals")?;
    if text.is_empty() {
        return Err("no principals".to_owned());
    }
    if text.split(',').any(|pattern| pattern.starts_with('!')) {
        return Err("negated principals are not used by this tool".to_owned());
    }
    Ok(text.to_owned())
}

/// Says whether a word names a type of key.
fn is_key_type(word: &str) -> bool {
    ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]
        .iter()
        .any(|prefix| word.starts_with(prefix))
}

/// Splits at blanks outside double quotes; quotes are kept.
fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.push(c);
            }
            ' ' | '\t' if !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if quoted {
        return Err("a quote is not closed".to_owned());
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// Applies a comma-separated list of options, each at most once.
fn apply_options(grant: &mut Grant, list: &str) -> Result<(), String> {
    if list.contains('\\') {
        return Err("backslashes in options are not used by this tool".to_owned());
    }
    let mut seen = Vec::new();
    for option in split_options(list) {
        let (name, value) = option.split_once('=').unwrap_or((&option, ""));
        let name = name.to_ascii_lowercase();
        if seen.contains(&name) {
            return Err(format!("option {name} is there twice"));
        }
        apply_option(grant, &name, value)?;
        seen.push(name);
    }
    match (grant.after, grant.before) {
        (Some(after), Some(before)) if after >= before => {
            Err("valid-after is not before valid-before".to_owned())
        }
        (_, _) => Ok(()),
    }
}

/// Splits at commas outside double quotes.
fn split_options(list: &str) -> Vec<String> {
    let mut options = vec![String::new()];
    let mut quoted = false;
    for c in list.chars() {
        quoted ^= c == '"';
        if c == ',' && !quoted {
            options.push(String::new());
        } else if let Some(last) = options.last_mut() {
            last.push(c);
        }
    }
    options
}

/// Applies one option.
fn apply_option(grant: &mut Grant, name: &str, value: &str) -> Result<(), String> {
    let quoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let value = quoted.ok_or_else(|| format!("option {name} is not used by this tool"))?;
    match name {
        "namespaces" => {
            let names: Vec<&str> = value.split(',').collect();
            if names.iter().any(|pattern| pattern.starts_with('!')) {
                return Err("negated namespaces are not used by this tool".to_owned());
            }
            let records = names.iter().any(|pattern| matches(pattern, RECORD));
            grant.approves = names.contains(&APPROVE);
            grant.only_approves = grant.approves && !records;
            if !records && !grant.approves {
                return Err("its namespaces are for something else".to_owned());
            }
        }
        "valid-after" => grant.after = Some(moment(value)?),
        "valid-before" => grant.before = Some(moment(value)?),
        other => return Err(format!("option {other} is not used by this tool")),
    }
    Ok(())
}

/// Says whether a pattern with `*` (any text) and `?` (any one letter) matches the whole text.
fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.as_bytes(), text.as_bytes());
    // Where to go on when the last star takes one letter more.
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (Some((b'*', after)), _) => {
                retry = text.split_first().map(|(_, rest)| (pattern, rest));
                pattern = after;
                if after.is_empty() {
                    return true;
                }
            }
            (Some((wanted, after)), Some((found, rest))) if *wanted == b'?' || wanted == found => {
                (pattern, text) = (after, rest);
            }
            (None, None) => return true,
            (_, _) => match retry.take() {
                Some((star, rest)) => (pattern, text) = (star, rest),
                None => return false,
            },
        }
    }
}

/// Reads `YYYYMMDD[Z]` or `YYYYMMDDHHMM[SS][Z]`. Without `Z` OpenSSH means local time; here that
/// would make a verdict depend on the machine, so it is refused.
fn moment(text: &str) -> Result<Timestamp, String> {
    let digits = text
        .strip_suffix('Z')
        .ok_or_else(|| format!("time {text} has no Z: local times differ by machine"))?;
    let full = match digits.len() {
        8 => format!("{digits}000000"),
        12 => format!("{digits}00"),
        14 => digits.to_owned(),
        _ => return Err(format!("time {text} cannot be read")),
    };
    let mut spelled = String::new();
    for (index, digit) in full.chars().enumerate() {
        spelled.push_str(match index {
            4 | 6 => "-",
            8 => "T",
            10 | 12 => ":",
            _ => "",
        });
        spelled.push(digit);
    }
    spelled.push('Z');
    // OpenSSH takes the first second of all for no time.
    Timestamp::parse(&spelled)
        .filter(|time| *time > Timestamp::EPOCH)
        .ok_or_else(|| format!("time {text} cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = include_str!("../../tests/vectors/sshsig/key.pub");

    fn line(before_key: &str) -> Listed {
        read(format!("{before_key} {KEY}").as_bytes())
    }

    #[test]
    fn a_plain_key_records() {
        let listed = line("builder@example.org");

        assert_eq!(listed.unused, []);
        let [(_, grant)] = listed.entries.as_slice() else {
            panic!("{listed:?}")
        };
        assert!(!grant.approves);
        assert_eq!(grant.principals, "builder@example.org");
    }

    #[test]
    fn only_the_literal_namespace_approves() {
        let approves = |options: &str| line(&format!("a {options}")).entries[0].1.approves;

        assert!(approves(
            "namespaces=\"git-plan-audit,git-plan-audit-approve\""
        ));
        assert!(!approves("namespaces=\"git-plan-audit*\""));
        assert!(!approves("namespaces=\"*\""));
        assert!(!approves("namespaces=\"git-plan-audit\""));
    }

    #[test]
    fn the_approve_namespace_alone_does_not_record() {
        let only_approves =
            |options: &str| line(&format!("a {options}")).entries[0].1.only_approves;

        assert!(only_approves("namespaces=\"git-plan-audit-approve\""));
        assert!(!only_approves(
            "namespaces=\"git-plan-audit-approve,git-*\""
        ));
        assert!(!only_approves("namespaces=\"git-plan-audit\""));
    }

    #[test]
    fn stars_and_question_marks_match_as_in_openssh() {
        for pattern in [
            "*",
            "**",
            "git-plan-audit",
            "g*t",
            "*-audit",
            "git*",
            "???-plan-*",
            "*plan*a*t*",
        ] {
            assert!(matches(pattern, RECORD), "{pattern}");
        }
        for pattern in [
            "",
            "?",
            "git",
            "*x",
            "git-plan-audit?",
            "*/*",
            "[g]*",
            "{git,x}*",
            "**/git-plan-audit",
        ] {
            assert!(!matches(pattern, RECORD), "{pattern}");
        }
        assert!(!matches(&"*a".repeat(10_000), &"a".repeat(9_999)));
    }

    #[test]
    fn times_bound_a_key() {
        let listed = line("a valid-after=\"20260101Z\",valid-before=\"202612312359Z\"");
        let grant = &listed.entries[0].1;

        assert_eq!(grant.after, Timestamp::parse("2026-01-01T00:00:00Z"));
        assert_eq!(grant.before, Timestamp::parse("2026-12-31T23:59:00Z"));
    }

    #[test]
    fn a_line_that_says_something_else_is_not_used() {
        for bad in [
            "a cert-authority",
            "a namespaces=\"git\"",
            "a namespaces=\"git-plan-audit\",namespaces=\"git-plan-audit\"",
            "a valid-after=\"20260101\"",
            "a valid-after=\"20270101Z\",valid-before=\"20260101Z\"",
            "a valid-after=\"2026\"",
            "a no-touch-required",
            "a \"open",
            "a one two",
            "!a",
            "\"\"",
            "a\"b\"",
            "a namespaces=\"!git-plan-audit,*\"",
            "a namespaces=\"git-plan-audit\\\"",
            "a namespaces=\"**/git-plan-audit\"",
            "a\0",
        ] {
            let listed = line(bad);
            assert_eq!((listed.entries.len(), listed.unused.len()), (0, 1), "{bad}");
        }
        assert_eq!(read(b"a ssh-ed25519 AAAA").unused.len(), 1);
        assert_eq!(read(b"# comment\n\n"), Listed::default());
    }
}
