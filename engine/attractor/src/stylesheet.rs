//! Stylesheets from outside of a pipeline.

use std::path::Path;

use attractor_lang::stylesheet::{Stylesheet, parse_file};
use attractor_model::catalogue::StyleProperties;

use crate::error::{Error, ParseError};

/// Rules that choose models, timeouts and other attributes of nodes, applied after the pipeline's own stylesheet. A
/// node's own attributes are stronger.
///
/// ```
/// use attractor::ModelStylesheet;
///
/// let css = ModelStylesheet::parse("codergen { model: large } #review { timeout: 5m }").unwrap();
/// let list = r#"{"rules": [{"handler_type": "codergen", "model": "large"}]}"#;
/// let list = ModelStylesheet::parse(list).unwrap();
/// assert_eq!((css.len(), list.len()), (2, 1));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelStylesheet(Stylesheet);

impl ModelStylesheet {
    /// Reads rules: CSS, or a rule list as JSON, YAML or TOML.
    ///
    /// # Errors
    /// The text has an error.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::named("", text)
    }

    /// Reads a file; its ending decides between CSS, JSON, YAML and TOML.
    ///
    /// # Errors
    /// The file cannot be read, or has an error.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| ParseError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Self::named(&path.display().to_string(), &text)
    }

    fn named(name: &str, text: &str) -> Result<Self, Error> {
        let (sheet, errors) = parse_file(name, text, &StyleProperties);
        match errors.into_iter().next() {
            None => Ok(Self(sheet)),
            Some(error) => Err(Error::Stylesheet {
                message: error.message,
                at: error.range.start,
            }),
        }
    }

    /// The number of rules.
    pub fn len(&self) -> usize {
        self.0.rules.len()
    }

    /// Whether it has no rules.
    pub fn is_empty(&self) -> bool {
        self.0.rules.is_empty()
    }

    pub(crate) fn into_rules(self) -> Stylesheet {
        self.0
    }
}
