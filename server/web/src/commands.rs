//! `workspace/executeCommand`: the commands that need no file, no run and no client.

use attractor_proto::commands::explain::{EXPLAIN, explain};
use attractor_proto::commands::graph::{GRAPH, GraphArgs, graph};
use attractor_proto::commands::validate::{VALIDATE, ValidateArgs, validate};
use attractor_proto::commands::{CommandShape, known_commands};
use attractor_proto::{RequestContext, RequestError};
use lsp_types::{ExecuteCommandParams, Uri};
use serde::Serialize;
use serde_json::{Map, Value};

/// Finds the context of an open document.
pub(crate) type FindContext<'s> = &'s dyn Fn(&Uri) -> Option<RequestContext>;
type Answer = fn(FindContext<'_>, Value) -> Result<Value, RequestError>;

/// A command and what answers it.
const COMMANDS: [(CommandShape, Answer); 3] = [
    (EXPLAIN, |_, argument| {
        json(explain(EXPLAIN.read(argument)?)?)
    }),
    (GRAPH, |context, argument| {
        let GraphArgs { uri, graph: name } = GRAPH.read(argument)?;
        let context = context(&uri).ok_or_else(|| not_open(&uri))?;
        json(graph(&context, name.as_deref(), |_| None)?)
    }),
    (VALIDATE, |context, argument| {
        let ValidateArgs { uri } = VALIDATE.read(argument)?;
        let context = context(&uri).ok_or_else(|| not_open(&uri))?;
        json(validate(&context)?)
    }),
];

/// The names of the commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(shape, _)| shape.name)
}

/// Finds the command, reads its argument, answers.
pub(crate) fn execute(
    context: FindContext<'_>,
    params: ExecuteCommandParams,
) -> Result<Value, RequestError> {
    let mut commands = COMMANDS.iter();
    let Some((_, answer)) = commands.find(|(shape, _)| shape.name == params.command) else {
        return Err(RequestError::UnknownCommand {
            command: params.command,
            known: known_commands(names()),
        });
    };
    let argument = params.arguments.into_iter().next();
    answer(
        context,
        argument.unwrap_or_else(|| Value::Object(Map::new())),
    )
}

fn not_open(uri: &Uri) -> RequestError {
    RequestError::Unreadable {
        uri: uri.as_str().to_owned(),
        reason: "it is not open".to_owned(),
    }
}

fn json<T: Serialize>(result: T) -> Result<Value, RequestError> {
    serde_json::to_value(result).map_err(|_| RequestError::Internal)
}
