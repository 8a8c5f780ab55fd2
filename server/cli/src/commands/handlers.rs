//! `attractor handlers`: the built-in node kinds, and the handlers that the configuration of this folder declares.

use attractor_model::catalogue::NODE_KINDS;
use serde_json::{Value, json};

use super::ListFormat;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::table;

/// List node kinds and handlers
#[derive(Debug, clap::Args)]
pub struct Handlers {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

impl Handlers {
    /// Prints the catalogue of node kinds.
    pub fn run(self) -> Result<Exit, Error> {
        let here = std::env::current_dir().unwrap_or_default();
        let configuration = configuration::read(&here);
        configuration::report_problems(&configuration);
        let own = configuration.handlers();
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
                    .chain(own.iter().map(|handler| {
                        json!({
                            "name": handler.name,
                            "summary": handler.doc,
                            "command": handler.command,
                            "folder": handler.folder,
                            "attributes": handler.attributes,
                            "sets": handler.sets,
                        })
                    }))
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
                let own = own.iter().map(|handler| {
                    let command = format!("runs {}", handler.command.join(" "));
                    let does = match handler.doc.as_str() {
                        "" => command,
                        doc => format!("{doc} ({command})"),
                    };
                    vec![handler.name.clone(), "configured".to_owned(), does]
                });
                let rows = rows.chain(own);
                console::print(&table::draw(&["HANDLER", "SHAPES", "DESCRIPTION"], rows))?;
            }
        }
        Ok(Exit::Success)
    }
}
