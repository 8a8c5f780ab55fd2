//! `attractor models`: the catalogue of language models.

mod check;

use attractor::Providers;
use attractor_models::{Catalogue, Model};
use serde_json::json;

use super::ListFormat;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::table;

/// List language models, including those in the configuration
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor models                                      all models, with prices per million tokens
  attractor models -v                                   also the days on which the prices were verified
  attractor models --check                              compare with what providers list
  attractor models --format json | jq '.models[].id'    their names")]
pub struct Models {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
    /// Print when prices were last compared with the provider's
    #[arg(short, long)]
    verbose: bool,
    /// Compare with the lists of the providers that have a key, which costs nothing
    #[arg(long)]
    check: bool,
}

impl Models {
    /// Prints the catalogue.
    pub fn run(self) -> Result<Exit, Error> {
        let here = std::env::current_dir().unwrap_or_default();
        let configuration = configuration::read(&here);
        let declared = configuration.models().declared;
        let catalogue = Catalogue::shipped().with_all(&declared);
        if self.check {
            let providers = Providers::from_environment(&configuration);
            return check::run(&catalogue, &providers, self.format);
        }
        match self.format {
            ListFormat::Json => {
                let models: Vec<&Model> = catalogue.models().map(AsRef::as_ref).collect();
                console::json(&json!({"providers": catalogue.providers(), "models": models}))?;
            }
            ListFormat::Human => {
                let mut headings = vec![
                    "MODEL", "PROVIDER", "CONTEXT", "OUTPUT", "$ IN/OUT", "RETIRES", "ALIASES",
                ];
                if self.verbose {
                    headings.insert(VERIFIED, "VERIFIED");
                }
                let rows = catalogue.models().map(|model| {
                    let mut row = row(model);
                    if self.verbose {
                        row.insert(VERIFIED, verified(model));
                    }
                    row
                });
                console::print(&table::draw(&headings, rows))?;
            }
        }
        Ok(Exit::Success)
    }
}

/// The column with the day on which a price was verified.
const VERIFIED: usize = 5;

fn verified(model: &Model) -> String {
    match model.price.map(|price| price.verified) {
        Some(Some(date)) => date.to_string(),
        Some(None) => "not verified".to_owned(),
        None => String::new(),
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
