//! Files of the editors and for other programs, written from the tables: word lists of the grammars, JSON Schemas.
//!
//! `just docs` writes them; a test compares them with what the tables say.

use std::fmt::Write;

use serde_json::{Value, json};

use super::attribute::AttrType;
use super::attributes::ATTRIBUTES;
use super::conditions::{CONDITION_WORDS, WordClass};
use crate::lang::status::STATUS_WORDS;
use crate::lints::LINTS;
use crate::options::{Dialect, Level};

/// A file, by its path from the root of the repository.
#[derive(Debug)]
pub struct Generated {
    /// Relative, with `/`.
    pub path: &'static str,
    /// What stands in it.
    pub text: String,
}

/// Every generated file but the reference pages.
pub fn files() -> Vec<Generated> {
    let json = |path, value: &Value| Generated {
        path,
        text: format!("{value:#}\n"),
    };
    vec![
        json("editors/vscode/syntaxes/words.json", &words()),
        json("docs/reference/schemas/config.schema.json", &config()),
        json("docs/reference/schemas/plan.schema.json", &plan()),
        json("docs/reference/schemas/validate.schema.json", &validate()),
        Generated {
            path: "editors/neovim/queries/dot/injections.scm",
            text: injections(),
        },
    ]
}

/// Names and aliases of the attributes of a type, in the order of the catalogue.
fn names_of(is: impl Fn(AttrType) -> bool) -> Vec<&'static str> {
    let mut names = Vec::new();
    for row in ATTRIBUTES
        .iter()
        .filter(|row| row.prefix().is_none() && is(row.ty))
    {
        for name in std::iter::once(row.name).chain(row.aliases.iter().copied()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn is_condition(ty: AttrType) -> bool {
    matches!(ty, AttrType::Condition | AttrType::ConditionList)
}

/// What the grammars colour by name.
fn words() -> Value {
    let class = |class| -> Vec<&str> {
        CONDITION_WORDS
            .iter()
            .filter(|word| word.class == class)
            .flat_map(|word| std::iter::once(word.name).chain(word.aliases.iter().copied()))
            .collect()
    };
    let statuses: Vec<&str> = STATUS_WORDS.iter().map(|(word, _)| *word).collect();
    json!({
        "attributes": {
            "condition": names_of(is_condition),
            "stylesheet": names_of(|ty| ty == AttrType::Stylesheet),
            "template": names_of(|ty| matches!(ty, AttrType::Template | AttrType::Command)),
        },
        "condition": {
            "comparison": class(WordClass::Comparison),
            "logic": class(WordClass::Logic),
            "outcome": class(WordClass::Outcome),
            "status": statuses,
            "value": class(WordClass::Value),
        },
    })
}

/// Languages inside strings, for tree-sitter in Neovim.
fn injections() -> String {
    let languages = [
        ("bash", names_of(|ty| ty == AttrType::Command)),
        ("markdown", names_of(|ty| ty == AttrType::Template)),
        ("css", names_of(|ty| ty == AttrType::Stylesheet)),
    ];
    let mut query =
        "; extends\n; Written from the catalogue by `just docs`: languages inside strings.\n"
            .to_owned();
    for (language, names) in languages {
        let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let _ = write!(
            query,
            "((attribute\n  name: (id) @_name\n  value: (id (string_literal) @injection.content))\n  \
             (#any-of? @_name {})\n  (#offset! @injection.content 0 1 0 -1)\n  \
             (#set! injection.language \"{language}\"))\n\n",
            names.join(" ")
        );
    }
    query.truncate(query.trim_end().len());
    query.push('\n');
    query
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// `.attractor/config.toml`.
fn config() -> Value {
    let levels: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
    let rules: serde_json::Map<String, Value> = LINTS
        .iter()
        .map(|lint| {
            let rule = json!({
                "description": lint.summary,
                "default": lint.level.name(),
                "enum": levels,
            });
            (lint.rule.to_owned(), rule)
        })
        .collect();
    let dialects: Vec<&str> = std::iter::once("auto")
        .chain(Dialect::ALL.iter().map(|dialect| dialect.name()))
        .collect();
    let text = json!({ "type": "string" });
    json!({
        "$schema": DRAFT,
        "title": ".attractor/config.toml",
        "type": "object",
        "properties": {
            "dialect": {
                "description": "The dialect of files that do not name one.",
                "enum": dialects,
            },
            "lints": {
                "description": "Levels of rules.",
                "type": "object",
                "properties": rules,
                "additionalProperties": false,
            },
            "pipelines": {
                "type": "object",
                "properties": {
                    "globs": {
                        "description": "Files whose digraphs are pipelines whatever they hold.",
                        "type": "array",
                        "items": text,
                    },
                },
            },
            "handlers": {
                "description": "Handlers of the project's own, by name.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "doc": text,
                        "sets": {
                            "description": "Context keys it sets.",
                            "type": "array",
                            "items": text,
                        },
                        "attributes": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "name": text,
                                    "type": text,
                                    "doc": text,
                                    "required": { "type": "boolean" },
                                },
                            },
                        },
                    },
                },
            },
        },
    })
}

