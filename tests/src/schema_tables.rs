//! Tables in Markdown from a JSON Schema whose descriptions are doc comments, as `schemars` writes it.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// A table of the fields of an object, under a heading for its first column. Empty if it has none.
pub fn fields(heading: &str, schema: &Value) -> String {
    let rows = rows(schema);
    if rows.is_empty() {
        return String::new();
    }
    format!("| {heading} | type | |\n|---|---|---|\n{rows}")
}

/// A section for each definition: the fields of an object, or the values of an enum.
pub fn definitions<'d>(definitions: impl IntoIterator<Item = (&'d String, &'d Value)>) -> String {
    let mut text = String::new();
    for (name, schema) in definitions {
        let description = plain(description(schema));
        let _ = write!(text, "### {name}\n\n{description}\n\n");
        let table = fields("field", schema);
        let values: Vec<_> = values(schema).collect();
        if !values.is_empty() {
            text += "| value | |\n|---|---|\n";
        }
        for (value, description) in &values {
            let _ = writeln!(text, "| `{value}` | {} |", cell(description));
        }
        // An enum can have values, and variants with a field.
        if !values.is_empty() && !table.is_empty() {
            text.push('\n');
        }
        text += &table;
        text.push('\n');
    }
    text
}

/// The names of the fields, as short as messages need them: `{run, mode?: "run"|"simulate"}`.
pub fn shape(schema: &Value) -> String {
    let fields = properties(schema).into_iter().flatten();
    let fields = fields.map(|(name, field)| {
        let target = field["$ref"]
            .as_str()
            .and_then(|path| schema.pointer(path.trim_start_matches('#')));
        let values: Vec<String> = values(target.unwrap_or(field))
            .map(|(value, _)| format!("\"{value}\""))
            .collect();
        let values = if values.is_empty() {
            String::new()
        } else {
            format!(": {}", values.join("|"))
        };
        format!("{name}{}{values}", optional(schema, name))
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

/// The values of an enum, each with its description.
pub fn values(schema: &Value) -> impl Iterator<Item = (&str, &str)> {
    let listed = schema["enum"].as_array().into_iter().flatten();
    let listed = listed.filter_map(|value| Some((value.as_str()?, "")));
    let described = schema["oneOf"].as_array().into_iter().flatten();
    let described = described.flat_map(|one| {
        let single = one["const"].as_str().map(|value| (value, description(one)));
        single.into_iter().chain(values_of_group(one))
    });
    listed.chain(described)
}

/// Values without a doc comment are one group.
fn values_of_group(group: &Value) -> impl Iterator<Item = (&str, &str)> {
    let values = group["enum"].as_array().into_iter().flatten();
    values.filter_map(|value| Some((value.as_str()?, "")))
}

/// What a doc comment says of it.
pub fn description(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

fn rows(schema: &Value) -> String {
    let mut rows = String::new();
    for (name, field) in properties(schema).into_iter().flatten() {
        let _ = writeln!(
            rows,
            "| `{name}{}` | {} | {} |",
            optional(schema, name),
            type_name(field),
            cell(description(field))
        );
    }
    for (name, field, variant) in variants(schema) {
        let (kind, about) = (type_name(field), cell(description(variant)));
        let _ = writeln!(rows, "| `{name}?` | {kind} | {about} |");
    }
    rows
}

/// The fields of an enum whose variants are objects with one field each: one of them is there.
fn variants(schema: &Value) -> impl Iterator<Item = (&String, &Value, &Value)> {
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    variants.filter_map(|variant| {
        let mut fields = properties(variant)?.iter();
        let (Some((name, field)), None) = (fields.next(), fields.next()) else {
            return None;
        };
        let is_tag = !field["const"].is_null();
        (!is_tag).then_some((name, field, variant))
    })
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema["properties"].as_object()
}

fn optional(schema: &Value, name: &str) -> &'static str {
    let required = schema["required"].as_array();
    let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
    if is_required { "" } else { "?" }
}

fn type_name(schema: &Value) -> String {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    let values: Vec<String> = values(schema)
        .map(|(value, _)| format!("`{value}`"))
        .collect();
    if !values.is_empty() {
        return values.join(", ");
    }
    if let Some(value) = schema["const"].as_str() {
        return format!("`{value}`");
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let named = any
            .iter()
            .filter(|one| one["type"] != "null")
            .map(type_name);
        return named.collect::<Vec<_>>().join(" or ");
    }
    if let Some(title) = schema["title"].as_str() {
        return title.to_owned();
    }
    let plain = match &schema["type"] {
        Value::Array(types) => types
            .iter()
            .find_map(Value::as_str)
            .filter(|name| *name != "null"),
        one => one.as_str(),
    };
    match plain {
        Some("array") => format!("list of {}", type_name(&schema["items"])),
        Some("object") if schema["additionalProperties"].is_object() => {
            format!("map to {}", type_name(&schema["additionalProperties"]))
        }
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}

/// A doc comment without the brackets of links to other items.
fn plain(doc: &str) -> String {
    doc.replace("[`", "`").replace("`]", "`")
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    plain(text).replace('\n', " ").replace('|', "\\|")
}
