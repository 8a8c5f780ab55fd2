//! A pipeline of the project that nobody has approved: what it runs, for a person to read, and its start once they have
//! approved it.

use std::sync::Arc;

use attractor::{Approval, ApprovalKey, Approvals};
use axum::http::StatusCode;
use serde_json::Value;

use crate::allowed_run::AllowedRun;
use crate::error::ApiError;
use crate::runs::{Started, blocking};

/// A run that waits for the approval of a person.
pub(crate) struct Unapproved {
    run: AllowedRun,
    key: ApprovalKey,
    approvals: Arc<Approvals>,
}

impl Unapproved {
    /// The run, if its pipeline is approved as it is now. Nothing of a dry run is executed, so nobody is asked. Reads
    /// files.
    pub(crate) fn check(
        run: AllowedRun,
        approvals: Arc<Approvals>,
    ) -> Result<AllowedRun, Box<Self>> {
        if run.is_dry {
            return Ok(run);
        }
        let key = run.run.approval_key();
        if approvals.allow(&key) {
            return Ok(run);
        }
        Err(Box::new(Self {
            run,
            key,
            approvals,
        }))
    }

    /// What the file is called by who wants to start it.
    pub(crate) fn file(&self) -> &str {
        &self.run.file.name
    }

    /// The pipeline's name.
    pub(crate) fn pipeline(&self) -> &str {
        &self.key.graph
    }

    /// The hash over everything that decides what the pipeline does.
    pub(crate) fn digest(&self) -> &str {
        &self.key.digest
    }

    /// Everything a run of it can do, as Markdown.
    pub(crate) fn document(&self) -> &str {
        &self.key.document
    }

    /// Whether a person has approved another version of it.
    pub(crate) fn has_changed(&self) -> bool {
        self.approvals.before(&self.key) == Approval::AnotherVersion
    }

    /// Starts the run, which a person has approved once.
    pub(crate) async fn start(self) -> Result<Started, ApiError> {
        let Self {
            run,
            key,
            approvals,
        } = self;
        blocking(move || {
            let stored = approvals.approve_once(&key);
            stored.map_err(|error| ApiError::internal(error.to_string()))
        })
        .await?;
        run.start().await
    }

    /// Starts the run if `approve` is the digest of what it runs, else shows that.
    pub(crate) async fn approved_by(self, approve: Option<&str>) -> Result<Started, ApiError> {
        match approve {
            Some(digest) if digest == self.digest() => self.start().await,
            stale => Err(self.refusal(stale.is_some())),
        }
    }

    /// The refusal, with everything that a person has to read.
    fn refusal(&self, is_stale: bool) -> ApiError {
        let problem = if is_stale {
            "has changed since it was approved"
        } else {
            "has not been approved"
        };
        let message = format!(
            "what the pipeline `{}` of {} runs {problem}; have a person read `document`, then send the request again with \
             `approve` set to `digest`",
            self.pipeline(),
            self.file(),
        );
        let refusal = ApiError::new(StatusCode::CONFLICT, "consent_required", message)
            .with("digest", Value::from(self.digest()))
            .with("document", Value::from(self.document()));
        match self.approvals.diff_since_approved(&self.key) {
            Some(diff) if self.has_changed() => refusal.with("changes", Value::from(diff)),
            _ => refusal,
        }
    }
}
