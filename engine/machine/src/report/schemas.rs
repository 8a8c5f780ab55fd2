//! JSON Schemas of what a run reports, and the reference page of its events, from the types themselves.

use std::fmt::Write as _;

use attractor_tests::schema_tables::{definitions, description, fields};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, generate::SchemaGenerator, json_schema};
use serde_json::Value;

use attractor_model::{NodeState, Reality, RunState};

use crate::event::Event;
use crate::report::RunReport;
use crate::transcript::TranscriptEntry;

/// The schema of what a type is written as.
fn schema<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.insert("title".to_owned(), Value::from(title));
    schema.to_value()
}

/// The words for the state of a run.
pub(crate) fn run_state(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": RunState::ALL.map(RunState::name) })
}

/// The words for the state of a node.
pub(crate) fn node_state(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": NodeState::ALL.map(NodeState::name) })
}

/// The words for how real a run is.
pub(crate) fn reality(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Reality::ALL.map(Reality::name) })
}

/// What precedes the fields of an entry.
const ENTRIES: &str = "\n\n## TranscriptEntry\n\n\
The language server and the HTTP server send each event with its `entry`: the event as people read it, in words that are the \
same in every editor. It is `null` for an event that transcripts do not show, and missing where the server is older. The \
journal does not have it. A client draws the glyph, the `node`, the `tool` and the `text` in a line, and the `lines` below; \
it decides about colors, alignment and folding. `text` and lines are shortened; the event has everything.\n\n";

/// The page of the events: what all have in common, what each carries, the types of that, and how events are shown.
fn events(schema: &Value, entry: &Value) -> String {
    let mut page = "<!-- Generated from the types in engine/machine/src/event; UPDATE_DOCS=1 cargo test -p attractor-machine -->\n\n\
# Events of a run\n\n\
The journal (`journal.jsonl`), `attractor run --format events` and the language server's notification \
`attractor/event` carry these events. An event is one flat object: the fields of every event, and those of its `type`.\n\n\
## Every event\n\n"
        .to_owned();
    page += &fields("field", schema);
    page += "\n## By type\n";
    for event in schema["oneOf"].as_array().into_iter().flatten() {
        let name = &event["properties"]["type"]["const"];
        let name = name.as_str().unwrap_or_default();
        let mut own = event.clone();
        if let Some(own) = own["properties"].as_object_mut() {
            own.shift_remove("type");
        }
        let table = fields("field", &own);
        let _ = write!(page, "\n### `{name}`\n\n{}\n", description(event));
        if !table.is_empty() {
            page += &["\n", &table].concat();
        }
    }
    page += "\n## Types\n\n";
    page += &definitions(schema["$defs"].as_object().into_iter().flatten());
    page = page.trim_end().to_owned() + ENTRIES;
    page += &fields("field", entry);
    page += "\n";
    page += &definitions(entry["$defs"].as_object().into_iter().flatten());
    page.trim_end().to_owned() + "\n"
}

#[test]
fn the_schemas_are_fresh() {
    let run = format!("{:#}\n", schema::<RunReport>("attractor run --format json"));
    attractor_tests::fresh("docs/reference/schemas/run.schema.json", &run);
    let event = schema::<Event>("a line of attractor run --format events");
    let entry = schema::<TranscriptEntry>("the entry of an event in a transcript");
    attractor_tests::fresh("docs/reference/events.md", &events(&event, &entry));
    let entry = format!("{entry:#}\n");
    attractor_tests::fresh(
        "docs/reference/schemas/transcript-entry.schema.json",
        &entry,
    );
    let event = format!("{event:#}\n");
    attractor_tests::fresh("docs/reference/schemas/event.schema.json", &event);
}
