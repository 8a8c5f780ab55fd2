//! What a person is told before they let a pipeline run: what it can do, in a few lines.

use attractor_ide::model::{NodeKind, Pipeline};
use attractor_run::Surroundings;

use crate::ext::commands::TrustDecision;

/// The choices, as buttons.
pub(crate) const CHOICES: [(&str, Option<TrustDecision>); 4] = [
    ("Run once", Some(TrustDecision::Once)),
    ("Always for this version", Some(TrustDecision::Version)),
    ("Always in this folder", Some(TrustDecision::Folder)),
    ("Cancel", None),
];

/// Items of a list that are told one by one.
const TOLD: usize = 3;
/// Characters of a command that are told.
const WIDTH: usize = 60;

/// The question about a pipeline and what is around it.
pub(crate) fn text(pipeline: &Pipeline, surroundings: &Surroundings) -> String {
    let everything: Vec<&Pipeline> = std::iter::once(pipeline)
        .chain(surroundings.library.iter().map(AsRef::as_ref))
        .collect();
    let commands = of(&everything, |kind| kind == NodeKind::Tool, "command");
    let commands: Vec<String> = commands
        .iter()
        .map(|command| format!("`{command}`"))
        .collect();
    let prompts = of(
        &everything,
        |kind| matches!(kind, NodeKind::Codergen | NodeKind::Prompt),
        "model",
    );
    let files: Vec<String> = surroundings
        .files
        .iter()
        .map(|(path, _)| path.clone())
        .collect();
    let mut can = Vec::new();
    if !commands.is_empty() {
        can.push(format!(
            "run {}: {}",
            count(commands.len(), "command"),
            list(&commands)
        ));
    }
    if prompts_of(&everything) > 0 {
        let models = if prompts.is_empty() {
            String::new()
        } else {
            format!(" ({})", list(&prompts))
        };
        can.push(format!(
            "ask models{models} in {}, which may change files",
            count(prompts_of(&everything), "node")
        ));
    }
    if !files.is_empty() {
        can.push(format!("read {}", list(&files)));
    }
    let can = if can.is_empty() {
        "It runs no command and asks no model.".to_owned()
    } else {
        format!("It can {}.", can.join("; "))
    };
    format!("Run the pipeline “{}”? {can}", pipeline.name)
}

fn prompts_of(pipelines: &[&Pipeline]) -> usize {
    let nodes = pipelines.iter().flat_map(|pipeline| &pipeline.nodes);
    nodes
        .filter(|node| matches!(node.kind, NodeKind::Codergen | NodeKind::Prompt))
        .count()
}

/// The distinct values of an attribute of all nodes of some kinds, in order.
fn of(pipelines: &[&Pipeline], wanted: impl Fn(NodeKind) -> bool, attribute: &str) -> Vec<String> {
    let nodes = pipelines
        .iter()
        .flat_map(|pipeline| &pipeline.nodes)
        .filter(|node| wanted(node.kind));
    let mut values = Vec::new();
    for value in nodes.filter_map(|node| node.attributes.text(attribute)) {
        let value = one_line(value);
        if !value.is_empty() && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn one_line(text: &str) -> String {
    // Control characters could hide a command from the reader.
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= WIDTH {
        return words;
    }
    let start: String = words.chars().take(WIDTH).collect();
    format!("{start}…")
}

fn list(items: &[String]) -> String {
    let told = items
        .iter()
        .take(TOLD)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match items.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn ask(text_of_file: &str) -> String {
        let (pipelines, _) = Pipeline::from_text(text_of_file);
        text(
            pipelines.first().expect("a pipeline"),
            &Surroundings::default(),
        )
    }

    #[test]
    fn the_person_is_told_what_a_pipeline_can_do() {
        let asked = ask(r#"digraph release {
                start [shape=Mdiamond]; done [shape=Msquare]
                test [type=tool, command="cargo test --workspace"]
                push [type=tool, command="git push\n--force origin main && echo a very long line that goes on and on"]
                write [prompt="Write the notes", model="claude-opus"]
                start -> test -> write -> push -> done
            }"#);
        expect!["Run the pipeline “release”? It can run 2 commands: `cargo test --workspace`, `git push --force origin main && echo a very long line that g…`; ask models (claude-opus) in 1 node, which may change files."].assert_eq(&asked);
    }

    #[test]
    fn a_harmless_one_is_called_so() {
        let asked =
            ask("digraph g { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }");
        expect!["Run the pipeline “g”? It runs no command and asks no model."].assert_eq(&asked);
    }
}
