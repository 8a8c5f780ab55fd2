//! JSON Schemas of what a run reports, from the types themselves.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, generate::SchemaGenerator};
use serde_json::Value;

use crate::{Event, RunReport};

/// The schema of what a type is written as.
fn schema<T: JsonSchema>(title: &str) -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.insert("title".to_owned(), Value::from(title));
    format!("{:#}\n", schema.to_value())
}

#[test]
fn the_schemas_are_fresh() {
    let run = schema::<RunReport>("attractor run --format json");
    attractor_tests::fresh("docs/reference/schemas/run.schema.json", &run);
    let event = schema::<Event>("a line of attractor run --format events");
    attractor_tests::fresh("docs/reference/schemas/event.schema.json", &event);
}
