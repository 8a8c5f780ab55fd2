//! Which pipeline a client means: a text, or a file of the project.

use std::path::PathBuf;

use serde::Deserialize;

/// Which pipeline a client means.
#[derive(Debug, Deserialize)]
#[serde(try_from = "SourceFields")]
pub(crate) enum PipelineSource {
    /// A DOT text.
    Text(String),
    /// The path of a file of the project.
    File(String),
}

/// The same, as it is sent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFields {
    dot: Option<String>,
    path: Option<String>,
}

/// The file of a pipeline to start.
#[derive(Clone)]
pub(crate) struct PipelineFile {
    pub(crate) path: PathBuf,
    /// What its sender calls it.
    pub(crate) name: String,
}

impl PipelineSource {
    /// The source that the two fields name.
    pub(crate) fn of(dot: Option<String>, path: Option<String>) -> Result<Self, &'static str> {
        match (dot, path) {
            (Some(text), None) => Ok(Self::Text(text)),
            (None, Some(path)) => Ok(Self::File(path)),
            _ => Err("expected either `dot` or `path`"),
        }
    }
}

impl TryFrom<SourceFields> for PipelineSource {
    type Error = &'static str;

    fn try_from(fields: SourceFields) -> Result<Self, Self::Error> {
        Self::of(fields.dot, fields.path)
    }
}
