//! What looks like a secret is not shown (PREFLIGHT section 4): a guess, which errs to both sides.

/// How keys and tokens of well-known services begin.
const STARTS: [&str; 10] = [
    "AKIA",
    "ASIA",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "sk_live_",
    "-----BEGIN ",
];
/// Names of what is secret.
const NAMES: [&str; 6] = ["password", "passwd", "secret", "api_key", "apikey", "token"];
/// How long a run of letters and digits is that may be a key.
const LONG: usize = 32;

/// Says whether a line may hold a secret.
pub(crate) fn looks_secret(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_assigned = |name: &str| {
        let mut after = lower.match_indices(name);
        after.any(|(at, _)| {
            let rest = lower.get(at + name.len()..).unwrap_or_default();
            let value = rest.trim_start_matches(['"', '\'', ' ']);
            let value = value.strip_prefix(['=', ':']);
            value.is_some_and(|value| value.trim_matches(['"', '\'', ' ', ',', ';']).len() >= 4)
        })
    };
    STARTS.iter().any(|start| line.contains(start))
        || NAMES.into_iter().any(is_assigned)
        || line
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(is_random)
}

/// Says whether a word mixes letters and digits over a length that no name has.
fn is_random(word: &str) -> bool {
    word.len() >= LONG
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_key_is_seen_and_code_is_not() {
        for line in [
            "aws = AKIAIOSFODNN7EXAMPLE",
            "password = \"hunter22\"",
            "API_KEY: abcdefgh",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "x = 0123456789abcdef0123456789abcdef",
        ] {
            assert!(looks_secret(line), "{line}");
        }
        for line in [
            "fn refund(amount: u64) -> Token {",
            "def check_password(user):",
            "use crate::model::claim::evidence::Evidence;",
            "token",
        ] {
            assert!(!looks_secret(line), "{line}");
        }
    }
}
