//! A scenario file: text in, scenarios and problems out. Each entry is read alone, so that a problem does not hide
//! the rest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use attractor_dot::TextRange;
use attractor_lang::{Status, condition};
use attractor_model::Diagnostic;
use attractor_model::catalogue::nearest;
use attractor_run::FailureClass;
use toml::de::{DeTable, DeValue};

use crate::expectation::{End, PathItem};
use crate::located::Located;
use crate::reader::{Node, Reader, entries, json, range, text};
use crate::scenario::{Scenario, ScenarioOutcome};

/// How the name of a scenario file ends: `release.test.toml` tests `release.dot`.
pub const ENDING: &str = ".test.toml";

/// The scenario file of a pipeline: next to it, by its name.
pub fn scenario_path(pipeline: &Path) -> PathBuf {
    pipeline.with_extension(ENDING.trim_start_matches('.'))
}

/// Where the pipeline of a scenario file may be: the file it names, else the file of its name with one of `endings`.
pub fn pipeline_paths(path: &Path, file: &ScenarioFile, endings: &[&str]) -> Vec<PathBuf> {
    if let Some(named) = &file.pipeline {
        return vec![path.with_file_name(&named.value)];
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(ENDING).unwrap_or(&name);
    let paths = endings
        .iter()
        .map(|ending| path.with_file_name(format!("{stem}.{ending}")));
    paths.collect()
}

/// Keys of a file.
pub(crate) const FILE_KEYS: [&str; 2] = ["pipeline", "scenario"];
/// Keys of a scenario.
pub(crate) const SCENARIO_KEYS: [&str; 8] = [
    "name",
    "graph",
    "inputs",
    "outcomes",
    "answers",
    "cassette",
    "max_steps",
    "expect",
];
/// Keys of an outcome that is a table.
pub(crate) const OUTCOME_KEYS: [&str; 6] = ["status", "class", "label", "next", "output", "set"];
/// Keys of `expect`.
pub(crate) const EXPECT_KEYS: [&str; 6] = ["path", "end", "end_node", "reason", "context", "where"];

/// The values of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioFile {
    /// The file of the pipeline, relative to this one; without it, the DOT file of the same name.
    pub pipeline: Option<Located<String>>,
    /// Its scenarios.
    pub scenarios: Vec<Scenario>,
}

impl ScenarioFile {
    /// Reads the text of a file.
    pub fn parse(source: &str) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader::default();
        let (table, errors) = DeTable::parse_recoverable(source);
        for error in errors {
            let place = error.span().unwrap_or(0..0);
            reader.report(
                range(&place),
                format!("this is not TOML: {}", error.message()),
            );
        }
        let mut file = Self::default();
        if reader.has_problems() {
            // What follows from a broken document is not worth a report.
            return (file, reader.into_problems());
        }
        for entry in entries(table.get_ref()) {
            match entry.key.value.as_str() {
                "pipeline" => file.pipeline = reader.text("pipeline", entry.value),
                "scenario" => {
                    for item in Reader::list(entry.value) {
                        file.scenarios.extend(scenario(&mut reader, source, item));
                    }
                }
                _ => reader.unknown_key(&entry.key, &FILE_KEYS),
            }
        }
        let mut names = BTreeSet::new();
        for scenario in &file.scenarios {
            let name = &scenario.name;
            if !names.insert(&name.value) {
                let message = format!(
                    "another scenario is named `{}`; names are unique",
                    name.value
                );
                reader.report(name.range, message);
            }
        }
        (file, reader.into_problems())
    }
}

fn scenario(reader: &mut Reader, source: &str, item: &Node<'_>) -> Option<Scenario> {
    let DeValue::Table(table) = item.get_ref() else {
        reader.mismatch("scenario", item, "tables: [[scenario]]");
        return None;
    };
    let name = table.get("name").and_then(|name| reader.text("name", name));
    if !table.contains_key("name") {
        reader.report(
            range(&item.span()),
            "the scenario has no name; add name = \"…\"",
        );
    }
    let mut scenario = Scenario::new(name?);
    for entry in entries(table) {
        let value = entry.value;
        match entry.key.value.as_str() {
            "name" => {}
            "graph" => scenario.graph = reader.text("graph", value),
            "inputs" => {
                let inputs = reader.table("inputs", value).into_iter();
                scenario.inputs = inputs
                    .map(|entry| (entry.key.value, json(entry.value.get_ref())))
                    .collect();
            }
            "outcomes" => {
                for node in reader.table("outcomes", value) {
                    let items = Reader::list(node.value).into_iter();
                    let outcomes = items.filter_map(|item| outcome(reader, item)).collect();
                    scenario.outcomes.push((node.key, outcomes));
                }
            }
            "answers" => {
                for node in reader.table("answers", value) {
                    let items = Reader::list(node.value).into_iter();
                    let answers = items
                        .filter_map(|item| reader.text("answers", item))
                        .collect();
                    scenario.answers.push((node.key, answers));
                }
            }
            "max_steps" => {
                let steps = json(value.get_ref()).as_u64().filter(|steps| *steps > 0);
                if steps.is_none() {
                    reader.mismatch("max_steps", value, "a whole number above 0");
                }
                scenario.max_steps = steps;
            }
            "expect" => expect(reader, source, &mut scenario, value),
            "cassette" => scenario.cassette = reader.text("cassette", value),
            _ => reader.unknown_key(&entry.key, &SCENARIO_KEYS),
        }
    }
    Some(scenario)
}

