//! The names in `--outcome`, `--answer` and `--input`: a name that nothing in the pipeline has is an error where it is
//! nearly one that exists, or could mean nothing else.

use std::collections::BTreeSet;

use attractor_lang::Status;
use attractor_lang::lists::variables;
use attractor_model::Pipeline;
use attractor_model::catalogue::nearest;
use attractor_run::{AnswerPolicy, Launch, Mode};

use crate::error::Error;
use crate::gate_answers;

/// Looks at the names of a launch.
///
/// # Errors
/// An unknown name.
pub fn check(launch: &Launch) -> Result<(), Error> {
    let nodes: BTreeSet<&str> = pipelines(launch)
        .flat_map(|pipeline| &pipeline.nodes)
        .map(|node| &*node.id)
        .collect();
    if let Mode::DryRun(script) = &launch.mode {
        for (node, outcomes) in &script.outcomes {
            check_node("--outcome", node, &nodes)?;
            let statuses = outcomes
                .iter()
                .filter_map(|outcome| outcome.status.as_ref());
            statuses.into_iter().try_for_each(check_status)?;
        }
    }
    if let AnswerPolicy::Scripted(answers) = &launch.answers {
        for node in answers.keys() {
            check_node("--answer", node, &nodes)?;
        }
        gate_answers::check(answers, &pipelines(launch))?;
    }
    let known = keys(launch);
    for name in launch.inputs.keys() {
        check_input(name, launch, &known)?;
    }
    Ok(())
}

fn pipelines(launch: &Launch) -> impl Iterator<Item = &Pipeline> + Clone {
    let library = launch.library.iter().map(AsRef::as_ref);
    std::iter::once(&*launch.pipeline).chain(library)
}

fn check_node(option: &'static str, name: &str, nodes: &BTreeSet<&str>) -> Result<(), Error> {
    if nodes.contains(name) {
        return Ok(());
    }
    Err(Error::UnknownOptionName {
        option,
        what: "node",
        name: name.to_owned(),
        near: nearest(name, nodes.iter().copied()).map(str::to_owned),
    })
}

/// A word of the pipeline's own is a status too, unless it is nearly a known one.
fn check_status(status: &Status) -> Result<(), Error> {
    let Status::Custom(word) = status else {
        return Ok(());
    };
    let known = Status::KNOWN;
    let Some(near) = nearest(word, known.iter().map(Status::name)) else {
        return Ok(());
    };
    Err(Error::UnknownOptionName {
        option: "--outcome",
        what: "status",
        name: word.clone(),
        near: Some(near.to_owned()),
    })
}

/// A name that occurs nowhere in the texts of the pipeline, and nearly is one that does.
fn check_input(name: &str, launch: &Launch, known: &BTreeSet<String>) -> Result<(), Error> {
    let mut texts = launch
        .files
        .iter()
        .chain(&launch.sources)
        .map(|(_, text)| text.as_str())
        .chain([&*launch.source.text]);
    if known.contains(name) || texts.any(|text| has_word(text, name)) {
        return Ok(());
    }
    match nearest(name, known.iter().map(String::as_str)) {
        None => Ok(()),
        Some(near) => Err(Error::UnknownOptionName {
            option: "--input",
            what: "input",
            name: name.to_owned(),
            near: Some(near.to_owned()),
        }),
    }
}

/// The inputs that are declared, and the keys that templates and conditions read.
fn keys(launch: &Launch) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for pipeline in pipelines(launch) {
        let declared = pipeline.attributes.text("vars").unwrap_or_default();
        keys.extend(variables(declared).0.into_iter().map(|one| one.name));
        let of_nodes = pipeline.nodes.iter().map(|node| &node.attributes);
        let of_edges = pipeline.edges.iter().map(|edge| &edge.attributes);
        for attributes in of_nodes.chain(of_edges).chain([&pipeline.attributes]) {
            for attribute in attributes.iter() {
                let value = attribute.value();
                keys.extend(placeholders(value).map(str::to_owned));
                if attribute.name() == "condition" {
                    keys.extend(words(value).map(|word| bare(word).to_owned()));
                }
            }
        }
    }
    keys.retain(|key| !key.is_empty());
    keys
}

/// The names behind opening braces and dollar signs.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices(['{', '$']);
    starts.filter_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        rest.get(..end).map(bare)
    })
}

fn bare(key: &str) -> &str {
    let prefixes = ["context.", "inputs.", "vars."];
    let found = prefixes.iter().find_map(|prefix| key.strip_prefix(prefix));
    found.unwrap_or(key).trim_end_matches('.')
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_name(c)).filter(|word| !word.is_empty())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn has_word(text: &str, name: &str) -> bool {
    let is_inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        !is_inner(before) && !is_inner(after)
    })
}

#[cfg(test)]
mod tests {
    use super::{has_word, placeholders};

    #[test]
    fn placeholders_of_a_text() {
        let found: Vec<&str> = placeholders("a {topic} ${n:-1} $goal {context.level} {").collect();
        assert_eq!(found, ["topic", "", "n", "goal", "level", ""]);
    }

    #[test]
    fn only_whole_words_count() {
        assert!(has_word("x {level}", "level"));
        assert!(!has_word("x {levels} my_level", "level"));
    }
}
