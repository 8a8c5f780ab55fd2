//! Short names and durations, for lines and tables.

use attractor_run::NodeAttempt;

/// Columns of a node's name.
pub const NAME_COLUMNS: usize = 22;

/// `node`, `graph/node` in a sub-pipeline, with the visit when it is not the first.
pub fn name(at: &NodeAttempt) -> String {
    let node = match &at.graph {
        Some(graph) => format!("{graph}/{}", at.node),
        None => at.node.clone(),
    };
    if at.visit > 1 {
        format!("{node} ({})", at.visit)
    } else {
        node
    }
}

/// `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 2 min`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
        _ => format!("{} h {} min", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;
    use expect_test::expect;

    #[test]
    fn durations_are_short() {
        let shown = [4, 3_456, 125_000, 3_725_000].map(duration).join(", ");
        expect!["4 ms, 3.4 s, 2 min 5 s, 1 h 2 min"].assert_eq(&shown);
    }
}
