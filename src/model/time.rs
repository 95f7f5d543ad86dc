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

/// A moment as people name it: a date or time, or how long ago.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since(Named);

/// What people name.
#[derive(Clone, Copy, Debug)]
enum Named {
    At(jiff::Timestamp),
    Ago(jiff::Span),
}

impl Since {
    /// Reads a date or time of ISO 8601, in UTC where it has no zone, or a span of time such as
    /// `2 weeks ago`, `3d` or `PT5H`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let in_utc = |time: jiff::civil::DateTime| {
            let zoned = time.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
            Some(zoned.timestamp())
        };
        let at = text.parse::<jiff::Timestamp>().ok();
        let at = at.or_else(|| in_utc(text.parse::<jiff::civil::DateTime>().ok()?));
        let at = at.or_else(|| in_utc(text.parse::<jiff::civil::Date>().ok()?.at(0, 0, 0, 0)));
        let ago = || text.parse::<jiff::Span>().ok().map(jiff::Span::abs);
        let named = at.map(Named::At).or_else(|| ago().map(Named::Ago))?;
        Some(Self(named))
    }

    /// Returns the moment, seen from now; one before all time is the earliest.
    pub(crate) fn seen_from(&self, now: Timestamp) -> Timestamp {
        let zoned = now.0.to_zoned(jiff::tz::TimeZone::UTC);
        let at = match self.0 {
            Named::At(at) => Some(at),
            Named::Ago(span) => zoned.checked_sub(span).ok().map(|then| then.timestamp()),
        };
        Timestamp(at.unwrap_or(jiff::Timestamp::MIN))
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
    fn a_moment_is_a_date_a_time_or_how_long_ago() {
        let now = Timestamp::parse("2026-11-29T16:40:00Z").unwrap();
        for (text, expected) in [
            ("2026-11-28", "2026-11-28T00:00:00Z"),
            ("2026-11-28 10:00", "2026-11-28T10:00:00Z"),
            ("2026-11-28T10:00:00+02:00", "2026-11-28T08:00:00Z"),
            ("2 weeks ago", "2026-11-15T16:40:00Z"),
            ("3d", "2026-11-26T16:40:00Z"),
            ("1 month", "2026-10-29T16:40:00Z"),
            ("PT40M", "2026-11-29T16:00:00Z"),
        ] {
            let since = Since::parse(text).unwrap();

            assert_eq!(since.seen_from(now).to_string(), expected, "{text}");
        }
        for text in ["", "yesterday", "29.11.2026", "12"] {
            assert!(Since::parse(text).is_none(), "{text}");
        }
        assert!(Since::parse("19000 years").unwrap().seen_from(now) < now);
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
