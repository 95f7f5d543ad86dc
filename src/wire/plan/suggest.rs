//! Finds the word that a person probably meant.

/// The longest word that is compared; longer ones are no typing errors of short keys.
const MAX_LENGTH: usize = 40;

/// Returns the known word that differs from `word` by at most two slips, if there is one.
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    let slips_allowed = if word.chars().count() <= 3 { 1 } else { 2 };
    known
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(slips, _)| *slips <= slips_allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Counts the characters to insert, remove or replace to make one word the other; case is no slip.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.to_lowercase().chars().enumerate() {
        row = next_row(&row, i + 1, from, &b);
    }
    row.last().copied().unwrap_or_default()
}

/// Computes one row of the table from the one above.
fn next_row(above: &[usize], first: usize, from: char, b: &[char]) -> Vec<usize> {
    let mut row = vec![first];
    let mut left = first;
    for (pair, to) in above.windows(2).zip(b) {
        let [diagonal, up] = pair else { continue };
        let replaced = diagonal + usize::from(from != *to);
        left = replaced.min(up + 1).min(left + 1);
        row.push(left);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_forgiven_and_other_words_are_not() {
        let known = ["covers", "verify", "depends_on", "id", "title"];
        let meant = |word| nearest(word, known.into_iter());

        assert_eq!(meant("cover"), Some("covers"));
        assert_eq!(meant("dependson"), Some("depends_on"));
        assert_eq!(meant("Verify"), Some("verify"));
        assert_eq!(meant("ids"), Some("id"));
        assert_eq!(meant("notes"), None);
        assert_eq!(meant(&"x".repeat(100_000)), None);
    }
}
