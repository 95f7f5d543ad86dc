//! A moment in UTC, to the second, as records write it.

use std::fmt;

/// A moment in seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub(crate) const EPOCH: Self = Self(jiff::Timestamp::UNIX_EPOCH);

    /// Takes seconds since the epoch; none when the year has not four digits.
    pub(crate) fn from_seconds(seconds: i64) -> Option<Self> {
        let time = jiff::Timestamp::from_second(seconds).ok()?;
        (0..=9999)
            .contains(&time.to_zoned(jiff::tz::TimeZone::UTC).year())
            .then_some(Self(time))
    }

    /// Reads exactly the form `YYYY-MM-DDTHH:MM:SSZ`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let time = text.parse::<jiff::Timestamp>().ok().map(Self)?;
        (time.to_string() == text).then_some(time)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%Y-%m-%dT%H:%M:%SZ"))
    }
}

/// Says whether a text is a date or a time of ISO 8601, with a zone or without.
///
/// People write it and it is kept as text; nothing is computed from it.
pub(crate) fn is_iso_8601(text: &str) -> bool {
    let has_annotation = text.contains('[');
    !has_annotation
        && (text.parse::<jiff::Timestamp>().is_ok()
            || text.parse::<jiff::civil::DateTime>().is_ok()
            || text.parse::<jiff::civil::Date>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_of_people_are_read() {
        for text in [
            "2026-11-29",
            "2026-11-29T16:40:00Z",
            "2026-11-29 16:40",
            "2026-11-29T16:40:00.123456",
            "2026-11-29T16:40:00+02:00",
        ] {
            assert!(is_iso_8601(text), "{text}");
        }
        for text in [
            "",
            "today",
            "2026-13-01",
            "29.11.2026",
            "2026-11-29T25:00:00",
            "2026",
        ] {
            assert!(!is_iso_8601(text), "{text}");
        }
    }

    #[test]
    fn only_the_canonical_spelling_is_read() {
        assert_eq!(
            Timestamp::parse("2026-11-29T16:40:00Z")
                .unwrap()
                .0
                .as_second(),
            1_795_970_400
        );
        for text in [
            "2026-11-29T16:40:00+00:00",
            "2026-11-29 16:40:00Z",
            "2026-11-29T16:40:00.5Z",
            "x",
        ] {
            assert!(Timestamp::parse(text).is_none(), "{text}");
        }
    }
}
