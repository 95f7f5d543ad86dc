//! What an agent is about to type at a shell, looked at for ways past the gate. Pure.
//!
//! It reads the text of a command, which can say the same in ways without end: a seat belt, and no gate.

use super::repository::LEDGER;

/// How much of a command is looked at, in bytes.
const MOST: usize = 64 * 1024;
/// How deep a command within a command is looked at, as in `sh -c '...'`.
const DEPTH: usize = 3;
/// Programs that run the text they are given.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "eval"];
/// Programs that take a file away or change it.
const CHANGERS: [&str; 10] = [
    "rm", "mv", "cp", "ln", "chmod", "truncate", "tee", "sed", "unlink", "install",
];
/// Commands of git that run hooks and can be told not to.
const HOOKED: [&str; 7] = [
    "commit",
    "merge",
    "push",
    "rebase",
    "am",
    "pull",
    "cherry-pick",
];
/// Short options of `git commit` that take a value.
const WITH_VALUE: [char; 5] = ['m', 'F', 'C', 'c', 't'];
/// Where evidence lies, and what clones remember of it.
const EVIDENCE: [&str; 2] = [LEDGER, "refs/plan-audit"];
/// Commands of `git notes` that only read.
const READING_NOTES: [&str; 3] = ["list", "show", "get-ref"];

/// Says what in a command would go past the gate; none where nothing is seen.
pub(crate) fn bypass(command: &str) -> Option<String> {
    let end = command.len().min(MOST);
    let end = (0..=end).rev().find(|at| command.is_char_boundary(*at))?;
    looked_at(command.get(..end)?, DEPTH)
}

/// Looks at each of the commands that a text holds.
fn looked_at(text: &str, depth: usize) -> Option<String> {
    commands(text).iter().find_map(|words| simple(words, depth))
}

/// Looks at one command.
fn simple(words: &[String], depth: usize) -> Option<String> {
    if let Some(found) = words.iter().find_map(|word| switched_off(word)) {
        return Some(found);
    }
    if let Some(found) = files(words) {
        return Some(found);
    }
    let is_git = |word: &String| base(word) == "git";
    if let Some(at) = words.iter().position(is_git) {
        let found = git(words.get(at + 1..).unwrap_or_default());
        if found.is_some() {
            return found;
        }
    }
    let at = words.iter().position(|word| SHELLS.contains(&base(word)))?;
    let scripts = words.get(at + 1..)?.iter();
    let mut scripts = scripts.filter(|word| depth > 0 && word.contains(char::is_whitespace));
    scripts.find_map(|script| looked_at(script, depth - 1))
}

/// Returns the name of a program without its directory.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Finds a variable by which hooks are switched off, or git is told of settings.
fn switched_off(word: &str) -> Option<String> {
    let (name, value) = word.split_once('=')?;
    let is_off = match name {
        "HUSKY" | "LEFTHOOK" => ["0", "false"].contains(&value),
        "SKIP" => value.contains("plan-audit"),
        "GIT_CONFIG_PARAMETERS" => true,
        name if name.starts_with("GIT_CONFIG_KEY_") => is_gate_key(value),
        _ => false,
    };
    is_off.then(|| format!("{name}={value}"))
}

/// Finds a change of the files that are the gate.
fn files(words: &[String]) -> Option<String> {
    let is_ours = |word: &&String| word.contains(".git/hooks") || word.contains(".git/plan-audit");
    let target = words.iter().find(is_ours)?;
    let is_change = |word: &String| CHANGERS.contains(&base(word)) || word.starts_with('>');
    words
        .iter()
        .any(is_change)
        .then(|| format!("a change of {target}"))
}

/// Says whether a key of git's configuration steers the gate.
fn is_gate_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key == "core.hookspath" || key.starts_with("planaudit.") || key.starts_with("hook.")
}

/// Looks at the arguments of git.
fn git(words: &[String]) -> Option<String> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-c" | "--config-env" => {
                let setting = rest.next()?;
                let key = setting.split('=').next().unwrap_or_default();
                if is_gate_key(key) {
                    return Some(format!("{word} {setting}"));
                }
            }
            "-C" | "--git-dir" | "--work-tree" | "--namespace" => drop(rest.next()),
            option if option.starts_with("--config-env=") => {
                let key = option.split('=').nth(1).unwrap_or_default();
                if is_gate_key(key) {
                    return Some(option.to_owned());
                }
            }
            option if option.starts_with('-') => {}
            name => return of_command(name, rest.as_slice()),
        }
    }
    None
}

