//! Nothing is slower than linear: what recovery looks at, counted, over texts of one thing.

use super::lines::work;
use crate::parse;

#[path = "../../tests/it/degenerate.rs"]
mod degenerate;

/// What is looked at, in bytes and tokens, and how many messages there are, for so long a text.
fn cost(make: degenerate::Make, bytes: usize) -> (usize, usize) {
    let text = make(bytes);
    work::take();
    let messages = parse(&text).errors.len();
    (work::take(), messages)
}

#[test]
fn work_grows_as_the_text_does() {
    const SHORT: usize = 4_000;
    const TIMES: usize = 5;
    let slow: Vec<String> = degenerate::CASES
        .iter()
        .filter_map(|(name, make)| {
            let (short, _) = cost(*make, SHORT);
            let (long, messages) = cost(*make, SHORT * TIMES);
            // Looks are bounded, so that a short text may just not reach the bound.
            let linear = long <= 2 * TIMES * short.max(SHORT);
            (!linear || messages > 1001)
                .then(|| format!("{name}: {short} → {long}, {messages} messages"))
        })
        .collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
