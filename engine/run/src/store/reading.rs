//! How the text of a run was read: what of the caller's options decides what its pipeline means.

use attractor_lang::stylesheet::Stylesheet;
use attractor_model::{CustomHandler, DialectChoice, FileKind, Options};
use serde::{Deserialize, Serialize};

/// The options that change the meaning of a text. Those that only change diagnostics are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", default)]
pub(crate) struct ReadingOptions {
    dialect: DialectChoice,
    kind: FileKind,
    custom_handlers: Vec<CustomHandler>,
    stylesheet: Stylesheet,
}

impl ReadingOptions {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn of(options: &Options) -> Self {
        let mut custom_handlers = options.custom_handlers.clone();
        for handler in &mut custom_handlers {
            // Where its command runs does not change what the text means, and is not stored.
            handler.folder = None;
        }
        Self {
            dialect: options.dialect,
            kind: options.kind,
            custom_handlers,
            stylesheet: options.stylesheet.clone(),
        }
    }

    /// The same as options for a text that is at `path`.
    pub(crate) fn options(&self, path: Option<String>) -> Options {
        Options {
            path,
            dialect: self.dialect,
            kind: self.kind,
            custom_handlers: self.custom_handlers.clone(),
            stylesheet: self.stylesheet.clone(),
            ..Options::default()
        }
    }
}