/// Looks at the arguments of a command of git.
fn of_command(name: &str, words: &[String]) -> Option<String> {
    if HOOKED.contains(&name) {
        let found = unverified(name, words);
        if found.is_some() {
            return found;
        }
    }
    let evidence = words
        .iter()
        .find(|word| EVIDENCE.iter().any(|reference| word.contains(reference)));
    match name {
        "config" => setting(words),
        "update-ref" | "symbolic-ref" => evidence.map(|word| format!("{name} {word}")),
        "notes" => notes(words),
        "push" => evidence.and_then(|word| forced(words, word)),
        "fetch" => evidence
            .filter(|word| word.starts_with('+') && word.contains(":refs/notes/plan-audit"))
            .map(|word| format!("fetch {word}")),
        "plan-audit" if words.first().is_some_and(|word| word == "deinit") => {
            Some("plan-audit deinit".to_owned())
        }
        _ => None,
    }
}

/// Finds an option that goes past hooks.
fn unverified(name: &str, words: &[String]) -> Option<String> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            return None;
        }
        // Git takes what is not ambiguous for the whole.
        if word.starts_with("--no-ve") && "--no-verify".starts_with(word.as_str()) {
            return Some(format!("{name} {word}"));
        }
        let Some(letters) = word.strip_prefix('-').filter(|_| name == "commit") else {
            continue;
        };
        for (at, letter) in letters.char_indices() {
            if letter == 'n' {
                return Some(format!("commit {word}"));
            }
            if WITH_VALUE.contains(&letter) {
                if at + 1 == letters.len() {
                    words.next();
                }
                break;
            }
            if !letter.is_ascii_alphabetic() {
                break;
            }
        }
    }
    None
}

/// Finds a setting of the gate that is written.
fn setting(words: &[String]) -> Option<String> {
    let at = words.iter().position(|word| is_gate_key(word))?;
    let key = words.get(at)?;
    let is_unset = |word: &String| word.trim_start_matches('-').starts_with("unset");
    let is_written = at + 1 < words.len() || words.iter().any(is_unset);
    is_written.then(|| format!("config {key}"))
}

/// Finds a change of the ledger by `git notes`.
fn notes(words: &[String]) -> Option<String> {
    let is_ledger = |word: &String| word.ends_with("plan-audit");
    let mut plain = words
        .iter()
        .filter(|word| !word.starts_with('-') && !is_ledger(word));
    let what = plain.next()?;
    let is_change = !READING_NOTES.contains(&what.as_str());
    (is_change && words.iter().any(is_ledger)).then(|| format!("notes {what}"))
}

/// Finds a push that takes evidence away.
fn forced(words: &[String], reference: &str) -> Option<String> {
    let is_force = |word: &String| {
        ["-f", "--force", "-d", "--delete", "--mirror"].contains(&word.as_str())
            || word.starts_with("--force-with-lease")
    };
    let is_forced = reference.starts_with(['+', ':']) || words.iter().any(is_force);
    is_forced.then(|| format!("push {reference}"))
}

/// Cuts a text into commands, and those into words, as a shell would where it is written plainly.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut cutter = Cutter::default();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (cutter.quote, letter) {
            (Some(quote), letter) if letter == quote => cutter.quote = None,
            (Some('\''), letter) => cutter.push(letter),
            (None, '\'' | '"') => {
                cutter.quote = Some(letter);
                cutter.begin();
            }
            (_, '\\') => match letters.next() {
                Some('\n') | None => {}
                Some(next) => cutter.push(next),
            },
            (_, '$') if letters.peek() == Some(&'(') => {
                letters.next();
                cutter.open();
            }
            (_, ')') if !cutter.outer.is_empty() => cutter.close(),
            (None, ';' | '&' | '|' | '\n' | '(' | ')' | '{' | '}') | (_, '`') => {
                cutter.end_command();
            }
            (None, '>' | '<') => {
                cutter.end_word();
                cutter.push(letter);
            }
            (None, letter) if letter.is_whitespace() => cutter.end_word(),
            (_, letter) => cutter.push(letter),
        }
    }
    cutter.end_command();
    cutter.commands
}

/// What was cut so far.
#[derive(Default)]
struct Cutter {
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    quote: Option<char>,
    /// The quotes around commands whose output is put in.
    outer: Vec<Option<char>>,
}

