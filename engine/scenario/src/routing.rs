//! Why a run went from one node to another, in words.

use attractor_run::Rule;
use serde_json::Value;

use crate::trace::Crossing;

/// A sentence about a crossing: `test -> fix was taken because …`.
pub(crate) fn explain(crossing: &Crossing) -> String {
    let Crossing { from, to, .. } = crossing;
    let edge = format!("`{from} -> {to}`");
    let Some(rule) = crossing.rule else {
        return format!("{edge} is a branch of the parallel node `{from}`");
    };
    match rule {
        Rule::Condition | Rule::OnRetry | Rule::OnExhaust => {
            let condition = crossing.condition.as_deref().unwrap_or_default();
            let values = values(crossing);
            format!("{edge} was taken because its condition `{condition}` holds{values}")
        }
        Rule::PreferredLabel => {
            let label = crossing.label.as_deref().unwrap_or_default();
            format!("{edge} was taken because `{from}` prefers its label \"{label}\"")
        }
        Rule::SuggestedNext => format!("{edge} was taken because `{from}` suggests `{to}`"),
        Rule::NextNode => {
            format!("the run went to `{to}` because `{from}` names it as the next node")
        }
        Rule::Unconditional => format!(
            "{edge} was taken as the first edge without a condition{}",
            values(crossing)
        ),
        Rule::RetryTarget => format!("`{from}` failed, and `retry_target` is `{to}`"),
        Rule::GoalGate => format!("a goal gate is not met, and its `retry_target` is `{to}`"),
        Rule::Loop => format!("the loop that ends at `{from}` starts its next round at `{to}`"),
        Rule::Join => format!("the branches of `{from}` join at `{to}`"),
    }
}

/// The values that the conditions looked at.
fn values(crossing: &Crossing) -> String {
    let mut seen: Vec<String> = Vec::new();
    for (key, value) in crossing.clauses.iter().flat_map(|clause| &clause.operands) {
        let text = match value {
            Value::Null => format!("{key} is not set"),
            value => format!("{key} is {value}"),
        };
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    if seen.is_empty() {
        String::new()
    } else {
        format!(" ({})", seen.join(", "))
    }
}
