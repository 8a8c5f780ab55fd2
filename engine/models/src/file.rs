//! The catalogue's file format: TOML with `[[provider]]` and `[[model]]` tables, every key of a model optional.

use serde::Deserialize;

use crate::model::{Input, Model, PromptCache, Reasoning, Sampling};
use crate::{CatalogueError, Date, Price, Provider};

/// A catalogue file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    #[serde(default)]
    pub(crate) provider: Vec<Provider>,
    #[serde(default)]
    pub(crate) model: Vec<Entry>,
}

impl File {
    pub(crate) fn parse(text: &str) -> Result<Self, CatalogueError> {
        toml::from_str(text).map_err(|error| CatalogueError::Syntax(error.to_string()))
    }
}

/// What a file sets of one model.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) like: Option<String>,
    pub(crate) provider: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) aliases: Option<Vec<String>>,
    pub(crate) context_window: Option<u64>,
    pub(crate) max_input: Option<u64>,
    pub(crate) max_output: Option<u64>,
    pub(crate) input: Option<Vec<Input>>,
    pub(crate) tools: Option<bool>,
    pub(crate) streaming: Option<bool>,
    pub(crate) structured_output: Option<bool>,
    pub(crate) structured_output_with_tools: Option<bool>,
    pub(crate) sampling: Option<Sampling>,
    pub(crate) reasoning: Option<Reasoning>,
    pub(crate) cache: Option<PromptCache>,
    pub(crate) price: Option<Price>,
    pub(crate) released: Option<Date>,
    pub(crate) retires: Option<Date>,
    pub(crate) successor: Option<String>,
}

impl Entry {
    /// Puts what the entry sets in place of what the model has.
    pub(crate) fn apply(self, model: &mut Model) {
        set(&mut model.provider, self.provider);
        set(&mut model.name, self.name);
        set(&mut model.summary, self.summary);
        set(&mut model.aliases, self.aliases);
        set_some(&mut model.context_window, self.context_window);
        set_some(&mut model.max_input, self.max_input);
        set_some(&mut model.max_output, self.max_output);
        set(&mut model.input, self.input);
        set(&mut model.tools, self.tools);
        set(&mut model.streaming, self.streaming);
        set(&mut model.structured_output, self.structured_output);
        set(
            &mut model.structured_output_with_tools,
            self.structured_output_with_tools,
        );
        set(&mut model.sampling, self.sampling);
        set(&mut model.reasoning, self.reasoning);
        set(&mut model.cache, self.cache);
        set_some(&mut model.price, self.price);
        set_some(&mut model.released, self.released);
        set_some(&mut model.retires, self.retires);
        set_some(&mut model.successor, self.successor);
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn set_some<T>(place: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *place = value;
    }
}
