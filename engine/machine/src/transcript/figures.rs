//! Figures in the words that people read in terminals, editors and on the web page: times, tokens, money.

use crate::outcome::Usage;

/// `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 2 min`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
        _ => format!("{} h {} min", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

/// `12 k tokens · $0.03`; nothing where no model was called.
pub fn usage(usage: &Usage) -> Option<String> {
    let cost = (usage.cost > 0.0).then(|| dollars(usage.cost));
    let tokens = (usage.tokens() > 0).then(|| format!("{} tokens", tokens(usage.tokens())));
    let parts: Vec<String> = tokens.into_iter().chain(cost).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// `950`, `12 k`.
pub fn tokens(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        _ => format!("{} k", count / 1_000),
    }
}

/// `$1.20`; less than a cent is exact to a hundredth of it.
pub fn dollars(cost: f64) -> String {
    if cost < 0.01 {
        format!("${cost:.4}")
    } else {
        format!("${cost:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let shown = [4, 3_456, 125_000, 3_725_000].map(duration);
        assert_eq!(shown, ["4 ms", "3.4 s", "2 min 5 s", "1 h 2 min"]);
    }

    #[test]
    fn small_costs_are_not_zero() {
        let used = |input_tokens, cost| Usage {
            input_tokens,
            cost,
            ..Usage::default()
        };
        let shown = [(12_345, 0.034), (12, 0.0021), (7, 0.0), (0, 0.0)]
            .map(|(tokens, cost)| usage(&used(tokens, cost)).unwrap_or_default());
        assert_eq!(
            shown,
            ["12 k tokens · $0.03", "12 tokens · $0.0021", "7 tokens", ""]
        );
    }
}