/// A status, or a table with more than that.
fn outcome(reader: &mut Reader, item: &Node<'_>) -> Option<ScenarioOutcome> {
    let mut read = ScenarioOutcome::default();
    let outcome = &mut read.outcome;
    if let Some(word) = text(item) {
        outcome.status = status(reader, &word);
    } else if let DeValue::Table(table) = item.get_ref() {
        for entry in entries(table) {
            let value = entry.value;
            match entry.key.value.as_str() {
                "status" => {
                    let word = reader.text("status", value)?;
                    outcome.status = status(reader, &word);
                }
                "class" => outcome.failure_class = failure_class(reader, value),
                "label" => {
                    let label = reader.text("label", value)?;
                    read.label = Some(label.range);
                    outcome.preferred_label = Some(label.value);
                }
                "next" => {
                    let next = reader.text("next", value)?;
                    read.next = Some(next.range);
                    outcome.next_node = Some(next.value);
                }
                "output" => outcome.output = Some(reader.text("output", value)?.value),
                "set" => {
                    let values = reader.table("set", value).into_iter();
                    outcome.set = values
                        .map(|entry| (entry.key.value, json(entry.value.get_ref())))
                        .collect();
                }
                _ => reader.unknown_key(&entry.key, &OUTCOME_KEYS),
            }
        }
    } else {
        let expected = "a status (\"fail\") or a table ({ status = \"fail\", set = { … } })";
        reader.mismatch("outcomes", item, expected);
        return None;
    }
    Some(read)
}

/// A status; a word of the pipeline's own is one too, unless it is a typo of a known one.
fn status(reader: &mut Reader, word: &Located<String>) -> Option<Status> {
    let known = attractor_lang::status::STATUS_WORDS.iter();
    let status = Status::parse(&word.value);
    if let Status::Custom(custom) = &status
        && let Some(near) = nearest(custom, known.map(|(name, _)| *name))
    {
        reader.typo("status", word, near);
        return None;
    }
    Some(status)
}

fn failure_class(reader: &mut Reader, value: &Node<'_>) -> Option<FailureClass> {
    let word = reader.text("class", value)?;
    let names = FailureClass::ALL.map(FailureClass::as_str);
    let mut known = FailureClass::ALL.into_iter();
    let found = known.find(|class| class.as_str() == word.value);
    if found.is_none() {
        reader.unknown("failure class", &word, &names);
    }
    found
}

fn expect(reader: &mut Reader, source: &str, scenario: &mut Scenario, value: &Node<'_>) {
    let expect = &mut scenario.expect;
    for entry in reader.table("expect", value) {
        let value = entry.value;
        match entry.key.value.as_str() {
            "path" => {
                let items = Reader::list(value).into_iter();
                let items = items.filter_map(|item| reader.text("path", item).map(path_item));
                expect.path = Some(Located {
                    value: items.collect(),
                    range: range(&value.span()),
                });
            }
            "end" => {
                let Some(word) = reader.text("end", value) else {
                    continue;
                };
                let end = End::from_name(&word.value);
                if end.is_none() {
                    let names = End::ALL.map(End::name).join(", ");
                    let message = format!("`end` is `{}`; expected one of {names}", word.value);
                    reader.report(word.range, message);
                }
                expect.end = end.map(|value| Located {
                    value,
                    range: word.range,
                });
            }
            "end_node" => expect.end_node = reader.text("end_node", value),
            "reason" => expect.reason = reader.text("reason", value),
            "context" => {
                let values = reader.table("context", value).into_iter();
                let located = values.map(|entry| {
                    let value = Located {
                        value: json(entry.value.get_ref()),
                        range: entry.key.range.cover(range(&entry.value.span())),
                    };
                    (entry.key.value, value)
                });
                expect.context = located.collect();
            }
            "where" => {
                for item in Reader::list(value) {
                    let Some(text) = reader.text("where", item) else {
                        continue;
                    };
                    let (condition, errors) = condition::parse(&text.value);
                    for error in &errors {
                        let place = inside(source, &text, error.range.clone());
                        reader.report(place, error.message.clone());
                    }
                    if errors.is_empty() {
                        expect.conditions.push(Located {
                            value: condition,
                            range: text.range,
                        });
                    }
                }
            }
            _ => reader.unknown_key(&entry.key, &EXPECT_KEYS),
        }
    }
}

fn path_item(item: Located<String>) -> PathItem {
    match item.value.as_str() {
        "…" | "..." => PathItem::Gap,
        _ => PathItem::Node(item.value, item.range),
    }
}

/// The place of bytes of a text that is written without escapes; else that of the whole text.
fn inside(source: &str, text: &Located<String>, bytes: std::ops::Range<usize>) -> TextRange {
    let start = text.range.start() + 1;
    let plain = source.get(start..start + text.value.len()) == Some(text.value.as_str());
    if plain {
        TextRange::new(start + bytes.start, start + bytes.end)
    } else {
        text.range
    }
}
