//! Files of the editors and for other programs, written from the tables: word lists of the grammars, JSON Schemas.
//!
//! `just docs` writes them; a test compares them with what the tables say.

pub mod schemas;

use std::fmt::Write;

use serde_json::{Value, json};

use crate::catalogue::{ATTRIBUTES, AttrType, CONDITION_WORDS, WordClass};
use attractor_lang::status::STATUS_WORDS;

/// A file, by its path from the root of the repository.
#[derive(Debug)]
pub struct Generated {
    /// Relative, with `/`.
    pub path: &'static str,
    /// What it contains.
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
        json(
            "docs/reference/schemas/graph.schema.json",
            &schemas::graph(),
        ),
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_files_are_fresh() {
        for file in super::files() {
            attractor_tests::fresh(file.path, &file.text);
        }
    }
}
