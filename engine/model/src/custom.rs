//! Handlers the configuration declares: `[handlers.NAME]` with a command and typed attributes.
//!
//! ```toml
//! [handlers.deploy]
//! doc = "Rolls the image out."
//! command = ["python3", "deploy.py"]
//! sets = ["deployed"]
//! attributes = [{ name = "replicas", type = "integer", required = true }]
//! ```

use serde::{Deserialize, Serialize};

use crate::catalogue::AttrType;

/// A handler the configuration declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomHandler {
    /// The name nodes write in `handler`.
    #[serde(default)]
    pub name: String,
    /// The program and its arguments. It reads a JSON object from standard input and writes the outcome to standard
    /// output.
    #[serde(default)]
    pub command: Vec<String>,
    /// One sentence for completion and hover.
    #[serde(default)]
    pub doc: String,
    /// Its attributes.
    #[serde(default)]
    pub attributes: Vec<CustomAttribute>,
    /// Context keys it sets.
    #[serde(default)]
    pub sets: Vec<String>,
    /// The folder its command runs in: that of the project that declares it. `None` is the folder of the run.
    #[serde(skip)]
    pub folder: Option<String>,
}

/// An attribute of a custom handler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomAttribute {
    /// Its name.
    pub name: String,
    /// What values it takes.
    #[serde(default, rename = "type")]
    pub ty: CustomType,
    /// One sentence for completion and hover.
    #[serde(default)]
    pub doc: String,
    /// A node without it is an error.
    #[serde(default)]
    pub required: bool,
}

/// What values an attribute of a custom handler takes, and how its command reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CustomType {
    /// Any text; JSON text.
    #[default]
    String,
    /// `true` or `false`; a JSON boolean.
    Boolean,
    /// A whole number; a JSON number.
    Integer,
    /// A number.
    Float,
    /// A duration such as `30s`, as text.
    Duration,
    /// Items by comma; a JSON array of text.
    List,
    /// A path, as text.
    Path,
    /// A node of the same graph, as text.
    Node,
    /// JSON, as it is.
    Json,
}

impl CustomType {
    /// Every type.
    pub const ALL: [Self; 9] = [
        Self::String,
        Self::Boolean,
        Self::Integer,
        Self::Float,
        Self::Duration,
        Self::List,
        Self::Path,
        Self::Node,
        Self::Json,
    ];

    /// The word of the configuration file.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Duration => "duration",
            Self::List => "list",
            Self::Path => "path",
            Self::Node => "node",
            Self::Json => "json",
        }
    }

    /// How values are checked.
    pub fn checked_as(self) -> AttrType {
        match self {
            Self::String | Self::Json => AttrType::Text,
            Self::Boolean => AttrType::Bool,
            Self::Integer => AttrType::Int { min: i64::MIN },
            Self::Float => AttrType::Float {
                min: f64::MIN,
                max: f64::MAX,
            },
            Self::Duration => AttrType::Duration,
            Self::List => AttrType::List,
            Self::Path => AttrType::Path { must_exist: false },
            Self::Node => AttrType::Node,
        }
    }
}

impl CustomHandler {
    /// The attribute of that name, if the handler declares it.
    pub fn attribute(&self, name: &str) -> Option<&CustomAttribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// Whether the handler declares an attribute of that name.
    pub fn declares(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }
}
