//! Names of things: git objects, digests, records, instances, writers and plans.
//!
//! Each is parsed once at the border; a value that exists is well formed.

use std::fmt;

/// Reads lower-case hex of exactly `N` bytes.
fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != N * 2 {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *byte = nibble(*high)? * 16 + nibble(*low)?;
    }
    Some(bytes)
}

/// Returns the value of one lower-case hex digit.
const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Writes bytes as lower-case hex.
fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// A git object id, SHA-1 (20 bytes) or SHA-256 (32 bytes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Oid {
    /// An id of a SHA-1 repository.
    Sha1([u8; 20]),
    /// An id of a SHA-256 repository.
    Sha256([u8; 32]),
}

impl Oid {
    /// Reads 40 or 64 lower-case hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        from_hex(text)
            .map(Self::Sha1)
            .or_else(|| from_hex(text).map(Self::Sha256))
    }

    /// Takes the raw bytes that git stores in trees.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let sha1 = bytes.try_into().map(Self::Sha1);
        sha1.or_else(|_| bytes.try_into().map(Self::Sha256)).ok()
    }

    /// Returns the raw bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Sha1(bytes) => bytes,
            Self::Sha256(bytes) => bytes,
        }
    }

    /// Returns the first seven digits, as people quote them.
    pub(crate) fn short(&self) -> String {
        self.to_string().chars().take(7).collect()
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(self.as_bytes(), f)
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// 64 zeros: the predecessor of the first record of a chain (D21).
    pub(crate) const ZERO: Self = Self([0; 32]);

    /// Takes the bytes of a digest.
    pub(crate) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 lower-case hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }

    /// Returns the raw bytes.
    pub(crate) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the first twelve digits, as people quote them.
    pub(crate) fn short(&self) -> String {
        self.to_string().chars().take(12).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The id of a record: the labelled digest of its line up to the id (DESIGN 7.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RecordId(Digest);

impl RecordId {
    /// What the first record of a chain names as its predecessor (D21).
    pub(crate) const NONE: Self = Self(Digest::ZERO);

    /// Takes the digest of a record.
    pub(crate) const fn new(digest: Digest) -> Self {
        Self(digest)
    }

    /// Reads 64 lower-case hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Digest::parse(text).map(Self)
    }

    /// Returns the first twelve digits, as people quote them.
    pub(crate) fn short(&self) -> String {
        self.0.short()
    }

    /// The fewest digits by which a record may be named.
    pub(crate) const FEWEST: usize = 4;

    /// Says whether these first digits, enough of them, may name it.
    pub(crate) fn is_named_by(&self, start: &str) -> bool {
        start.len() >= Self::FEWEST && self.to_string().starts_with(start)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The random id of a project's ledger, drawn by its first `init`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LedgerId(Digest);

impl LedgerId {
    /// Takes 32 random bytes.
    pub(crate) const fn new(bytes: [u8; 32]) -> Self {
        Self(Digest::new(bytes))
    }

    /// Reads 64 lower-case hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Digest::parse(text).map(Self)
    }
}

impl fmt::Display for LedgerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The random id of one clone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct InstanceId([u8; 16]);

impl InstanceId {
    /// Takes 16 random bytes.
    pub(crate) const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Reads 32 lower-case hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

/// The random id of one `run`: an attempt at the steps it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AttemptId([u8; 16]);

impl AttemptId {
    /// Takes 16 random bytes.
    pub(crate) const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Reads 32 lower-case hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }
}

impl fmt::Display for AttemptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

/// The key that proves a record (D20).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Writer {
    /// An SSH key by its fingerprint without padding: the part after `SHA256:`.
    Ssh(String),
    /// An HMAC key by the first 16 hex digits of SHA-256 over the key.
    Hmac(String),
}

impl Writer {
    /// Reads `ssh:SHA256:<43 base64 digits>` or `hmac:<16 hex digits>`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(fingerprint) = text.strip_prefix("ssh:SHA256:") {
            let is_base64 = |b: u8| b.is_ascii_alphanumeric() || b == b'+' || b == b'/';
            let holds = fingerprint.len() == 43 && fingerprint.bytes().all(is_base64);
            return holds.then(|| Self::Ssh(fingerprint.to_owned()));
        }
        let id = text.strip_prefix("hmac:")?;
        (id.len() == 16 && id.bytes().all(|b| nibble(b).is_some()))
            .then(|| Self::Hmac(id.to_owned()))
    }
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ssh(fingerprint) => write!(f, "ssh:SHA256:{fingerprint}"),
            Self::Hmac(id) => write!(f, "hmac:{id}"),
        }
    }
}

/// The name of a plan: `default`, or the stem of a file in `.plan-auditor/plans/`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PlanName(String);

impl PlanName {
    /// The name of `.plan-auditor/plan.json`.
    pub(crate) const DEFAULT: &'static str = "default";

    /// Reads a name: an ASCII letter or digit, then at most 127 of letters, digits, `.`, `_`, `-`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut bytes = text.bytes();
        let first = bytes.next()?;
        let rest = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        (text.len() <= 128 && first.is_ascii_alphanumeric() && bytes.all(rest))
            .then(|| Self(text.to_owned()))
    }

    /// Returns the name of `.plan-auditor/plan.json`.
    pub(crate) fn default_plan() -> Self {
        Self(Self::DEFAULT.to_owned())
    }

    /// Returns the text of the name.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path of the plan's file from the top of the tree.
    pub(crate) fn path(&self) -> String {
        if self.0 == Self::DEFAULT {
            ".plan-auditor/plan.json".to_owned()
        } else {
            format!(".plan-auditor/plans/{}.json", self.0)
        }
    }
}

impl fmt::Display for PlanName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_ids_come_back_as_they_were_written() {
        for text in ["4b825dc642cb6eb9a060e54bf8d69288fbee4904", &"ab".repeat(32)] {
            assert_eq!(Oid::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_spellings_of_ids_are_refused() {
        for text in [
            "",
            "4B825DC642CB6EB9A060E54BF8D69288FBEE4904",
            &"g".repeat(40),
            &"a".repeat(41),
        ] {
            assert!(Oid::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn writers_come_back_as_they_were_written() {
        let ssh = format!("ssh:SHA256:{}", "A".repeat(43));
        for text in [ssh.as_str(), "hmac:0123456789abcdef"] {
            assert_eq!(Writer::parse(text).unwrap().to_string(), text);
        }
        for text in ["hmac:0123456789ABCDEF", "ssh:SHA256:AAA", "gpg:1"] {
            assert!(Writer::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn plan_names_stay_inside_their_directory() {
        for text in ["", ".", "..", "a/b", "a\\b", "-a", "ü", &"a".repeat(129)] {
            assert!(PlanName::parse(text).is_none(), "{text}");
        }
        assert!(PlanName::parse("cache-rewrite.v2").is_some());
    }
}
