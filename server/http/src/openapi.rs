//! `docs/reference/openapi.json`, from the types of bodies and answers. The server sends the file as it is; the test
//! keeps it fresh, so the program needs no generator.

mod operations;

use attractor_run::{Reality, RunState};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use self::operations::{Answer, Links, OPERATIONS, Operation};

/// Where schemas are in the document.
const SCHEMAS: &str = "#/components/schemas/";

/// The events of a run, with the types that they share with the answers.
const EVENT: &str = include_str!("../reference/schemas/event.schema.json");
const ENTRY: &str = include_str!("../reference/schemas/transcript-entry.schema.json");

/// The paths that are described.
pub(crate) fn paths() -> Vec<&'static str> {
    let mut paths: Vec<&str> = OPERATIONS.iter().map(|one| one.path).collect();
    paths.dedup();
    paths
}

/// The document.
fn document() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let settings =
        settings.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = SchemaGenerator::new(settings);
    let mut paths = Map::new();
    for operation in OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = described(operation, &mut generator);
    }
    let mut schemas: Map<String, Value> = schemas_of("Event", EVENT);
    schemas.extend(schemas_of("TranscriptEntry", ENTRY));
    for (name, schema) in generator
        .take_definitions(true)
        .into_iter()
        .chain(by_hand())
    {
        let before = schemas.insert(name.clone(), schema.clone());
        // An event and an answer share the names of what they have in common, and no others.
        assert!(
            before.is_none_or(|before| before == schema),
            "two schemas are named {name}"
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Attractor",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Submit pipelines, follow their runs, answer their questions.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "security": [{ "token": [] }, { "session": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "The token that `attractor serve` prints." },
                "session": { "type": "apiKey", "in": "cookie", "name": "attractor-session-PORT", "description": "The cookie of the web page." },
            },
        },
    })
}

fn described(operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let mut shown = json!({
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
    });
    let mut parameters: Vec<Value> = of_path(operation.path);
    if let Some(query) = operation.query {
        parameters.extend(of_query(&query(generator)));
    }
    if operation.versioned {
        parameters.push(json!({
            "name": "Attractor-Protocol",
            "in": "header",
            "description": "The version of the words for states; the latest without it.",
            "schema": { "type": "integer", "enum": [1, 2] },
        }));
    }
    if !parameters.is_empty() {
        shown["parameters"] = Value::Array(parameters);
    }
    if let Some(body) = operation.body {
        shown["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": body(generator) } },
        });
    }
    if operation.open {
        shown["security"] = json!([]);
    }
    let mut responses = Map::new();
    for (status, about, answer) in operation.answers {
        let mut response = json!({ "description": about });
        let content = match answer {
            Answer::Nothing => None,
            Answer::Json(schema) => {
                Some(json!({ "application/json": { "schema": schema(generator) } }))
            }
            Answer::Events(schema) => {
                Some(json!({ "text/event-stream": { "schema": frame(&schema(generator)) } }))
            }
            Answer::Text(kinds) => {
                let kinds = kinds.iter().map(|kind| {
                    let schema = match *kind {
                        "application/json" => json!({ "schema": { "type": "object" } }),
                        _ => json!({ "schema": { "type": "string" } }),
                    };
                    ((*kind).to_owned(), schema)
                });
                Some(Value::Object(kinds.collect()))
            }
        };
        if let Some(content) = content {
            response["content"] = content;
        }
        if let Some(links) = operation.links {
            response["links"] = linked(links);
        }
        responses.insert(status.to_string(), response);
    }
    let common: &[(u16, &str)] = &[
        (
            403,
            "a foreign `Host` or `Origin`, or a command of the run itself",
        ),
        (
            429,
            "too many requests; `Retry-After` says when to try again",
        ),
    ];
    let token: &[(u16, &str)] = &[(401, "no token, or a wrong one")];
    let with_body: &[(u16, &str)] = &[
        (408, "the body did not come in time"),
        (413, "the body is too large"),
        (415, "the body is not JSON"),
    ];
    let of_id: &[(u16, &str)] = &[(404, "no such run, or no such part of the run")];
    let errors = [
        (true, common),
        (!operation.open, token),
        (operation.method == "post", with_body),
        (operation.path.contains('{'), of_id),
        (true, operation.errors),
    ];
    for (_, errors) in errors.into_iter().filter(|(applies, _)| *applies) {
        for (status, about) in errors {
            let error = json!({
                "description": about,
                "content": { "application/json": { "schema": { "$ref": format!("{SCHEMAS}Error") } } },
            });
            responses.insert(status.to_string(), error);
        }
    }
    responses.sort_keys();
    shown["responses"] = Value::Object(responses);
    shown
}

