//! Whose evidence counts in one judgement.

use std::collections::BTreeMap;

use crate::model::ids::Writer;
use crate::model::time::Timestamp;

/// One key that counts, and for what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Grant {
    /// Whether it may approve: its entry names the approve namespace literally.
    pub(crate) approves: bool,
    /// Whether it may not record: its entry names the approve namespace and not that of records.
    pub(crate) only_approves: bool,
    /// Records before this moment do not count.
    pub(crate) after: Option<Timestamp>,
    /// Records after this moment do not count.
    pub(crate) before: Option<Timestamp>,
    /// Who it is, as the entry names its principals; empty for a clone's own key.
    pub(crate) principals: String,
}

impl Grant {
    /// Says whether it holds at a moment.
    fn holds_at(&self, time: Timestamp) -> bool {
        self.after.is_none_or(|after| after <= time)
            && self.before.is_none_or(|before| time <= before)
    }
}

/// Where the signers of a judgement come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// `.plan-auditor/allowed_signers` at the trust point.
    TrustPoint(String),
    /// A file outside the repository.
    File(String),
    /// This clone's own keys: nobody is listed anywhere.
    OwnKeys,
}

/// The signers of one judgement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signers {
    /// Where they come from.
    pub(crate) source: Source,
    /// What each key may; a key may be listed more than once.
    grants: BTreeMap<Writer, Vec<Grant>>,
}

impl Signers {
    /// Makes signers of entries.
    pub(crate) fn new(source: Source, entries: impl IntoIterator<Item = (Writer, Grant)>) -> Self {
        let mut grants: BTreeMap<Writer, Vec<Grant>> = BTreeMap::new();
        for (writer, grant) in entries {
            grants.entry(writer).or_default().push(grant);
        }
        Self { source, grants }
    }

    /// Says whether nobody is listed who may record.
    pub(crate) fn is_empty(&self) -> bool {
        !self.grants.keys().any(|writer| self.knows(writer))
    }

    /// Says whether what this key recorded at `time` counts.
    pub(crate) fn trusts(&self, writer: &Writer, time: Timestamp) -> bool {
        self.recording(writer).any(|grant| grant.holds_at(time))
    }

    /// Says whether what this key approved at `time` counts: where no entry may approve, any key
    /// that counts may.
    pub(crate) fn approves(&self, writer: &Writer, time: Timestamp) -> bool {
        if !self.has_approver() {
            return self.trusts(writer, time);
        }
        let grants = self.grants.get(writer).into_iter().flatten();
        grants
            .filter(|grant| grant.approves)
            .any(|grant| grant.holds_at(time))
    }

    /// Says whether what this key approved at `time` counts, and it is the key of somebody: one of the
    /// principals of the entry that lets it approve is that name, to the letter.
    pub(crate) fn speaks_for(&self, writer: &Writer, name: &str, time: Timestamp) -> bool {
        let is_needed = self.has_approver();
        let grants = self.grants.get(writer).into_iter().flatten();
        grants
            .filter(|grant| grant.holds_at(time) && (grant.approves || !is_needed))
            .any(|grant| grant.principals.split(',').any(|one| one == name))
    }

    /// Says whether what this key records counts at any time.
    pub(crate) fn knows(&self, writer: &Writer) -> bool {
        self.recording(writer).next().is_some()
    }

    /// Says whether a key is listed, for whatever.
    pub(crate) fn lists(&self, writer: &Writer) -> bool {
        self.grants.contains_key(writer)
    }

    /// Returns the grants by which a key may record.
    fn recording(&self, writer: &Writer) -> impl Iterator<Item = &Grant> {
        let grants = self.grants.get(writer).into_iter().flatten();
        grants.filter(|grant| !grant.only_approves)
    }

    /// Says whether any entry may approve.
    pub(crate) fn has_approver(&self) -> bool {
        self.grants.values().flatten().any(|grant| grant.approves)
    }

    /// Returns who a key is, where its entry says so.
    pub(crate) fn principals(&self, writer: &Writer) -> Option<&str> {
        let grants = self.grants.get(writer)?;
        grants
            .iter()
            .map(|grant| grant.principals.as_str())
            .find(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_key_counts_from_its_first_to_its_last_moment() {
        let writer = Writer::Hmac("0".repeat(16));
        let grant = Grant {
            after: Some(time("2026-01-01T00:00:00Z")),
            before: Some(time("2026-12-31T00:00:00Z")),
            ..Grant::default()
        };
        let signers = Signers::new(Source::OwnKeys, [(writer.clone(), grant)]);

        assert!(signers.trusts(&writer, time("2026-01-01T00:00:00Z")));
        assert!(signers.trusts(&writer, time("2026-12-31T00:00:00Z")));
        assert!(!signers.trusts(&writer, time("2025-12-31T23:59:59Z")));
        assert!(!signers.trusts(&writer, time("2026-12-31T00:00:01Z")));
        assert!(!signers.trusts(&Writer::Hmac("1".repeat(16)), time("2026-06-01T00:00:00Z")));
    }

    #[test]
    fn a_key_that_only_approves_records_nothing() {
        let writer = Writer::Hmac("0".repeat(16));
        let grant = Grant {
            approves: true,
            only_approves: true,
            ..Grant::default()
        };

        let signers = Signers::new(Source::OwnKeys, [(writer.clone(), grant)]);

        assert!(!signers.trusts(&writer, time("2026-01-01T00:00:00Z")));
        assert!(!signers.knows(&writer) && signers.is_empty() && signers.has_approver());
        assert!(signers.approves(&writer, time("2026-01-01T00:00:00Z")));
    }

    #[test]
    fn a_key_speaks_for_the_names_of_the_entry_that_lets_it_approve() {
        let writer = Writer::Hmac("0".repeat(16));
        let grant = |principals: &str, approves| Grant {
            approves,
            principals: principals.to_owned(),
            ..Grant::default()
        };
        let entries = [grant("ada,finance", true), grant("legal", false)];
        let now = time("2026-01-01T00:00:00Z");

        let signers = Signers::new(
            Source::OwnKeys,
            entries.map(|grant| (writer.clone(), grant)),
        );

        assert!(signers.speaks_for(&writer, "finance", now));
        for name in ["legal", "fin", "", "*"] {
            assert!(!signers.speaks_for(&writer, name, now), "{name}");
        }
    }

    #[test]
    fn any_key_that_counts_approves_where_no_entry_may() {
        let (one, other) = (Writer::Hmac("0".repeat(16)), Writer::Hmac("1".repeat(16)));
        let approver = Grant {
            approves: true,
            ..Grant::default()
        };
        let entries = [(one.clone(), Grant::default()), (other.clone(), approver)];
        let now = time("2026-01-01T00:00:00Z");

        let open = Signers::new(Source::OwnKeys, entries.iter().take(1).cloned());
        let kept = Signers::new(Source::OwnKeys, entries);

        assert!(open.approves(&one, now) && !open.approves(&other, now));
        assert!(kept.approves(&other, now) && !kept.approves(&one, now));
    }
}
