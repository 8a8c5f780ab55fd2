//! Waiting for answers and reading them: limits of time and size, cancellation, what a broken connection means.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, ErrorKind};

/// A future that ends with an error when its time is up.
pub(super) async fn deadline<T>(
    limit: Duration,
    what: &str,
    future: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    match tokio::time::timeout(limit, future).await {
        Ok(result) => result,
        Err(_) => Err(Error::new(
            ErrorKind::Timeout,
            format!("{what} took longer than {limit:?}"),
        )),
    }
}

/// A future that ends with an error when it is cancelled.
pub(super) async fn cancellable<T>(
    cancel: &CancellationToken,
    future: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")),
        result = future => result,
    }
}

/// What went wrong on the way. The URL is left out: it may contain what a user does not want to see in a log.
pub(super) fn network_error(error: reqwest::Error) -> Error {
    let kind = if error.is_timeout() {
        ErrorKind::Timeout
    } else {
        ErrorKind::Network
    };
    let error = error.without_url();
    let mut message = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    Error::new(kind, message)
}

pub(super) fn milliseconds(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}

pub(super) async fn read_body(
    mut response: reqwest::Response,
    limit: usize,
) -> Result<Vec<u8>, Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(network_error)? {
        if body.len() + chunk.len() > limit {
            return Err(Error::new(
                ErrorKind::InvalidResponse,
                format!("the answer is longer than {limit} bytes"),
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The beginning of a body, on one line, without markup.
pub(super) fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body.get(..2000).unwrap_or(body)).into_owned();
    let mut out = String::new();
    let mut in_tag = false;
    for c in text.chars() {
        match c {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                out.push(' ');
            }
            _ if in_tag => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    let words: Vec<&str> = out.split_whitespace().collect();
    let short: String = words.join(" ").chars().take(200).collect();
    if short.is_empty() {
        "an empty answer".to_owned()
    } else {
        short
    }
}
