//! `attractor.semanticDiff`.

use std::path::Path;
use std::sync::Arc;

use attractor_exec::LocalEnvironment;
use attractor_exec::git::{Commit, Git, GitError, Repository};
use attractor_ide::diff::{Section, Status};
use attractor_ide::document::Document;
use attractor_ide::semantic_diff::{LocatedChange, semantic_diff};

use crate::context;
use crate::errors::ServerError;
use crate::ext::commands::{SemanticChange, SemanticDiffArgs, SemanticDiffResult};
use crate::paths;
use crate::session::Session;
use attractor_proto::RequestContext;
use attractor_proto::RequestError;
use attractor_proto::to_proto;

/// What a document is compared with where the request does not say it.
const HEAD: &str = "HEAD";

/// A file in a commit.
struct OldVersion {
    /// The hash of the commit.
    commit: String,
    /// The path in the repository.
    path: String,
    /// The text; none if the commit does not have the file.
    text: Option<String>,
}

/// Compares a document with its version in a commit.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: SemanticDiffArgs,
) -> Result<SemanticDiffResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let revision = args.rev.as_deref().unwrap_or(HEAD);
    let old = match paths::path_of(&args.uri) {
        Some(file) => old_version(&file, revision).await?,
        None => None,
    };
    let old = old.ok_or_else(|| ServerError::NoRepository {
        uri: args.uri.as_str().to_owned(),
    })?;
    let compared = tokio::task::spawn_blocking(move || compare(&context, old)).await;
    Ok(compared.map_err(|_| RequestError::Internal)?)
}

/// The file in the commit; none if it is in no repository.
async fn old_version(file: &Path, revision: &str) -> Result<Option<OldVersion>, ServerError> {
    let failed = |error: GitError| ServerError::Git(error.to_string());
    let folder = file.parent().unwrap_or(file);
    let Some(repository) = Repository::discover(folder).map_err(failed)? else {
        return Ok(None);
    };
    let path = repository.path_inside(file);
    let path = path.map_err(|error| ServerError::Git(error.to_string()))?;
    let Some(path) = path else {
        return Ok(None);
    };
    let git = Git::new(&repository, &LocalEnvironment);
    let commit = Commit::find(git, revision).await.map_err(failed)?;
    let commit = commit.ok_or_else(|| ServerError::UnknownRevision {
        revision: revision.to_owned(),
    })?;
    let text = commit.file(&path).await.map_err(failed)?;
    Ok(Some(OldVersion {
        commit: commit.hash().to_owned(),
        path: path.display().to_string(),
        text,
    }))
}

fn compare(context: &RequestContext, old: OldVersion) -> SemanticDiffResult {
    let options = &context.document.options;
    let document = old.text.as_deref().map(|text| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Document::new(text, 0, options.clone(), context.files().as_ref())
    });
    let diff = semantic_diff(&old.path, document.as_ref(), &context.document);
    let changes = diff.changes.into_iter();
    SemanticDiffResult {
        commit: old.commit,
        old_text: old.text,
        status: match diff.status {
            Status::Added => "added",
            Status::Unchanged => "unchanged",
            Status::Changed | Status::Removed => "changed",
        }
        .to_owned(),
        changes: changes
            .map(|change| located(context, document.as_ref(), change))
            .collect(),
        markdown: diff.markdown,
    }
}

fn located(
    context: &RequestContext,
    old: Option<&Document>,
    change: LocatedChange,
) -> SemanticChange {
    let old_range = old.zip(change.old);
    let section = change.change.as_ref().map(|one| one.topic.section());
    SemanticChange {
        pipeline: change.pipeline,
        mark: change.mark.to_owned(),
        title: change.title,
        effect: section == Some(Section::Effects),
        old_range: old_range
            .map(|(old, range)| to_proto::document_range(old, context.encoding(), range)),
        range: change.new.map(|range| to_proto::range(context, range)),
    }
}
