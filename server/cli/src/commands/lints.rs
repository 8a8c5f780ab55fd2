//! `attractor lints`: the rules of the validator.

use attractor_lint::LINTS;
use serde_json::{Value, json};

use super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::table;

/// List lint rules
#[derive(Debug, clap::Args)]
pub struct Lints {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

impl Lints {
    /// Prints the catalogue of lints.
    pub fn run(self) -> Result<Exit, Error> {
        match self.format {
            ListFormat::Json => {
                let rows: Vec<Value> = LINTS
                    .iter()
                    .map(|lint| {
                        json!({
                            "rule": lint.rule,
                            "level": lint.level.name(),
                            "fixable": lint.fixable,
                            "summary": lint.summary,
                            "doc": lint.doc,
                            "example": lint.example,
                        })
                    })
                    .collect();
                console::json(&json!({"lints": rows}))?;
            }
            ListFormat::Human => {
                let rows = LINTS.iter().map(|lint| {
                    vec![
                        lint.rule.to_owned(),
                        lint.level.name().to_owned(),
                        lint.summary.to_owned(),
                    ]
                });
                console::print(&table::draw(&["RULE", "LEVEL", "DESCRIPTION"], rows))?;
            }
        }
        Ok(Exit::Success)
    }
}
