//! What models used: tokens and money.

use attractor_run::Usage;

/// `12 k tokens · $0.03`; nothing where no model was called.
pub fn summary(usage: &Usage) -> Option<String> {
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
    fn small_costs_are_not_zero() {
        let usage = |input_tokens, cost| Usage {
            input_tokens,
            cost,
            ..Usage::default()
        };
        let shown = [(12_345, 0.034), (12, 0.0021), (7, 0.0), (0, 0.0)]
            .map(|(tokens, cost)| summary(&usage(tokens, cost)));
        let shown = shown.map(Option::unwrap_or_default).join(", ");
        assert_eq!(
            shown,
            "12 k tokens · $0.03, 12 tokens · $0.0021, 7 tokens, "
        );
    }
}
