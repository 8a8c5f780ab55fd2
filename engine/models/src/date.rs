//! A calendar day, and where a model is in its life on a given day.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day of the Gregorian calendar, written `2026-11-30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A date, unless the month or the day is out of range.
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let days = match month {
            2 if year.is_multiple_of(4)
                && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
            {
                29
            }
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            _ => return None,
        };
        if day == 0 || day > days {
            return None;
        }
        Some(Self { year, month, day })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.splitn(3, '-');
        let mut part = |width: usize| {
            let digits = parts.next().filter(|part| part.len() == width);
            digits.filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let date = (|| {
            let (year, month, day) = (part(4)?, part(2)?, part(2)?);
            Self::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        })();
        date.ok_or_else(|| format!("`{text}` is not a date; expected a day such as `2026-11-30`"))
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether a model is served on a given day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifecycle {
    /// Served, and no date of retirement is published.
    Active,
    /// Served until that day.
    Retiring(Date),
    /// Switched off on that day.
    Retired(Date),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_round_trip_and_reject_impossible_days() {
        let date: Date = "2026-11-30".parse().unwrap();
        assert_eq!(date.to_string(), "2026-11-30");
        assert!(Date::new(2028, 2, 29).is_some());
        for bad in [
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "soon",
            "2026-11-00",
            "+026-11-01",
        ] {
            assert!(bad.parse::<Date>().is_err(), "{bad}");
        }
    }
}
