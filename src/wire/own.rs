//! Small files that only this tool reads and writes: strict JSON, one line.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why bytes are not a file of ours.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OwnError {
    /// They cannot be read as what they should be.
    #[error("not what this tool writes")]
    Malformed {
        /// Why.
        #[source]
        cause: serde_json::Error,
    },
    /// They can be read, but this tool would have written the value otherwise.
    #[error("not written the way this tool writes")]
    Spelling,
}

/// The version of a small file, written as 1. A file of another version is not read as if it were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct First;

impl Serialize for First {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(1)
    }
}

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            1 => Ok(Self),
            other => Err(D::Error::custom(format!("version {other} is not known"))),
        }
    }
}

/// Reads a value; the bytes must be exactly those that [`write`] gives for it.
///
/// That refuses other key orders, spaces, escapes, doubled, missing and unknown members at once.
pub(crate) fn read<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, OwnError> {
    #[expect(clippy::disallowed_methods, reason = "this is the reader of own files")]
    let value = serde_json::from_slice(bytes).map_err(|cause| OwnError::Malformed { cause })?;
    if write(&value)? == bytes {
        Ok(value)
    } else {
        Err(OwnError::Spelling)
    }
}

/// Writes a value as one line of JSON with its newline.
pub(crate) fn write<T: Serialize>(value: &T) -> Result<Vec<u8>, OwnError> {
    let mut bytes = serde_json::to_vec(value).map_err(|cause| OwnError::Malformed { cause })?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, serde::Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        a: u64,
        b: Option<String>,
    }

    #[test]
    fn what_was_written_is_read() {
        let sample = Sample {
            a: 1,
            b: Some("x".to_owned()),
        };

        assert_eq!(read::<Sample>(&write(&sample).unwrap()).unwrap(), sample);
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "{\"b\":\"x\",\"a\":1}\n",
            "{\"a\":1,\"b\":\"\\u0078\"}\n",
            "{\"a\":1,\"a\":1,\"b\":null}\n",
            "{\"a\":1}\n",
            "{\"a\":1,\"b\":null}",
            "{\"a\":1,\"b\":null,\"c\":1}\n",
            "{\"a\":1.0,\"b\":null}\n",
            "[1,null]\n",
            "",
        ] {
            assert!(read::<Sample>(text.as_bytes()).is_err(), "{text}");
        }
    }
}
