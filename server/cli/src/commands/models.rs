//! `attractor models`: the catalogue of language models.

use attractor_models::{Catalogue, Model};
use serde_json::json;

use super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::table;

/// List language models
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor models                                      all models, with prices per million tokens
  attractor models --format json | jq '.models[].id'    their names")]
pub struct Models {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

impl Models {
    /// Prints the catalogue.
    pub fn run(self) -> Result<Exit, Error> {
        let catalogue = Catalogue::shipped();
        match self.format {
            ListFormat::Json => {
                let models: Vec<&Model> = catalogue.models().map(AsRef::as_ref).collect();
                console::json(&json!({"providers": catalogue.providers(), "models": models}))?;
            }
            ListFormat::Human => {
                let headings = [
                    "MODEL", "PROVIDER", "CONTEXT", "OUTPUT", "$ IN/OUT", "RETIRES", "ALIASES",
                ];
                let rows = catalogue.models().map(|model| row(model));
                console::print(&table::draw(&headings, rows))?;
            }
        }
        Ok(Exit::Success)
    }
}

fn row(model: &Model) -> Vec<String> {
    let price = model
        .price
        .map(|price| format!("{}/{}", price.input, price.output));
    vec![
        model.id.clone(),
        model.provider.clone(),
        tokens(model.context_window),
        tokens(model.max_output),
        price.unwrap_or_default(),
        model
            .retires
            .map(|date| date.to_string())
            .unwrap_or_default(),
        model.aliases.join(", "),
    ]
}

/// `1M`, `128k`.
fn tokens(count: Option<u64>) -> String {
    match count {
        None => String::new(),
        Some(count) if count >= 1_000_000 => format!("{}M", count / 1_000_000),
        Some(count) => format!("{}k", count / 1_000),
    }
}
