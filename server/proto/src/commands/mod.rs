//! Commands that read documents only, one file each. The native server has others that read files and run pipelines.

pub mod explain;
pub mod graph;
pub mod validate;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::errors::RequestError;

/// The name of a command and what it takes.
#[derive(Debug, Clone, Copy)]
pub struct CommandShape {
    /// Its name on the wire.
    pub name: &'static str,
    /// The shape of its argument, for error messages.
    pub takes: &'static str,
}

impl CommandShape {
    /// Reads the argument.
    pub fn read<T: DeserializeOwned>(&self, argument: Value) -> Result<T, RequestError> {
        serde_json::from_value(argument).map_err(|error| RequestError::BadArgument {
            command: self.name.to_owned(),
            takes: self.takes,
            reason: error.to_string(),
        })
    }
}

/// The names of commands, for [`RequestError::UnknownCommand`].
pub fn known_commands(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
