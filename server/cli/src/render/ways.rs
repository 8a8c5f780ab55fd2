//! The ways that a pipeline can take.

use attractor_scenario::{Way, outcome_json};
use serde_json::{Map, Value, json};

use super::table;

/// The ways as a table, where there is more than one.
pub fn table_of(ways: &[Way]) -> Option<String> {
    if ways.len() < 2 {
        return None;
    }
    let rows = ways.iter().map(|way| {
        vec![
            way.state.name().to_owned(),
            way.decided_by.clone(),
            path_of(way),
        ]
    });
    let table = table::draw(&["END", "DECIDED BY", "PATH"], rows);
    let endless = ways.iter().filter(|way| !way.repeats.is_empty());
    let endless = endless.filter_map(|way| {
        let reason = way.reason.as_deref()?;
        Some(format!("{}: {reason}\n", way.decided_by))
    });
    Some(format!(
        "\nWays this pipeline can take; the first one is shown above:\n{table}{}",
        endless.collect::<String>()
    ))
}

/// The nodes in order.
fn path_of(way: &Way) -> String {
    let path = way.path.join(" → ");
    match way.repeats.first() {
        Some(first) => format!("{path} → {first} → …"),
        None => path,
    }
}

/// The ways for programs.
pub fn json_of(ways: &[Way]) -> Value {
    let each = ways.iter().map(|way| {
        let outcomes = way.given.outcomes.iter().map(|(node, outcomes)| {
            let outcomes: Vec<Value> = outcomes.iter().map(outcome_json).collect();
            (node.clone(), Value::from(outcomes))
        });
        json!({
            "decided_by": way.decided_by,
            "outcomes": outcomes.collect::<Map<_, _>>(),
            "answers": way.given.answers,
            "inputs": way.given.inputs,
            "path": way.path,
            "repeats": way.repeats,
            "state": way.state.name(),
            "reason": way.reason,
        })
    });
    each.collect()
}