/// The operations about what an answer names.
fn linked(links: Links) -> Value {
    let (path, parameters) = match links {
        Links::Run(field) => (
            "/pipelines/{id}",
            json!({ "id": format!("$response.body#{field}") }),
        ),
        Links::Questions => (
            "/pipelines/{id}/questions/{question}",
            json!({ "id": "$request.path.id", "question": "$response.body#/questions/0/id" }),
        ),
    };
    let about = OPERATIONS.iter().filter(|one| {
        let rest = one.path.strip_prefix(path);
        rest.is_some_and(|rest| !rest.contains('{'))
    });
    let links = about.map(|one| {
        let link = json!({ "operationId": one.id, "parameters": parameters });
        (one.id.to_owned(), link)
    });
    Value::Object(links.collect())
}

/// A server-sent event with such data.
fn frame(data: &Schema) -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": { "description": "What `Last-Event-ID` takes.", "type": "string" },
            "event": { "description": "The `type` of the data.", "type": "string" },
            "data": { "type": "string", "contentMediaType": "application/json", "contentSchema": data },
        },
        "required": ["data"],
    })
}

/// The parameters in braces.
fn of_path(path: &str) -> Vec<Value> {
    let names = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names
        .map(|name| {
            let schema = match name {
                "visit" | "attempt" => {
                    json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
                }
                _ => json!({ "type": "string" }),
            };
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        })
        .collect()
}

/// The fields of a query.
fn of_query(schema: &Schema) -> Vec<Value> {
    let fields = schema.get("properties").and_then(Value::as_object);
    let fields = fields.into_iter().flatten();
    fields
        .map(|(name, schema)| {
            let mut schema = schema.clone();
            let about = schema
                .as_object_mut()
                .and_then(|schema| schema.remove("description"));
            // A parameter that is not there is left out; it is never null.
            if let Some(kinds) = schema["type"].as_array() {
                schema["type"] = kinds.first().cloned().unwrap_or_default();
            }
            let nullable = schema["anyOf"].as_array().cloned();
            if let Some(one) = nullable.and_then(|any| any.into_iter().next()) {
                schema = one;
            }
            match schema["format"].as_str() {
                Some("uint32") => schema["maximum"] = json!(u32::MAX),
                Some("uint" | "uint64") => schema["maximum"] = json!(u64::MAX),
                _ => {}
            }
            let mut parameter = json!({ "name": name, "in": "query", "schema": schema });
            if let Some(about) = about {
                parameter["description"] = about;
            }
            parameter
        })
        .collect()
}

/// A schema of the reference and those that it refers to, with references into this document.
fn schemas_of(name: &str, text: &str) -> Map<String, Value> {
    let text = text.replace("#/$defs/", SCHEMAS);
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    let schema = schema.as_object_mut().unwrap();
    let mut schemas = match schema.remove("$defs") {
        Some(Value::Object(schemas)) => schemas,
        _ => Map::new(),
    };
    schema.remove("$schema");
    schemas.insert(name.to_owned(), Value::Object(schema.clone()));
    schemas
}

