//! The JSON Schema of what `attractor diff` prints, from the types.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::Value;

use crate::Report;

#[test]
fn the_schemas_are_fresh() {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<Report>();
    let title = "attractor diff --format json";
    schema.insert("title".to_owned(), Value::from(title));
    let text = format!("{:#}\n", schema.to_value());
    attractor_tests::fresh("docs/reference/schemas/diff.schema.json", &text);
}
