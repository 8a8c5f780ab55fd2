//! Durations as people write them: `250ms`, `30s`, `1h30m`, or a bare number of seconds.
//!
//! Parsing is exact to the nanosecond and refuses what is negative, empty or longer than a hundred years,
//! so that a deadline computed from it never overflows. Knows no clock.
//!
//! ```
//! use attractor_lang::duration;
//! let time = duration::parse("1h30m").unwrap();
//! assert_eq!(time.as_secs(), 5400);
//! assert_eq!(duration::format(time), "1h30m");
//! assert_eq!(duration::parse("900"), Some(std::time::Duration::from_secs(900)));
//! ```

#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::time::Duration;

/// The units, longest first, with their length in nanoseconds.
pub const UNITS: &[(&str, u64)] = &[
    ("w", 7 * 86_400 * SECOND),
    ("d", 86_400 * SECOND),
    ("h", 3_600 * SECOND),
    ("m", 60 * SECOND),
    ("s", SECOND),
    ("ms", 1_000_000),
];

const SECOND: u64 = 1_000_000_000;
const LONGEST: u128 = 36_525 * 86_400 * SECOND as u128;

/// Reads a duration; `None` when the text is not one. Spaces around it and between its parts are fine.
pub fn parse(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let mut rest = text;
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let (digits, after) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, after) = split(after, |c| c.is_ascii_alphabetic());
        let nanoseconds = if unit.is_empty() && digits.len() == text.len() {
            SECOND
        } else {
            UNITS.iter().find(|(name, _)| *name == unit)?.1
        };
        total = total.checked_add(amount(digits, nanoseconds)?)?;
        rest = after.trim_start();
    }
    if total > LONGEST {
        return None;
    }
    let seconds = u64::try_from(total / u128::from(SECOND)).ok()?;
    let rest = u32::try_from(total % u128::from(SECOND)).ok()?;
    Some(Duration::new(seconds, rest))
}

/// Writes a duration with the units of [`UNITS`], largest first; [`parse`] reads it back.
pub fn format(duration: Duration) -> String {
    if duration.is_zero() {
        return "0s".to_owned();
    }
    let mut rest = duration.as_nanos();
    let mut text = String::new();
    for (name, length) in UNITS {
        let length = u128::from(*length);
        let count = rest / length;
        rest %= length;
        // Below a millisecond there is no unit; what is left becomes decimals of `ms`.
        let decimals = if *name == "ms" { rest } else { 0 };
        if decimals > 0 {
            let _ = write!(
                text,
                "{count}.{}ms",
                format!("{decimals:06}").trim_end_matches('0')
            );
        } else if count > 0 {
            let _ = write!(text, "{count}{name}");
        }
    }
    text
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

/// `digits` (with at most one point) times `unit` nanoseconds; exact, cut below a nanosecond.
fn amount(digits: &str, unit: u64) -> Option<u128> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let unit = u128::from(unit);
    let whole: u128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let mut total = whole.checked_mul(unit)?;
    let mut place = unit;
    for digit in fraction.bytes() {
        if place == 0 {
            break;
        }
        // Kept exact by scaling once: digit * unit / 10^n, computed digit by digit on multiples of ten.
        total = total.checked_add(u128::from(digit - b'0') * place / 10)?;
        place /= 10;
    }
    Some(total)
}
