//! Words of prose that look like paths.

/// Endings of files by which a word without a `/` is taken for a path.
const ENDINGS: [&str; 31] = [
    "c", "cfg", "cpp", "css", "env", "go", "h", "hpp", "html", "ini", "java", "js", "json", "jsx",
    "lock", "md", "mjs", "mod", "proto", "py", "rb", "rs", "sh", "sql", "toml", "ts", "tsx", "txt",
    "xml", "yaml", "yml",
];

/// Lists the words of a text that look like paths, without what stands around them.
pub(crate) fn paths_in(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "`'\"()<>[]{},;".contains(c))
        .map(|word| word.strip_prefix("./").unwrap_or(word))
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']))
        .filter(|word| is_path(word))
        .collect()
}

/// Says whether a word looks like a path inside a tree.
fn is_path(word: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./@+*".contains(c);
    if !word.chars().all(is_plain) || word.starts_with('/') || word.contains("//") {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let has_ending = name
        .rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending));
    let is_nested = word.matches('/').count() >= 2 && !word.ends_with('/');
    has_ending || is_nested
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_paths_are_found() {
        let text = "Change `src/cache.rs`, (see ./docs/a.md). Add Cargo.toml and a/b/c; and/or 1.5 x.y http://a/b.html e.g. /etc/x.c";

        assert_eq!(
            paths_in(text),
            ["src/cache.rs", "docs/a.md", "Cargo.toml", "a/b/c"]
        );
    }
}
