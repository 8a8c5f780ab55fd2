//! `[handlers.NAME]`: handlers of the project's own.

use attractor_model::{CustomAttribute, CustomHandler, CustomType, NodeKind};

use super::reader::{Entry, Reader, string, tables};

/// Keys of a handler.
const KEYS: [&str; 4] = ["command", "doc", "attributes", "sets"];
/// Keys of an attribute.
const ATTRIBUTE_KEYS: [&str; 4] = ["name", "type", "doc", "required"];

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> Vec<CustomHandler> {
    let mut handlers = Vec::new();
    for entry in reader.section(section) {
        if !entry.value.is_table() {
            let (name, value) = (&entry.key, &entry.value);
            let message =
                format!("`handlers.{name}` is {value}; expected a section: [handlers.{name}]");
            reader.report(entry.value_at, message);
            continue;
        }
        if NodeKind::from_name(&entry.key).is_some() {
            let message = format!(
                "`{}` is a built-in handler and cannot be declared; choose another name",
                entry.key
            );
            reader.report(entry.at, message);
            continue;
        }
        handlers.push(handler(reader, &entry));
    }
    handlers
}

fn handler(reader: &mut Reader<'_>, section: &Entry) -> CustomHandler {
    let mut handler = CustomHandler {
        name: section.key.clone(),
        ..CustomHandler::default()
    };
    let path = format!("handlers.{}", handler.name);
    let mut has_command = false;
    for entry in reader.section(section) {
        let name = format!("{path}.{}", entry.key);
        match entry.key.as_str() {
            "command" => {
                has_command = true;
                handler.command = reader.strings(&entry, &name).unwrap_or_default();
                if entry.value.as_array().is_some_and(Vec::is_empty) {
                    let message =
                        format!("`{name}` is empty; expected a program and its arguments");
                    reader.report(entry.value_at, message);
                }
            }
            "doc" => handler.doc = reader.text(&entry, &name).unwrap_or_default(),
            "sets" => handler.sets = reader.strings(&entry, &name).unwrap_or_default(),
            "attributes" => handler.attributes = attributes(reader, &entry, &name),
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    if !has_command {
        let message = format!("`{path}` has no command; add command = [\"PROGRAM\", \"ARGUMENT\"]");
        reader.report(section.at, message);
    }
    handler
}

fn attributes(reader: &mut Reader<'_>, list: &Entry, path: &str) -> Vec<CustomAttribute> {
    if !list.value.is_array() {
        let message = format!(
            "`{path}` is {}; expected a list such as [{{ name = \"image\", type = \"string\" }}]",
            list.value
        );
        reader.report(list.value_at, message);
    }
    let mut attributes: Vec<CustomAttribute> = Vec::new();
    for table in tables(list) {
        let Some(entries) = table else {
            let message =
                format!("an item of `{path}` is not a table; expected {{ name = \"…\" }}");
            reader.report(list.value_at, message);
            continue;
        };
        let read = attribute(reader, &entries, path);
        if read.name.is_empty() {
            let at = entries.first().map_or(list.value_at, |entry| entry.at);
            reader.report(
                at,
                format!("an item of `{path}` has no name; add name = \"…\""),
            );
        } else if attributes.iter().any(|known| known.name == read.name) {
            let at = entries.first().map_or(list.value_at, |entry| entry.at);
            reader.report(at, format!("`{path}` declares `{}` twice", read.name));
        } else {
            attributes.push(read);
        }
    }
    attributes
}

fn attribute(reader: &mut Reader<'_>, entries: &[Entry], path: &str) -> CustomAttribute {
    let mut attribute = CustomAttribute::default();
    for entry in entries {
        let name = format!("{path}.{}", entry.key);
        match entry.key.as_str() {
            "name" => attribute.name = reader.text(entry, &name).unwrap_or_default(),
            "doc" => attribute.doc = reader.text(entry, &name).unwrap_or_default(),
            "required" => {
                if let Some(required) = entry.value.as_bool() {
                    attribute.required = required;
                } else {
                    let message = format!("`{name}` is {}; expected true or false", entry.value);
                    reader.report(entry.value_at, message);
                }
            }
            "type" => {
                let written = string(&entry.value).unwrap_or_default();
                let mut types = CustomType::ALL.into_iter();
                if let Some(ty) = types.find(|ty| ty.name() == written) {
                    attribute.ty = ty;
                } else {
                    let names = CustomType::ALL.map(CustomType::name).join(", ");
                    let message = format!("`{name}` is {}; expected one of {names}", entry.value);
                    reader.report(entry.value_at, message);
                }
            }
            _ => reader.unknown(entry, "key", ATTRIBUTE_KEYS.into_iter()),
        }
    }
    attribute
}