/// JSON plan libraries.
fn plan() -> Value {
    let outcomes: Vec<&str> = CONDITION_WORDS
        .iter()
        .filter(|word| word.class == WordClass::Outcome)
        .map(|word| word.name)
        .collect();
    let types: Vec<&str> = crate::plan::TYPES.iter().map(|(name, _)| *name).collect();
    let step = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "type": { "enum": types },
            "action": { "description": "What is to be done.", "type": "string" },
            "tool_hint": { "type": "string" },
            "verify": { "description": "How to see that it was done.", "type": "string" },
            "max_retries": { "type": "integer", "minimum": 0 },
        },
    });
    json!({
        "$schema": DRAFT,
        "title": "Plan library",
        "description": "A plan, a list of plans, a table of plans by name, or one of these under `plans`.",
        "$defs": {
            "step": step,
            "plan": {
                "type": "object",
                "anyOf": [{ "required": ["graph"] }, { "required": ["steps"] }],
                "properties": {
                    "id": { "type": "string" },
                    "name": { "type": "string" },
                    "steps": { "type": "array", "items": { "$ref": "#/$defs/step" } },
                    "graph": {
                        "type": "object",
                        "required": ["nodes", "edges"],
                        "properties": {
                            "start": { "type": "string" },
                            "nodes": {
                                "type": "object",
                                "additionalProperties": { "$ref": "#/$defs/step" },
                            },
                            "edges": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "required": ["from", "to"],
                                    "properties": {
                                        "from": { "type": "string" },
                                        "to": { "type": "string" },
                                        "condition": {
                                            "description": "One of the words, or a condition.",
                                            "type": "string",
                                            "examples": outcomes,
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
        "anyOf": [
            { "$ref": "#/$defs/plan" },
            { "type": "array", "items": { "$ref": "#/$defs/plan" } },
            { "type": "object" },
        ],
    })
}

/// What `attractor validate --format json` prints.
fn validate() -> Value {
    let rules: Vec<&str> = LINTS.iter().map(|lint| lint.rule).collect();
    let text = json!({ "type": "string" });
    let place = json!({
        "type": "object",
        "required": ["line", "column"],
        "properties": {
            "line": { "type": "integer", "minimum": 1 },
            "column": { "description": "In characters.", "type": "integer", "minimum": 1 },
        },
    });
    let range = json!({
        "type": "object",
        "required": ["start", "end"],
        "properties": { "start": place, "end": place },
    });
    json!({
        "$schema": DRAFT,
        "title": "attractor validate --format json",
        "type": "object",
        "required": ["files"],
        "properties": { "files": { "type": "array", "items": {
            "type": "object",
            "required": ["path", "diagnostics"],
            "properties": {
                "path": text,
                "diagnostics": { "type": "array", "items": {
                    "type": "object",
                    "required": ["rule", "severity", "message", "range", "fixes"],
                    "properties": {
                        "rule": { "enum": rules },
                        "severity": { "enum": ["error", "warning", "info", "hint"] },
                        "message": text,
                        "range": range,
                        "node": { "type": ["string", "null"] },
                        "fixes": { "type": "array", "items": {
                            "type": "object",
                            "required": ["title", "edits"],
                            "properties": { "title": text, "edits": { "type": "array" } },
                        } },
                    },
                } },
            },
        } } },
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::files;

    #[test]
    fn the_files_are_fresh() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let update = std::env::var_os("UPDATE_DOCS").is_some();
        for file in files() {
            let path = root.join(file.path);
            if update {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, &file.text).unwrap();
            }
            let written = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                written == file.text,
                "{} is stale; run `just docs`",
                file.path
            );
        }
    }
}
