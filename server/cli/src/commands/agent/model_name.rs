//! The name of a model that a person gives.

use attractor_config::Configuration;
use attractor_model::ModelName;

use crate::error::Error;

/// Refuses a model whose name is a typo of another one, as `run` does.
pub fn check_model(
    model: Option<&str>,
    provider: Option<&str>,
    configuration: &Configuration,
) -> Result<(), Error> {
    let Some(model) = model else {
        return Ok(());
    };
    let own = &configuration.models().declared;
    match ModelName::of(model, provider, own).typo_problem(model) {
        Some(problem) => Err(Error::UnknownModel { problem }),
        None => Ok(()),
    }
}
