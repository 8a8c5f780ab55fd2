//! Prepared answers of `--answer`: one that a gate surely does not offer is refused before the run begins.
//!
//! What a gate asks is decided when it is reached; only gates that offer the labels of their edges and nothing else are
//! looked at here, and the keys of choices, one or two letters, are left to the run.

use std::collections::BTreeMap;

use attractor_model::catalogue::nearest;
use attractor_model::{NodeIx, NodeKind, Pipeline};
use attractor_run::bare_label;

use crate::error::Error;

/// Looks at the answers of gates by node.
///
/// # Errors
/// An answer that no gate of that name offers.
pub fn check<'p>(
    answers: &BTreeMap<String, Vec<String>>,
    pipelines: &(impl Iterator<Item = &'p Pipeline> + Clone),
) -> Result<(), Error> {
    for (gate, given) in answers {
        let with_node = pipelines
            .clone()
            .filter_map(|pipeline| Some((pipeline, pipeline.by_id(gate)?)));
        let offered: Option<Vec<Choices>> = with_node.map(|(one, ix)| choices(one, ix)).collect();
        let Some(offered) = offered.filter(|offered| !offered.is_empty()) else {
            continue;
        };
        let is_offered = |answer: &&String| offered.iter().any(|choices| choices.has(answer));
        let unknown = given.iter().find(|answer| !is_offered(answer));
        if let Some(answer) = unknown {
            let labels: Vec<String> = offered.into_iter().flat_map(|one| one.labels).collect();
            return Err(Error::UnknownAnswer {
                gate: gate.clone(),
                answer: answer.clone(),
                near: nearest(answer, labels.iter().map(String::as_str)).map(str::to_owned),
                choices: labels,
            });
        }
    }
    Ok(())
}

/// What a gate offers.
struct Choices {
    /// Without accelerators.
    labels: Vec<String>,
    /// Labels as written, accelerators, and the nodes that choices lead to.
    others: Vec<String>,
}

impl Choices {
    fn has(&self, answer: &str) -> bool {
        let answer = answer.trim();
        let is_key = answer.chars().count() <= 2;
        let mut names = self.labels.iter().chain(&self.others);
        is_key || names.any(|name| name.eq_ignore_ascii_case(answer))
    }
}

/// The choices of a gate; `None` of other nodes, and where more may be answered.
fn choices(pipeline: &Pipeline, ix: NodeIx) -> Option<Choices> {
    let node = pipeline
        .node(ix)
        .filter(|node| node.kind == NodeKind::HumanGate)?;
    let mode = node.attributes.text("mode").map(str::trim);
    if !matches!(mode, None | Some("choice" | "multiple_choice")) {
        return None;
    }
    let mut choices = Choices {
        labels: Vec::new(),
        others: Vec::new(),
    };
    let edges = pipeline.indexed_edges().map(|(_, edge)| edge);
    for edge in edges.filter(|edge| edge.from == ix) {
        let label = edge.label().map(str::trim).unwrap_or_default();
        if edge.freeform || label.contains(['{', '$']) {
            return None;
        }
        if label.is_empty() {
            continue;
        }
        choices.labels.push(bare_label(label).to_owned());
        let accelerator = label
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'));
        let names = [Some(label), accelerator.map(|(key, _)| key.trim())];
        let names = names.into_iter().flatten().chain([pipeline.id(edge.to)]);
        choices.others.extend(names.map(str::to_owned));
    }
    choices.labels.dedup();
    // One labelled edge, or none, asks for a yes or a no.
    (choices.labels.len() > 1).then_some(choices)
}

#[cfg(test)]
mod tests {
    use super::check;
    use std::collections::BTreeMap;

    fn checked(edges: &str, answer: &str) -> String {
        let text = format!(
            "digraph {{ start [shape=Mdiamond]; review [shape=hexagon]; start -> review; {edges} }}"
        );
        let analysis = attractor_lint::Analysis::of_text(&text);
        let answers = BTreeMap::from([("review".to_owned(), vec![answer.to_owned()])]);
        let pipelines: Vec<_> = analysis.pipelines().collect();
        match check(&answers, &pipelines.iter().map(|one| &***one)) {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    const EDGES: &str =
        "review -> ship [label=\"[A] Approve\"]; review -> fix [label=\"Revise it\"]";

    #[test]
    fn what_a_gate_offers() {
        for answer in ["Approve", "approve", "a", "revise it", "fix", "[A] Approve"] {
            assert_eq!(checked(EDGES, answer), "ok", "{answer}");
        }
        assert_eq!(
            checked(EDGES, "Zed"),
            "`Zed` in --answer is not a choice of `review`; expected Approve, Revise it"
        );
        assert_eq!(
            checked(EDGES, "Aprove"),
            "`Aprove` in --answer is not a choice of `review`; expected Approve, Revise it; did you mean `Approve`?"
        );
    }

    #[test]
    fn gates_that_take_more() {
        let text = format!("{EDGES}; review -> note [label=Other, freeform=true]");
        assert_eq!(checked(&text, "Zed"), "ok");
        assert_eq!(checked("review -> ship", "Zed"), "ok");
    }
}
