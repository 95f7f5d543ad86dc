//! Values that are written as one JSON string each: ids, digests, names, times.

use std::fmt;
use std::marker::PhantomData;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::ids::{AttemptId, Digest, InstanceId, LedgerId, Oid, PlanName, RecordId, Writer};
use crate::model::time::Timestamp;

/// Returns bytes as base64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A value that has exactly one spelling.
pub(crate) trait Spelled: fmt::Display + Sized {
    /// Reads the spelling that `Display` writes, and no other.
    fn spelled(text: &str) -> Option<Self>;
}

/// A value as one JSON string.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Spelled> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: Spelled> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Reader(PhantomData))
    }
}

/// Reads one string into a value.
struct Reader<T>(PhantomData<T>);

impl<T: Spelled> Visitor<'_> for Reader<T> {
    type Value = Text<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id, digest, name or time in its only spelling")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Text<T>, E> {
        T::spelled(text)
            .map(Text)
            .ok_or_else(|| E::custom("not a known spelling"))
    }
}

impl Spelled for Oid {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for AttemptId {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for Digest {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for RecordId {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for LedgerId {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for InstanceId {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for Writer {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for PlanName {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Spelled for Timestamp {
    fn spelled(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}
