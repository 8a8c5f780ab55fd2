//! `GET /pipelines/{id}/graph`: the graph of a run, coloured by its state.

use std::path::Path as FilePath;

use attractor_exec::redactor;
use attractor_run::StoredSources;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::drawing::{Drawn, Sources, draw};
use crate::error::ApiError;
use crate::protocol::ClientProtocol;
use crate::runs::blocking;
use crate::shared::Shared;

/// The media type of DOT.
const DOT: &str = "text/vnd.graphviz";

/// The form of the graph.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GraphQuery {
    /// `source` is the text of the pipeline as it was when the run began.
    #[serde(default)]
    format: GraphFormat,
    /// A pipeline that the run calls, as `sub_pipeline` of its node names it.
    graph: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum GraphFormat {
    #[default]
    Svg,
    Dot,
    Json,
    Source,
}

/// `GET /pipelines/{id}/graph`
pub(crate) async fn graph(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(query): Query<GraphQuery>,
    protocol: ClientProtocol,
) -> Result<Response, ApiError> {
    let run = shared.runs.find(&id)?;
    if matches!(query.format, GraphFormat::Source) {
        let text = blocking(move || source(&run.source())).await?;
        return Ok(([(header::CONTENT_TYPE, DOT)], text).into_response());
    }
    let snapshot = run.snapshot().await?;
    let drawn = blocking(move || {
        let sources = Sources {
            file: run.source(),
            called: StoredSources::of(&run.directory),
        };
        draw(&sources, &snapshot, query.graph.as_deref())
    })
    .await?;
    Ok(match query.format {
        GraphFormat::Svg => {
            let svg = blocking(move || svg(&drawn)).await?;
            ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
        }
        GraphFormat::Dot | GraphFormat::Source => {
            ([(header::CONTENT_TYPE, DOT)], drawn.dot_with_states).into_response()
        }
        GraphFormat::Json => protocol.answer(drawn)?,
    })
}

/// The text of a pipeline, secrets masked.
fn source(file: &FilePath) -> Result<String, ApiError> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        ApiError::internal(format!("cannot read the pipeline of the run: {error}"))
    })?;
    Ok(redactor([]).text(&text).into_owned())
}

fn svg(drawn: &Drawn) -> Result<String, ApiError> {
    drawn.svg().map_err(|reason| {
        ApiError::new(
            StatusCode::NOT_IMPLEMENTED,
            "no_graphviz",
            format!("{reason}; `?format=dot` and `?format=json` need no Graphviz"),
        )
    })
}
