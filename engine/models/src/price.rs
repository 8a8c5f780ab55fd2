//! List prices, and what a call costs by them.

use serde::{Deserialize, Serialize};

use crate::Date;

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Input that was neither read from a cache nor written to one.
    pub input: f64,
    /// Output, reasoning included.
    pub output: f64,
    /// Input read from a cache; the price of `input` where absent.
    pub cache_read: Option<f64>,
    /// Input written to a cache; the price of `input` where absent.
    pub cache_write: Option<f64>,
    /// Input written to a cache that is kept for an hour; the price of `cache_write` where absent.
    pub cache_write_1h: Option<f64>,
    /// Prices of requests whose input is longer than a threshold.
    pub above: Option<Rates>,
    /// The day on which they were compared with the provider's own list.
    pub verified: Option<Date>,
}

/// The prices of a request whose input is longer than a threshold; they apply to the whole request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// The threshold, in input tokens.
    pub tokens: u64,
    /// See [`Price::input`].
    pub input: f64,
    /// See [`Price::output`].
    pub output: f64,
    /// See [`Price::cache_read`].
    pub cache_read: Option<f64>,
    /// See [`Price::cache_write`].
    pub cache_write: Option<f64>,
}

/// The tokens of one call, as providers bill them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenCounts {
    /// All input, cached or not.
    pub input: u64,
    /// All output, reasoning included.
    pub output: u64,
    /// The part of the input that was read from a cache.
    pub cache_read: u64,
    /// The part of the input that was written to a cache.
    pub cache_write: u64,
    /// The part of `cache_write` that is kept for an hour.
    pub cache_write_1h: u64,
}

impl Price {
    /// What a call costs, in US dollars.
    pub fn cost(&self, counts: &TokenCounts) -> f64 {
        let price = match self.above {
            Some(above) if counts.input > above.tokens => Self {
                input: above.input,
                output: above.output,
                cache_read: above.cache_read,
                cache_write: above.cache_write,
                cache_write_1h: None,
                above: None,
                verified: None,
            },
            _ => *self,
        };
        let write = price.cache_write.unwrap_or(price.input);
        let hour = counts.cache_write_1h.min(counts.cache_write);
        let plain = counts
            .input
            .saturating_sub(counts.cache_read)
            .saturating_sub(counts.cache_write);
        let parts = [
            (plain, price.input),
            (counts.cache_read, price.cache_read.unwrap_or(price.input)),
            (counts.cache_write - hour, write),
            (hour, price.cache_write_1h.unwrap_or(write)),
            (counts.output, price.output),
        ];
        parts
            .iter()
            .map(|&(tokens, rate)| per_million(tokens, rate))
            .sum()
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "token counts are far below 2^53"
)]
fn per_million(tokens: u64, rate: f64) -> f64 {
    tokens as f64 * rate / 1_000_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: 4.0,
        output: 20.0,
        cache_read: Some(0.2),
        cache_write: Some(5.0),
        cache_write_1h: Some(8.0),
        above: None,
        verified: None,
    };

    fn dollars(price: &Price, counts: &TokenCounts) -> String {
        format!("{:.6}", price.cost(counts))
    }

    #[test]
    fn each_part_of_the_input_is_billed_once() {
        let counts = TokenCounts {
            input: 1_000_000,
            output: 100_000,
            cache_read: 500_000,
            cache_write: 200_000,
            cache_write_1h: 50_000,
        };
        // 0.3M plain, 0.5M read, 0.15M written for five minutes, 0.05M for an hour, 0.1M output.
        assert_eq!(
            dollars(&PRICE, &counts),
            format!("{:.6}", 1.2 + 0.1 + 0.75 + 0.4 + 2.0)
        );
    }

    #[test]
    fn long_requests_are_billed_at_their_own_rates_as_a_whole() {
        let above = Rates {
            tokens: 100,
            input: 8.0,
            output: 30.0,
            cache_read: None,
            cache_write: None,
        };
        let price = Price {
            above: Some(above),
            ..PRICE
        };
        let at = TokenCounts {
            input: 100,
            output: 1,
            ..TokenCounts::default()
        };
        let over = TokenCounts {
            input: 101,
            output: 1,
            ..TokenCounts::default()
        };
        assert_eq!(dollars(&price, &at), "0.000420");
        assert_eq!(dollars(&price, &over), "0.000838");
    }
}
