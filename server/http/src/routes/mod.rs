//! The paths: one function each.

pub(crate) mod changes;
pub(crate) mod control;
mod documents;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod fork;
pub(crate) mod graph;
mod page;
pub(crate) mod pipelines;
pub(crate) mod project;
pub(crate) mod questions;
pub(crate) mod run_changes;
pub(crate) mod session;

use axum::http::{Method, StatusCode, Uri};

pub(crate) use changes::{diff, diff_of_node};
pub(crate) use control::{cancel, pause, proceed, resume, steer};
pub(crate) use documents::openapi;
pub(crate) use events::events;
pub(crate) use files::{artifact, stage, stage_file};
pub(crate) use fork::fork;
pub(crate) use graph::graph;
pub(crate) use page::{asset, index};
pub(crate) use pipelines::{checkpoint, context, health, list, show, submit};
pub(crate) use project::project_pipelines;
pub(crate) use questions::{answer, questions};
pub(crate) use run_changes::run_changes;
pub(crate) use session::{log_in, log_out};

use crate::error::ApiError;

/// No such path.
pub(crate) async fn unknown_path(uri: Uri) -> ApiError {
    ApiError::not_found("path", uri.path())
}

/// The path has other methods; the answer names them in `Allow`.
pub(crate) async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("{} does not take {method}", uri.path());
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        message,
    )
}
