//! `workspace/executeCommand`: one file per command under [`crate::commands`].

use std::sync::Arc;

use lsp_types::{ExecuteCommandParams, LSPAny};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower_lsp::jsonrpc::Result;

use crate::commands;
use crate::errors::ServerError;
use crate::ext::commands::{COMMANDS, Command, CommandRow, ProvidersArgs};
use crate::session::Session;
use attractor_proto::RequestError;
use attractor_proto::commands::explain::explain;
use attractor_proto::commands::known_commands;

/// Finds the command, reads its argument, answers.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: ExecuteCommandParams,
) -> Result<Option<LSPAny>> {
    let Some(row) = COMMANDS.iter().find(|row| row.name == params.command) else {
        let known = known_commands(COMMANDS.iter().map(|row| row.name));
        return Err(ServerError::from(RequestError::UnknownCommand {
            command: params.command,
            known,
        })
        .into());
    };
    let argument = params
        .arguments
        .into_iter()
        .next()
        .unwrap_or_else(|| LSPAny::Object(serde_json::Map::new()));
    let protocol = session.notifier.features().protocol;
    run(session, row, argument)
        .await
        .map(|result| Some(protocol.translated(result)))
        .map_err(Into::into)
}

async fn run(
    session: &Arc<Session>,
    row: &CommandRow,
    argument: LSPAny,
) -> std::result::Result<LSPAny, ServerError> {
    match row.command {
        Command::Run => answer(commands::run::handle(session, read(row, argument)?).await?),
        Command::Inputs => answer(commands::inputs::handle(session, read(row, argument)?).await?),
        Command::Resume => answer(commands::resume::handle(session, read(row, argument)?).await?),
        Command::Fork => answer(commands::fork::handle(session, read(row, argument)?).await?),
        Command::Cancel => answer(commands::cancel::handle(session, read(row, argument)?).await?),
        Command::Answer => answer(commands::answer::handle(session, read(row, argument)?).await?),
        Command::Steer => answer(commands::steer::handle(session, read(row, argument)?).await?),
        Command::Diff => answer(commands::diff::handle(session, read(row, argument)?).await?),
        Command::Revert => answer(commands::revert::handle(session, read(row, argument)?).await?),
        Command::Providers => {
            let ProvidersArgs {} = read(row, argument)?;
            answer(commands::providers::handle(session).await?)
        }
        Command::Runs => answer(commands::list::handle(session, read(row, argument)?).await?),
        Command::Report => answer(commands::report::handle(session, read(row, argument)?).await?),
        Command::Events => answer(commands::events::handle(session, read(row, argument)?).await?),
        Command::Log => answer(commands::log::handle(session, read(row, argument)?).await?),
        Command::Graph => answer(commands::graph::handle(session, read(row, argument)?).await?),
        Command::Consent => answer(commands::consent::handle(session, read(row, argument)?).await?),
        Command::Trust => answer(commands::trust::handle(session, read(row, argument)?).await?),
        Command::Validate => {
            answer(commands::validate::handle(session, read(row, argument)?).await?)
        }
        Command::Test => answer(commands::test::handle(session, read(row, argument)?).await?),
        Command::Ways => answer(commands::ways::handle(session, read(row, argument)?).await?),
        Command::SemanticDiff => {
            answer(commands::semantic_diff::handle(session, read(row, argument)?).await?)
        }
        Command::New => answer(commands::new::handle(session, read(row, argument)?)?),
        Command::Explain => answer(explain(read(row, argument)?)?),
    }
}

fn read<T: DeserializeOwned>(
    row: &CommandRow,
    argument: LSPAny,
) -> std::result::Result<T, ServerError> {
    let read = serde_json::from_value(argument).map_err(|error| RequestError::BadArgument {
        command: row.name.to_owned(),
        takes: row.takes,
        reason: error.to_string(),
    });
    Ok(read?)
}

fn answer<T: Serialize>(result: T) -> std::result::Result<LSPAny, ServerError> {
    Ok(serde_json::to_value(result).map_err(|_| RequestError::Internal)?)
}