impl Cutter {
    /// Begins a word, which may stay empty.
    fn begin(&mut self) {
        self.word.get_or_insert_with(String::new);
    }

    /// Adds a letter to the word.
    fn push(&mut self, letter: char) {
        self.word.get_or_insert_with(String::new).push(letter);
    }

    /// Begins a command whose output is put in.
    fn open(&mut self) {
        self.end_command();
        self.outer.push(self.quote.take());
    }

    /// Ends it.
    fn close(&mut self) {
        self.end_command();
        self.quote = self.outer.pop().flatten();
    }

    /// Ends the word.
    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    /// Ends the command.
    fn end_command(&mut self) {
        self.end_word();
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ways_past_the_gate_are_seen() {
        for command in [
            "git commit --no-verify -m x",
            "git commit -nm x",
            "git commit -anm x",
            "git commit -m x -n",
            "git push --no-verif origin main",
            "cd x && git push --no-verify",
            "true; /usr/bin/git -C x merge --no-verify y",
            "git -c core.hooksPath=/dev/null commit -m x",
            "git -c CORE.HOOKSPATH= push",
            "git -c planAudit.prePush=off push",
            "git --config-env=core.hooksPath=X push",
            "git config core.hooksPath /dev/null",
            "git config --global --unset core.hooksPath",
            "git config set hook.plan-audit.enabled false",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/ git push",
            "HUSKY=0 git commit -m x",
            "export LEFTHOOK=0",
            "SKIP=plan-audit-push git push",
            "sh -c 'git commit --no-verify'",
            "bash -lc \"cd x; git push --no-verify\"",
            "env A=b timeout 5 git push --no-verify",
            "echo `git push --no-verify`",
            "echo $(git push --no-verify)",
            "echo \"x $(git push --no-verify) y\"",
            "git update-ref -d refs/notes/plan-audit",
            "git update-ref refs/plan-audit/remotes/origin/notes HEAD",
            "git notes --ref=plan-audit remove HEAD",
            "git notes --ref plan-audit add -f -m x",
            "git push origin :refs/notes/plan-audit",
            "git push -f origin refs/notes/plan-audit",
            "git push origin +refs/notes/plan-audit",
            "git fetch origin +refs/notes/*:refs/notes/plan-audit",
            "git plan-audit deinit",
            "rm -rf .git/hooks/pre-push",
            "chmod -x .git/hooks/*",
            "echo 'exit 0' >.git/hooks/pre-push",
            "printf x > .git/hooks/pre-commit",
            "g\\it commit --no-verify",
            "'git' push \"--no-verify\"",
        ] {
            assert!(bypass(command).is_some(), "{command}");
        }
    }

    #[test]
    fn honest_work_passes() {
        for command in [
            "git commit -m 'never use --no-verify, or git push --no-verify'",
            "git commit -m -n",
            "git commit -mn",
            "git commit -am 'x'",
            "git push -n origin main",
            "git push --dry-run",
            "git push origin main refs/notes/plan-audit",
            "git notes --ref=plan-audit show HEAD",
            "git notes add -m x",
            "git log --notes=plan-audit -n 5",
            "git config core.hooksPath",
            "git config --get core.hooksPath",
            "git config user.name x",
            "git show-ref refs/notes/plan-audit",
            "git plan-audit audit && git commit -m x",
            "ls .git/hooks",
            "cat .git/hooks/pre-push",
            "grep -rn no-verify docs",
            "echo git push --no-ver",
            "git commit -- -n",
            "",
            "'",
            "\\",
        ] {
            let found = bypass(command);
            // A word that only looks like a command of git is taken for one: it is a seat belt.
            let is_echo = command.starts_with("echo");
            assert!(found.is_none() || is_echo, "{command}: {found:?}");
        }
    }

    #[test]
    fn a_long_command_is_looked_at_in_part_and_in_no_time() {
        let long = format!("{} git push --no-verify", "é".repeat(MOST));

        assert_eq!(bypass(&long), None);
        assert!(bypass(&"sh -c '".repeat(10_000)).is_none());
    }

    proptest! {
        #[test]
        fn any_text_is_looked_at(text in "[ -~\\n'\"`$(){}é]{0,200}") {
            drop(bypass(&text));
        }

        #[test]
        fn quotes_hide_no_option(before in "[a-z ]{0,9}", after in "[a-z ]{0,9}") {
            let text = format!("x {before}; git push '--no-verify' {after}");

            prop_assert!(bypass(&text).is_some());
        }
    }
}
