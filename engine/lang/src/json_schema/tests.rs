//! Schemas in attributes, and what is to blame in those that are none.

use super::*;

#[test]
fn the_three_forms() {
    assert_eq!(parse(" routing ").0, Schema::Routing);
    assert_eq!(parse("@a/b.json").0, Schema::File("a/b.json".to_owned()));
    assert_eq!(parse("ROUTING").0, Schema::Routing);
    assert_eq!(parse(" @a.json ").0, Schema::File("a.json".to_owned()));
    for fine in [
        "{}",
        "true",
        "false",
        " {\"enum\": [1, null]} ",
        "{\"not\": {}, \"x-own\": 1}",
    ] {
        assert_eq!(parse(fine).1, [], "{fine}");
    }
    let (schema, errors) = parse(
        r#"{"type":["object","null"],"properties":{"a":{"type":"string"},"b":true},"required":["a"]}"#,
    );
    assert!(matches!(schema, Schema::Inline(_)) && errors.is_empty());
}

#[test]
fn errors_point_at_their_place() {
    let mut wrong = Vec::new();
    for (text, blamed, part) in [
        (
            "{\"type\": \"objct\"}",
            "\"objct\"",
            "unknown JSON Schema type",
        ),
        ("{\"type\": \"object\",\n oops}", "o", "invalid JSON Schema"),
        ("{\"required\": \"a\"}", "\"required\"", "a list of names"),
        (
            "{\"properties\": [1]}",
            "\"properties\"",
            "object of schemas",
        ),
        (
            "{\"properties\": {\"a\": 7}}",
            "7",
            "`a` is 7; expected an object",
        ),
        ("[]", "[]", "expected an object"),
        ("{\"anyOf\": [{\"enum\": 1}]}", "\"enum\"", "list of values"),
        ("", "", "invalid JSON Schema"),
        ("rooting", "r", "invalid JSON Schema"),
        ("routing.json", "r", "invalid JSON Schema"),
        ("   ", " ", "invalid JSON Schema"),
        ("{", "{", "invalid JSON Schema"),
        ("{\"type\": \"object\"} x", "x", "invalid JSON Schema"),
        ("{'type': 'object'}", "'", "invalid JSON Schema"),
        ("{\"type\": \"object\",}", "}", "invalid JSON Schema"),
        ("{\"ä\": 1,\n\n  \"b\" 2}", "2", "invalid JSON Schema"),
        ("7", "7", "expected an object"),
        ("\"object\"", "\"object\"", "expected an object"),
        ("null", "null", "expected an object"),
        ("{\"type\": 7}", "7", "unknown JSON Schema type"),
        (
            "{\"type\": [\"object\", \"nil\"]}",
            "\"nil\"",
            "unknown JSON Schema type",
        ),
        ("{\"required\": [1]}", "\"required\"", "a list of names"),
        ("{\"$defs\": []}", "\"$defs\"", "object of schemas"),
        (
            "{\"items\": {\"type\": \"strng\"}}",
            "\"strng\"",
            "unknown JSON Schema type",
        ),
        (
            "{\"properties\": {\"a\": {\"properties\": {\"b\": {\"type\": \"x\"}}}}}",
            "\"x\"",
            "unknown JSON Schema type",
        ),
        ("{\"oneOf\": [true, 3]}", "3", "an item of `oneOf`"),
    ] {
        let errors = parse(text).1;
        let found = errors
            .first()
            .map(|error| (&text[error.range.clone()], error.message.contains(part)));
        if found != Some((blamed, true)) {
            wrong.push(format!("{text}: {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
