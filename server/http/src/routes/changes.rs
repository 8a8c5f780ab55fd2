//! What a run, or one of its nodes, changed in the files.

use attractor_exec::redactor;
use attractor_run::{FileDiff, changes_of_node, changes_of_run};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::runs::blocking;
use crate::shared::Shared;

/// Files that differ, by path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownChanges {
    /// The visit this is about; 0 for a whole run.
    visit: u32,
    files: Vec<ShownFile>,
}

/// A file that differs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownFile {
    #[serde(flatten)]
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::file_diff"))]
    file: FileDiff,
    /// The whole text before, with `contents`; none of an added file, and where it is not text or not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    /// The whole text after, with `contents`; none of a deleted file, and likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

/// What is shown of changes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChangesQuery {
    /// Whether the whole texts before and after are shown, too.
    #[serde(default)]
    contents: bool,
}

/// `GET /pipelines/{id}/diff`
pub(crate) async fn diff(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(query): Query<ChangesQuery>,
) -> Result<Json<ShownChanges>, ApiError> {
    changes(&shared, &id, None, query).await
}

/// `GET /pipelines/{id}/diff/{node}`: of a node, or of one of its visits, `NODE@VISIT`.
pub(crate) async fn diff_of_node(
    State(shared): State<Shared>,
    Path((id, node)): Path<(String, String)>,
    Query(query): Query<ChangesQuery>,
) -> Result<Json<ShownChanges>, ApiError> {
    changes(&shared, &id, Some(node), query).await
}

async fn changes(
    shared: &Shared,
    id: &str,
    node: Option<String>,
    query: ChangesQuery,
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
        let secrets = redactor([]);
        let masked = |text: String| secrets.text(&text).into_owned();
        let files = changes.diffs()?.into_iter().map(|mut file| {
            file.diff = file.diff.take().map(masked);
            let text = |text: Option<String>| text.filter(|_| query.contents).map(masked);
            ShownFile {
                before: text(file.before.take()),
                after: text(file.after.take()),
                file,
            }
        });
        Ok(Json(ShownChanges {
            visit: changes.visit,
            files: files.collect(),
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
