//! Who sends a request: what is for people is not taken from a command of the run that it concerns.

use std::convert::Infallible;

use attractor_exec::{Connection, Sender};
use attractor_run::{owner_of, refusal};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::error::ApiError;
use crate::runs::{KnownRun, blocking};

/// The connection that a request came over. None where there is no socket, as in tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestSender(Option<Connection>);

impl RequestSender {
    /// The sender of a request with this head.
    pub(crate) fn of(parts: &Parts) -> Self {
        Self(parts.extensions.get().copied())
    }

    /// The person at the program that this process is a part of.
    pub(crate) const PROGRAM: Self = Self(None);

    /// Refuses what a command of a run sends to it.
    pub(crate) async fn check(self, run: &KnownRun) -> Result<(), ApiError> {
        let Some(connection) = self.0 else {
            return Ok(());
        };
        let owner = match run.own {
            Some(_) => Some(std::process::id()),
            None => owner_of(&run.directory),
        };
        let Some(owner) = owner else {
            return Ok(());
        };
        let sender = blocking(move || Ok(Sender::over(connection, owner))).await?;
        refusal(sender).map_or(Ok(()), |reason| Err(ApiError::forbidden(reason)))
    }
}

impl<S: Sync> FromRequestParts<S> for RequestSender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}