/// Schemas of what is not a type of this crate.
fn by_hand() -> Map<String, Value> {
    let text = json!({ "type": "string" });
    let diagnostic = json!({
        "type": "object",
        "required": ["rule", "severity", "message", "line", "column", "fixes"],
        "properties": {
            "rule": text,
            "severity": { "enum": ["error", "warning", "info", "hint"] },
            "message": text,
            "line": { "type": "integer", "minimum": 1 },
            "column": { "type": "integer", "minimum": 1 },
            "node": { "type": ["string", "null"] },
            "fixes": { "type": "array", "items": text },
        },
    });
    let error = json!({
        "description": "Every refusal has this shape.",
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": { "code": text, "message": text },
            },
            "diagnostics": { "description": "Of a pipeline that is refused.", "type": "array", "items": diagnostic },
            "accepted": { "description": "Of an answer that is refused.", "const": false },
            "files": { "description": "Of a fork that is refused: the files that are not as they were.", "type": "string" },
            "digest": { "description": "Of what a file of the project runs, where a person has to approve it: the value for `approve`.", "type": "string" },
            "document": { "description": "Everything that it runs, as Markdown.", "type": "string" },
            "changes": { "description": "How it differs from what was approved last, as a unified diff.", "type": "string" },
            "by": { "description": "Who answered first.", "type": "string" },
            "answer": { "description": "What the answer was.", "type": "string" },
        },
    });
    let checkpoint = json!({
        "description": "A point of a run from which a new run can begin.",
        "type": "object",
        "required": ["pipeline_name", "current_node", "context", "completed_nodes", "timestamp"],
        "properties": {
            "pipeline_name": text,
            "current_node": text,
            "context": { "type": "object" },
            "completed_nodes": { "type": "array", "items": text },
            "timestamp": { "description": "Seconds since 1970.", "type": "number" },
            "next_node": text,
        },
    });
    let gap = json!({
        "description": "The journal does not have the event that was asked for; all events follow.",
        "type": "object",
        "required": ["type", "after", "last"],
        "properties": {
            "type": { "const": "gap" },
            "after": { "description": "The number that was asked for.", "type": "integer", "minimum": 0 },
            "last": { "description": "The number of the last event.", "type": "integer", "minimum": 0 },
        },
    });
    let number = json!({ "type": ["integer", "null"], "minimum": 0 });
    let diff = json!({
        "description": "How a file differs.",
        "type": "object",
        "required": ["path", "change", "added", "removed", "diff"],
        "properties": {
            "path": text,
            "change": { "enum": ["added", "modified", "deleted"] },
            "added": number,
            "removed": number,
            "diff": { "description": "A unified diff; null where a content is not text or not stored.", "type": ["string", "null"] },
        },
    });
    let named = [
        ("Error", error),
        ("Gap", gap),
        ("Checkpoint", checkpoint),
        ("FileDiff", diff),
    ];
    named
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect()
}

fn reference(name: &str) -> Schema {
    schemars::json_schema!({ "$ref": format!("{SCHEMAS}{name}") })
}

fn list(name: &str) -> Schema {
    schemars::json_schema!({ "type": "array", "items": { "$ref": format!("{SCHEMAS}{name}") } })
}

/// The schema of a type of this crate.
fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The schema of a query, with its fields.
fn fields<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    T::json_schema(generator)
}

/// The words for the state of a run.
pub(crate) fn run_state(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "string", "enum": RunState::ALL.map(RunState::name) })
}

/// The words for how real a run is.
pub(crate) fn reality(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "string", "enum": Reality::ALL.map(Reality::name) })
}

pub(crate) fn usage(_: &mut SchemaGenerator) -> Schema {
    reference("Usage")
}

pub(crate) fn failure(_: &mut SchemaGenerator) -> Schema {
    reference("Failure")
}

pub(crate) fn status_report(_: &mut SchemaGenerator) -> Schema {
    reference("StatusReport")
}

pub(crate) fn question_kind(_: &mut SchemaGenerator) -> Schema {
    reference("QuestionKind")
}

pub(crate) fn question_options(_: &mut SchemaGenerator) -> Schema {
    list("QuestionOption")
}

pub(crate) fn evidence(_: &mut SchemaGenerator) -> Schema {
    reference("Evidence")
}

pub(crate) fn file_diff(_: &mut SchemaGenerator) -> Schema {
    reference("FileDiff")
}

fn event(_: &mut SchemaGenerator) -> Schema {
    let event = reference("Event");
    let entry = reference("TranscriptEntry");
    let entry = schemars::json_schema!({
        "description": "How a transcript shows it; `null` when it does not.",
        "anyOf": [entry, { "type": "null" }],
    });
    let shown = schemars::json_schema!({
        "allOf": [event],
        "type": "object",
        "required": ["entry"],
        "properties": { "entry": entry },
    });
    let gap = reference("Gap");
    schemars::json_schema!({ "anyOf": [shown, gap] })
}

fn checkpoint(_: &mut SchemaGenerator) -> Schema {
    reference("Checkpoint")
}

#[test]
fn the_description_of_the_paths_is_fresh() {
    let text = format!("{:#}\n", document());
    attractor_tests::fresh("docs/reference/openapi.json", &text);
}
