//! What can be typed at a place of a scenario file: its keys, the names of the pipeline, the words of outcomes.
//!
//! ```toml
//! outcomes = { test = ["fail", "█
//! ```
//!
//! Pure: a text that may be incomplete, an offset and the pipeline in, names with their ranges out.

mod place;

use attractor_dot::TextRange;
use attractor_lang::Status;
use attractor_model::{NodeKind, Pipeline};
use attractor_run::{FailureClass, bare_label};
use serde_json::Value;

use crate::expectation::End;
use crate::file::{EXPECT_KEYS, FILE_KEYS, OUTCOME_KEYS, SCENARIO_KEYS};
use crate::reader::key;
use crate::schema::schema;
use crate::subject::Subject;
use place::{Place, PlaceKind, place};

/// What can be typed at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The word that is replaced.
    pub replace: TextRange,
    /// Likely ones first.
    pub items: Vec<CompletionItem>,
}

/// A name or a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    /// What it is called.
    pub label: String,
    /// What replaces the word.
    pub text: String,
    /// What it names.
    pub kind: CompletionKind,
    /// What it means.
    pub detail: Option<String>,
}

/// What a completion names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key of the file.
    Key,
    /// A node of the pipeline.
    Node,
    /// A value: a status, a label, an end.
    Value,
}

/// A name before it is written as a key or as a string.
struct Name {
    text: String,
    kind: CompletionKind,
    detail: Option<String>,
}

/// What can be typed at `offset`. Without a pipeline, only the keys and words of the file format.
pub fn complete(text: &str, offset: usize, subject: Option<&Subject>) -> Option<Completion> {
    let place = place(text, offset)?;
    let graph = graph_at(text, offset);
    let tested = subject.and_then(|subject| subject.pipeline(graph));
    let pipelines: Vec<&Pipeline> = tested
        .map(|tested| tested.all().collect())
        .unwrap_or_default();
    let path: Vec<&str> = place.path.iter().map(String::as_str).collect();
    let names = match place.kind {
        PlaceKind::Key => keys(&path, &pipelines),
        PlaceKind::Value => values(&path, &place, &pipelines, subject),
    };
    let has_value = text
        .get(place.word.end()..)
        .is_some_and(|after| after.trim_start_matches([' ', '"']).starts_with('='));
    let items = names.into_iter().map(|name| CompletionItem {
        text: match (place.kind, place.in_string) {
            (_, true) => inside_string(&name.text),
            (PlaceKind::Key, false) if has_value => key(&name.text),
            (PlaceKind::Key, false) => format!("{} = ", key(&name.text)),
            (PlaceKind::Value, false) => toml::Value::String(name.text.clone()).to_string(),
        },
        label: name.text,
        kind: name.kind,
        detail: name.detail,
    });
    Some(Completion {
        replace: place.word,
        items: items.collect(),
    })
}

/// The value of `graph` in the scenario around an offset.
fn graph_at(text: &str, offset: usize) -> Option<&str> {
    let start = text.get(..offset)?.rfind("[[")?;
    let rest = text.get(start + 2..)?;
    let scenario = rest.split("\n[[").next()?;
    let values = scenario.lines().filter_map(|line| line.split_once('='));
    let mut values = values.filter(|(name, _)| name.trim() == "graph");
    let (_, value) = values.next()?;
    value.trim().trim_matches('"').split('"').next()
}

