//! The files of a run: of its nodes' attempts, and large values. Texts are redacted; nothing outside the folder of the
//! attempt is opened, whatever a name or a link in it says.

use std::io::{self, Read as _};
use std::path::Path as FilePath;

use attractor_exec::{RootDirectory, redactor};
use attractor_run::{ArtifactStore, NodeAttempt, stage_directory};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, header};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::runs::blocking;
use crate::shared::Shared;

/// The most bytes of a file that are sent; of a longer one the end.
const MOST: u64 = 8 * 1024 * 1024;

/// The most files of an attempt that are listed.
const MOST_FILES: usize = 1000;

/// Which attempt: a node of a sub-pipeline or of a parallel branch has that, too.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AttemptQuery {
    /// The sub-pipeline.
    graph: Option<String>,
    /// The parallel branch.
    branch: Option<String>,
}

/// The files of an attempt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StageFiles {
    /// Their names.
    files: Vec<String>,
}

type Text = ([(HeaderName, &'static str); 1], String);

/// `GET /pipelines/{id}/stages/{node}/{visit}/{attempt}`
pub(crate) async fn stage(
    State(shared): State<Shared>,
    Path((id, node, visit, attempt)): Path<(String, String, u32, u32)>,
    Query(query): Query<AttemptQuery>,
) -> Result<Json<StageFiles>, ApiError> {
    let run = shared.runs.find(&id)?;
    let folder = stage_directory(FilePath::new(""), &at(node, visit, attempt, query));
    blocking(move || {
        let unknown = || ApiError::not_found("attempt", &format!("{visit}-{attempt}"));
        let root = RootDirectory::open(&run.directory).map_err(|_| unknown())?;
        let entries = root.list(&folder, MOST_FILES);
        let (entries, _) = entries.map_err(|_| unknown())?;
        let names = entries
            .into_iter()
            .filter(|entry| root.open_file(&folder.join(&entry.name)).is_ok());
        let mut files: Vec<String> = names
            .filter_map(|entry| entry.name.into_string().ok())
            .collect();
        files.sort();
        Ok(Json(StageFiles { files }))
    })
    .await
}

/// `GET /pipelines/{id}/stages/{node}/{visit}/{attempt}/{file}`
pub(crate) async fn stage_file(
    State(shared): State<Shared>,
    Path((id, node, visit, attempt, file)): Path<(String, String, u32, u32, String)>,
    Query(query): Query<AttemptQuery>,
) -> Result<Text, ApiError> {
    let run = shared.runs.find(&id)?;
    let folder = stage_directory(FilePath::new(""), &at(node, visit, attempt, query));
    blocking(move || {
        let unknown = |_| ApiError::not_found("file", &file);
        let is_name = FilePath::new(&file)
            .file_name()
            .is_some_and(|name| name == &*file);
        if !is_name {
            return Err(unknown(io::ErrorKind::NotFound.into()));
        }
        let root = RootDirectory::open(&run.directory).map_err(unknown)?;
        let content = root
            .open_file(&folder.join(&file))
            .and_then(end_of)
            .map_err(unknown)?;
        Ok(plain(&String::from_utf8_lossy(&content)))
    })
    .await
}

/// `GET /pipelines/{id}/artifacts/{sha}`
pub(crate) async fn artifact(
    State(shared): State<Shared>,
    Path((id, sha)): Path<(String, String)>,
) -> Result<Text, ApiError> {
    let run = shared.runs.find(&id)?;
    blocking(move || {
        let text = ArtifactStore::of_run(&run.directory).get(&sha)?;
        text.map(|text| plain(&text))
            .ok_or_else(|| ApiError::not_found("artifact", &sha))
    })
    .await
}

fn at(node: String, visit: u32, attempt: u32, query: AttemptQuery) -> NodeAttempt {
    NodeAttempt {
        node,
        graph: query.graph,
        branch: query.branch,
        visit,
        attempt,
    }
}

/// The end of a file.
fn end_of(mut file: std::fs::File) -> io::Result<Vec<u8>> {
    use std::io::{Seek as _, SeekFrom};
    let length = file.metadata()?.len();
    if length > MOST {
        file.seek(SeekFrom::Start(length - MOST))?;
    }
    let mut content = Vec::new();
    file.take(MOST).read_to_end(&mut content)?;
    Ok(content)
}

fn plain(text: &str) -> Text {
    let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
    ([kind], redactor([]).text(text).into_owned())
}
