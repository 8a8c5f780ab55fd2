//! Why a pipeline is refused, with what the validator says.

use attractor::{Error, has_errors, validate_dot_file};
use attractor_model::Diagnostic;
use attractor_run::RunError;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::pipeline_source::PipelineFile;

/// A refusal with what the validator says; only a pipeline that is refused is read once more for it.
pub(crate) fn refused(error: &Error, file: &PipelineFile) -> ApiError {
    let text = std::fs::read_to_string(&file.path).unwrap_or_default();
    let diagnostics = validate_dot_file(&file.path).unwrap_or_default();
    let message = match error {
        _ if has_errors(&diagnostics) => "the pipeline has errors".to_owned(),
        Error::Run(RunError::MissingInputs { pipeline, missing }) => {
            let missing = missing.join("`, `");
            format!("pipeline `{pipeline}` requires the inputs `{missing}`; give each in `inputs`")
        }
        // The sender does not know the folder.
        error => {
            let path = file.path.display().to_string();
            error.to_string().replace(&path, &file.name)
        }
    };
    let shown = diagnostics.iter().map(|one| diagnostic(one, &text));
    ApiError::invalid(message).with("diagnostics", Value::Array(shown.collect()))
}

/// A diagnostic with its place: lines and columns from 1, columns in characters.
pub(crate) fn diagnostic(one: &Diagnostic, text: &str) -> Value {
    let before = text.get(..one.range.start()).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    json!({
        "rule": one.rule,
        "severity": one.severity,
        "message": one.message,
        "line": line,
        "column": column,
        "node": one.node,
        "fixes": one.fixes.iter().map(|fix| fix.title.as_str()).collect::<Vec<_>>(),
    })
}
