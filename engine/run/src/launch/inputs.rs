//! The inputs of a run: what a pipeline declares, and values that were written as text, on the command line or in a form
//! of an editor.

use std::collections::BTreeMap;

use attractor_exec::{is_secret, redactor};
use attractor_lang::lists::variables;
use attractor_model::Pipeline;
use serde_json::Value;

use crate::error::RunError;

/// An input that a pipeline declares with `vars`.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredInput {
    /// Its name.
    pub name: String,
    /// The value without one that is given; an input without a default is required.
    pub default: Option<Value>,
    /// Whether its name says that it is a secret: it is not stored.
    pub secret: bool,
}

/// The inputs of a pipeline, in the order of its `vars`.
pub fn declared_inputs(pipeline: &Pipeline) -> Vec<DeclaredInput> {
    let declared = pipeline.attributes.text("vars").unwrap_or_default();
    let input = |variable: attractor_lang::lists::Variable| DeclaredInput {
        secret: is_secret(&variable.name, "", &redactor([])),
        default: variable
            .default
            .map(|default| attractor_lang::Value::read(&default).to_json()),
        name: variable.name,
    };
    variables(declared).0.into_iter().map(input).collect()
}

/// Checks that all inputs are given that a pipeline requires.
///
/// # Errors
/// [`RunError::MissingInputs`] with those that are not.
pub fn check_inputs(pipeline: &Pipeline, inputs: &BTreeMap<String, Value>) -> Result<(), RunError> {
    let required = declared_inputs(pipeline).into_iter();
    let missing: Vec<String> = required
        .filter(|input| input.default.is_none() && !inputs.contains_key(&input.name))
        .map(|input| input.name)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(RunError::MissingInputs {
        pipeline: pipeline.name.clone(),
        missing,
    })
}

/// The value of an input that was written as text, the same for every caller: `false`, `8` and `[1, 2]` are what
/// they name (see [`attractor_lang::Value::read`]). A secret is opaque and stays as it was written.
///
/// ```
/// use attractor_run::read_input;
/// assert_eq!(read_input("deploy", "no"), false);
/// assert_eq!(read_input("score", "8"), 8);
/// assert_eq!(read_input("api_token", "8"), "8");
/// ```
pub fn read_input(name: &str, written: &str) -> Value {
    if is_secret(name, written, &redactor([])) {
        return Value::from(written);
    }
    attractor_lang::Value::read(written).to_json()
}