/// A name within quotes that are there already.
fn inside_string(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Where the schema has the keys of a scenario.
const SCENARIO: &str = "/properties/scenario/items/properties";

fn keys(path: &[&str], pipelines: &[&Pipeline]) -> Vec<Name> {
    let known = |names: &[&str], pointer: &str| -> Vec<Name> {
        let schema = schema();
        let table = schema.pointer(pointer);
        let described = names.iter().map(|name| Name {
            text: (*name).to_owned(),
            kind: CompletionKind::Key,
            detail: table.and_then(|table| description(table, name)),
        });
        described.collect()
    };
    match path {
        [] => known(&FILE_KEYS, "/properties"),
        ["scenario"] => known(&SCENARIO_KEYS, SCENARIO),
        ["scenario", "expect"] => known(&EXPECT_KEYS, &format!("{SCENARIO}/expect/properties")),
        ["scenario", "outcomes"] => nodes(pipelines, |_| true),
        ["scenario", "outcomes", _] => known(
            &OUTCOME_KEYS,
            &format!("{SCENARIO}/outcomes/additionalProperties/anyOf/0/anyOf/1/properties"),
        ),
        ["scenario", "answers"] => nodes(pipelines, |kind| kind == NodeKind::HumanGate),
        _ => Vec::new(),
    }
}

fn description(table: &Value, name: &str) -> Option<String> {
    Some(table.get(name)?.get("description")?.as_str()?.to_owned())
}

fn values(
    path: &[&str],
    place: &Place,
    pipelines: &[&Pipeline],
    subject: Option<&Subject>,
) -> Vec<Name> {
    match path {
        ["scenario", "outcomes", _] | ["scenario", "outcomes", _, "status"] => {
            plain(Status::KNOWN.iter().map(Status::name))
        }
        ["scenario", "outcomes", _, "class"] => {
            plain(FailureClass::ALL.iter().map(|class| class.as_str()))
        }
        ["scenario", "outcomes", node, "label"] | ["scenario", "answers", node] => {
            plain(labels(pipelines, node))
        }
        ["scenario", "outcomes", node, "next"] => following(pipelines, Some(node)),
        ["scenario", "expect", "path"] => {
            let mut names = following(pipelines, place.previous.as_deref());
            names.push(Name {
                text: "…".to_owned(),
                kind: CompletionKind::Value,
                detail: Some("Any nodes, or none".to_owned()),
            });
            names
        }
        ["scenario", "expect", "end"] => plain(End::ALL.into_iter().map(End::name)),
        ["scenario", "expect", "end_node"] => nodes(pipelines, |_| true),
        ["scenario", "graph"] => {
            let graphs = subject.into_iter().flat_map(Subject::pipelines);
            plain(graphs.map(|pipeline| pipeline.name.as_str()))
        }
        _ => Vec::new(),
    }
}

fn plain<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for name in names {
        if found.iter().all(|one| one.text != name) {
            found.push(Name {
                text: name.to_owned(),
                kind: CompletionKind::Value,
                detail: None,
            });
        }
    }
    found
}

/// The nodes of a kind, those of the tested pipeline before those of the pipelines it calls.
fn nodes(pipelines: &[&Pipeline], wanted: impl Fn(NodeKind) -> bool) -> Vec<Name> {
    let all = pipelines.iter().flat_map(|pipeline| &pipeline.nodes);
    let wanted = all.filter(|node| wanted(node.kind));
    wanted
        .map(|node| Name {
            text: node.id.to_string(),
            kind: CompletionKind::Node,
            detail: node.attributes.text("label").map(str::to_owned),
        })
        .collect()
}

/// All nodes: those that an edge leads to from `node` first, or the start node.
fn following(pipelines: &[&Pipeline], node: Option<&str>) -> Vec<Name> {
    let follows = |id: &str| {
        pipelines.iter().any(|pipeline| {
            let Some(ix) = pipeline.by_id(id) else {
                return false;
            };
            match node.and_then(|node| pipeline.by_id(node)) {
                Some(from) => pipeline.successors(from).any(|next| next == ix),
                None => node.is_none() && pipeline.start == Some(ix),
            }
        })
    };
    let mut names = nodes(pipelines, |_| true);
    names.sort_by_key(|name| !follows(&name.text));
    names
}

/// The labels of the edges that leave a node, without accelerators.
fn labels<'p>(pipelines: &'p [&Pipeline], node: &str) -> impl Iterator<Item = &'p str> {
    let node = node.to_owned();
    pipelines.iter().flat_map(move |pipeline| {
        let edges = pipeline.by_id(&node).map(|ix| pipeline.outgoing(ix));
        let edges = edges.unwrap_or_default().iter();
        edges.filter_map(|ix| Some(bare_label(pipeline.edge(*ix)?.label()?)))
    })
}
