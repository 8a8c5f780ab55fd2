//! What the API means by a strict schema: every object lists all its properties as required and allows no others.

use serde_json::{Value, json};

/// The schema in strict form; `None` if that would change what it accepts.
pub(crate) fn strict(schema: &Value) -> Option<Value> {
    let mut schema = schema.clone();
    close(&mut schema).then_some(schema)
}

fn close(schema: &mut Value) -> bool {
    let Value::Object(fields) = schema else {
        return true;
    };
    let is_object =
        fields.get("type") == Some(&json!("object")) || fields.contains_key("properties");
    if is_object {
        let names: Vec<String> = fields
            .get("properties")
            .and_then(Value::as_object)
            .map(|properties| properties.keys().cloned().collect())
            .unwrap_or_default();
        let required = fields
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        if names
            .iter()
            .any(|name| !required.iter().any(|one| one == name))
        {
            return false;
        }
        match fields.get("additionalProperties") {
            None => {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            Some(Value::Bool(false)) => {}
            Some(_) => return false,
        }
        fields.entry("required").or_insert_with(|| json!([]));
        fields.entry("properties").or_insert_with(|| json!({}));
    }
    fields
        .iter_mut()
        .all(|(key, value)| match (key.as_str(), value) {
            ("properties" | "$defs" | "definitions", Value::Object(schemas)) => {
                schemas.values_mut().all(close)
            }
            ("anyOf" | "prefixItems", Value::Array(schemas)) => schemas.iter_mut().all(close),
            ("items", schema) => close(schema),
            // The API rejects these in strict schemas.
            ("oneOf" | "allOf" | "not" | "patternProperties" | "if", _) => false,
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_closed_but_never_changed_in_meaning() {
        let open = json!({"type": "object", "properties": {"a": {"type": "object", "properties": {}}}, "required": ["a"]});
        let closed = strict(&open).unwrap();
        assert_eq!(closed["additionalProperties"], false);
        assert_eq!(closed["properties"]["a"]["additionalProperties"], false);
        let rejected = [
            json!({"type": "object", "properties": {"a": {}}}),
            json!({"type": "object", "additionalProperties": true}),
            json!({"type": "array", "items": {"type": "object", "properties": {"a": {}}}}),
            json!({"oneOf": [{}]}),
        ];
        for schema in rejected {
            assert_eq!(strict(&schema), None, "{schema}");
        }
    }
}
