//! What response headers say: how long to wait, what is left of rate limits.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use reqwest::header::HeaderMap;

use crate::response::Quota;

/// The headers of an answer and when it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Headers {
    map: HeaderMap,
    now: Timestamp,
}

impl Headers {
    pub(crate) const fn new(map: HeaderMap, now: Timestamp) -> Self {
        Self { map, now }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.map
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::trim)
    }

    /// When the answer arrived, by the clock of this machine.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// How long to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. A date is compared with the
    /// server's own clock if the answer names it, so that a wrong clock here does no harm.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        if let Some(milliseconds) = self.number("retry-after-ms") {
            return duration(milliseconds / 1000.0);
        }
        if let Some(seconds) = self.number("retry-after") {
            return duration(seconds);
        }
        let date = http_date(self.get("retry-after")?)?;
        let now = self.get("date").and_then(http_date).unwrap_or(self.now);
        Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
    }

    /// Whether the provider says that a retry makes sense.
    pub(crate) fn should_retry(&self) -> Option<bool> {
        match self.get("x-should-retry")? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A limit of three headers: `limit`, `remaining`, and `reset` as a date of RFC 3339 or a duration such as `6m0s`.
    pub(crate) fn quota(&self, limit: &str, remaining: &str, reset: &str) -> Option<Quota> {
        let whole = |name: &str| self.get(name)?.parse().ok();
        let reset = self.get(reset).and_then(|text| self.reset(text));
        let quota = Quota {
            limit: whole(limit),
            remaining: whole(remaining),
            reset,
        };
        (quota != Quota::default()).then_some(quota)
    }

    fn reset(&self, text: &str) -> Option<Timestamp> {
        if let Ok(date) = text.parse() {
            return Some(date);
        }
        let wait = parse_go_duration(text).or_else(|| duration(text.parse().ok()?))?;
        self.now
            .checked_add(SignedDuration::try_from(wait).ok()?)
            .ok()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.parse().ok()
    }
}

fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::parse(text)
        .ok()
        .map(|zoned| zoned.timestamp())
}

/// A duration as Go and protocol buffers write it: `6m0s`, `12ms`, `1h2m3.5s`, `34.4s`.
pub(crate) fn parse_go_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(digits);
        let end = tail
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        let scale = match unit {
            "d" => 86_400.0,
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        seconds += number.parse::<f64>().ok()? * scale;
        rest = tail;
    }
    duration(seconds)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> Headers {
        let pairs = pairs.iter().map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            )
        });
        Headers::new(pairs.collect(), "2026-11-22T12:00:00Z".parse().unwrap())
    }

    #[test]
    fn retry_after_is_read_in_all_its_forms() {
        type Pairs = &'static [(&'static str, &'static str)];
        let cases: &[(Pairs, Option<f64>)] = &[
            (&[("retry-after-ms", "1500")], Some(1.5)),
            (
                &[("retry-after-ms", "250"), ("retry-after", "9")],
                Some(0.25),
            ),
            (&[("retry-after", "20")], Some(20.0)),
            (&[("retry-after", "0.5")], Some(0.5)),
            (
                &[("retry-after", "Sun, 22 Nov 2026 12:00:30 GMT")],
                Some(30.0),
            ),
            (
                &[
                    ("retry-after", "Sun, 22 Nov 2026 15:00:30 GMT"),
                    ("date", "Sun, 22 Nov 2026 15:00:00 GMT"),
                ],
                Some(30.0),
            ),
            (
                &[("retry-after", "Sun, 22 Nov 2026 11:00:00 GMT")],
                Some(0.0),
            ),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "soon")], None),
            (&[], None),
        ];
        for (pairs, expected) in cases {
            let found = headers(pairs).retry_after().map(|wait| wait.as_secs_f64());
            assert_eq!(found, *expected, "{pairs:?}");
        }
    }

    #[test]
    fn go_durations_are_read() {
        let cases = [
            ("6m0s", Some(360.0)),
            ("12ms", Some(0.012)),
            ("1h2m3.5s", Some(3723.5)),
            ("34.4s", Some(34.4)),
            ("1d", Some(86_400.0)),
            ("", None),
            ("6", None),
            ("x", None),
            ("6m0", None),
        ];
        for (text, expected) in cases {
            assert_eq!(
                parse_go_duration(text).map(|wait| wait.as_secs_f64()),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_reset_is_a_date_or_a_duration() {
        let headers = headers(&[
            ("l", "100"),
            ("r", "7"),
            ("a", "2026-11-22T12:01:00Z"),
            ("b", "6m0s"),
            ("c", "30"),
        ]);
        let reset = |name| {
            headers
                .quota("l", "r", name)
                .unwrap()
                .reset
                .unwrap()
                .to_string()
        };
        assert_eq!(reset("a"), "2026-11-22T12:01:00Z");
        assert_eq!(reset("b"), "2026-11-22T12:06:00Z");
        assert_eq!(reset("c"), "2026-11-22T12:00:30Z");
        assert_eq!(headers.quota("x", "y", "z"), None);
    }
}
