//! `attractor.inputs`.

use std::sync::Arc;

use attractor_run::{DeclaredInput, RunSummary, declared_inputs, inputs_of, newest_run};
use serde_json::Value;

use crate::context;
use crate::errors::ServerError;
use crate::ext::commands::{Input, InputType, InputsArgs, InputsResult};
use crate::paths;
use crate::runs::prepare::choose;
use crate::session::Session;
use attractor_proto::RequestError;

/// The inputs of a pipeline, with the values of its newest run. Reads the disk off the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: InputsArgs,
) -> Result<InputsResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let pipeline = choose(&context, args.graph.as_deref())?;
    let declared = declared_inputs(&pipeline);
    let graph = pipeline.name.clone();
    if declared.is_empty() {
        return Ok(InputsResult {
            graph,
            inputs: Vec::new(),
        });
    }
    let (workspace, file) = (Arc::clone(&session.workspace), paths::path_of(&args.uri));
    let read = move || {
        let last = file.and_then(|file| {
            let is_of = |run: &RunSummary| {
                run.pipeline == pipeline.name && paths::same_file(&run.path, &file)
            };
            let newest = newest_run(&workspace.runs_dir(&file), is_of)?;
            inputs_of(&newest.directory).ok()
        });
        let last = last.unwrap_or_default();
        let input = |declared: DeclaredInput| {
            let last = last.get(&declared.name).cloned();
            let required = declared.default.is_none();
            Input {
                kind: declared.default.as_ref().and_then(InputType::of),
                required,
                secret: declared.secret,
                default: declared.default,
                last: last
                    .filter(|_| !declared.secret)
                    .map(|last| if required { as_written(last) } else { last }),
                name: declared.name,
            }
        };
        declared.into_iter().map(input).collect()
    };
    let inputs = tokio::task::spawn_blocking(read).await;
    let inputs = inputs.map_err(|_| RequestError::Internal)?;
    Ok(InputsResult { graph, inputs })
}

/// The text of a value, which is read as the same value again: `2.0` would be `2` in a client's numbers.
fn as_written(value: Value) -> Value {
    match value {
        Value::String(_) => value,
        other => Value::String(other.to_string()),
    }
}
