//! `attractor handlers`: the kinds of nodes there are.

use attractor_model::catalogue::NODE_KINDS;
use serde_json::{Value, json};

use super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::table;

/// List the kinds of nodes
#[derive(Debug, clap::Args)]
pub struct Handlers {
    /// How to print them
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

impl Handlers {
    /// Prints the catalogue of node kinds.
    pub fn run(self) -> Result<Exit, Error> {
        match self.format {
            ListFormat::Json => {
                let rows: Vec<Value> = NODE_KINDS
                    .iter()
                    .map(|row| {
                        json!({
                            "name": row.name,
                            "aliases": row.aliases,
                            "shapes": row.shapes,
                            "summary": row.summary,
                            "doc": row.doc,
                            "example": row.example,
                        })
                    })
                    .collect();
                console::json(&json!({"handlers": rows}))?;
            }
            ListFormat::Human => {
                let rows = NODE_KINDS.iter().map(|row| {
                    vec![
                        row.name.to_owned(),
                        row.shapes.join(", "),
                        row.summary.to_owned(),
                    ]
                });
                console::print(&table::draw(&["HANDLER", "SHAPES", "DOES"], rows))?;
            }
        }
        Ok(Exit::Success)
    }
}
