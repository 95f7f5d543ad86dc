//! Who a notes commit is by: as git would have it, or the tool itself (D23).

use gix::actor::{Signature, SignatureRef};
use gix::bstr::{BString, ByteSlice as _};
use gix::date::Time;

/// The name where git knows none.
const FALLBACK_NAME: &str = "git-plan-audit";

/// Returns author and committer of a notes commit made now; `key` stands in the fallback.
///
/// It never fails: after the checks ran, a missing or odd name must not cost the evidence.
pub(super) fn author_and_committer(repo: &gix::Repository, key: &str) -> (Signature, Signature) {
    let config = repo.config_snapshot();
    let fixed = |key: &str| config.string(key).is_some();
    let author = repo.author().and_then(Result::ok);
    let committer = repo.committer().and_then(Result::ok);
    (
        signature(author, fixed("gitoxide.commit.authorDate"), key),
        signature(committer, fixed("gitoxide.commit.committerDate"), key),
    )
}

/// Makes a signature; its time is that of git's variables only where they fix it.
fn signature(found: Option<SignatureRef<'_>>, has_date: bool, key: &str) -> Signature {
    let date = found.as_ref().filter(|_| has_date);
    let time = date.and_then(|found| found.time().ok());
    let (name, email) = found
        .map(|found| (clean(found.name), clean(found.email)))
        .filter(|(name, _)| !name.is_empty())
        .unwrap_or_else(|| {
            let email = clean(format!("{key}@invalid").as_bytes());
            (FALLBACK_NAME.into(), email)
        });
    Signature {
        name,
        email,
        time: time.unwrap_or_else(Time::now_local_or_utc),
    }
}

/// Drops what may not stand in a commit header.
fn clean(text: &[u8]) -> BString {
    let kept: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_control() && !matches!(byte, b'<' | b'>'))
        .collect();
    kept.trim().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_stand_in_a_header_is_dropped() {
        assert_eq!(clean(b" A <b>\n\0c "), "A bc");
    }

    #[test]
    fn an_unknown_person_is_the_tool_itself() {
        let made = signature(None, false, "ssh:SHA256:abc");

        assert_eq!(made.name, "git-plan-audit");
        assert_eq!(made.email, "ssh:SHA256:abc@invalid");
    }
}
