//! Numbers: their order, which rounds nothing, and their text form.

use std::cmp::Ordering;
use std::fmt;

/// A number; whole and broken numbers of the same size are equal.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
}

impl Number {
    /// Reads `42`, `-1`, `3.14`, `.5`, `1e3`; a whole number too big for 64 bits is read as a broken one.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        text.parse()
            .map(Self::Int)
            .or_else(|_| text.parse().map(Self::Float))
            .ok()
    }

    /// As a floating number; whole numbers beyond 2⁵³ lose their last digits.
    #[expect(
        clippy::cast_precision_loss,
        reason = "documented; comparison does not go through here"
    )]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (*self, *other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Int(left), Self::Float(right)) => compare_mixed(left, right),
            (Self::Float(left), Self::Int(right)) => {
                compare_mixed(right, left).map(Ordering::reverse)
            }
        }
    }
}

/// Compares without rounding the whole number: 2⁵³ + 1 is not 2⁵³ as a float.
fn compare_mixed(whole: i64, float: f64) -> Option<Ordering> {
    // 2⁶³, the first float beyond every i64.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        return None;
    }
    if float >= LIMIT {
        return Some(Ordering::Less);
    }
    if float < -LIMIT {
        return Some(Ordering::Greater);
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "in range, and the fraction is compared next"
    )]
    let truncated = float.trunc() as i64;
    Some(
        whole
            .cmp(&truncated)
            .then_with(|| 0.0.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)),
    )
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            // A whole float keeps its point, as in JSON.
            Self::Float(value) => write!(f, "{value:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn big_whole_numbers_are_not_rounded() {
        let big = Number::Int(9_007_199_254_740_993);
        assert!(big > Number::Float(9_007_199_254_740_992.0));
        assert!(Number::Int(i64::MAX) < Number::Float(9_223_372_036_854_775_808.0));
        assert!(Number::Int(1) < Number::Float(1.5) && Number::Int(-1) > Number::Float(-1.5));
        assert_eq!(Number::Int(0).partial_cmp(&Number::Float(f64::NAN)), None);
    }

    proptest! {
        #[test]
        fn order_of_numbers_is_antisymmetric(a in any::<i64>(), b in any::<f64>()) {
            let (a, b) = (Number::Int(a), Number::Float(b));
            prop_assert_eq!(a.partial_cmp(&b), b.partial_cmp(&a).map(Ordering::reverse));
        }
    }
}
