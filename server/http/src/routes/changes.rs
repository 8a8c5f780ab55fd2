//! What a run, or one of its nodes, changed in the files.

use attractor_exec::Redactor;
use attractor_run::{FileDiff, changes_of_node, changes_of_run};
use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;

use crate::error::ApiError;
use crate::runs::blocking;
use crate::shared::Shared;

/// Files that differ, by path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownChanges {
    /// The visit this is about; 0 for a whole run.
    visit: u32,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::file_diffs"))]
    files: Vec<FileDiff>,
}

/// `GET /pipelines/{id}/diff`
pub(crate) async fn diff(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<ShownChanges>, ApiError> {
    changes(&shared, &id, None).await
}

/// `GET /pipelines/{id}/diff/{node}`: of a node, or of one of its visits, `NODE@VISIT`.
pub(crate) async fn diff_of_node(
    State(shared): State<Shared>,
    Path((id, node)): Path<(String, String)>,
) -> Result<Json<ShownChanges>, ApiError> {
    changes(&shared, &id, Some(node)).await
}

async fn changes(
    shared: &Shared,
    id: &str,
    node: Option<String>,
) -> Result<Json<ShownChanges>, ApiError> {
    let run = shared.runs.find(id)?;
    run.check_stored()?;
    let directory = run.directory;
    blocking(move || {
        let changes = match node.as_deref().map(node_and_visit) {
            None => changes_of_run(&directory),
            Some((node, visit)) => changes_of_node(&directory, node, visit),
        };
        let changes = changes?;
        let redactor = Redactor::with([]);
        let mut files = changes.diffs()?;
        for file in &mut files {
            if let Some(diff) = &mut file.diff {
                *diff = redactor.text(diff).into_owned();
            }
        }
        Ok(Json(ShownChanges {
            visit: changes.visit,
            files,
        }))
    })
    .await
}

/// A node and its visit: `NODE@VISIT`.
fn node_and_visit(node: &str) -> (&str, Option<u32>) {
    let with_visit = node.rsplit_once('@');
    let with_visit = with_visit.and_then(|(name, visit)| Some((name, visit.parse().ok()?)));
    match with_visit {
        Some((name, visit)) => (name, Some(visit)),
        None => (node, None),
    }
}
