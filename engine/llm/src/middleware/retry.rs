//! Says when failures of calls are retried, and how often the last one was.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use futures::StreamExt;

use super::{Middleware, Next};
use crate::error::Error;
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::Response;
use crate::retry::RetryPolicy;

/// Gives requests that name no policy this one, and keeps how often the last call was retried. The client does the
/// retrying, inside of all layers.
#[derive(Debug, Clone, Default)]
pub struct RetryMiddleware {
    policy: Option<RetryPolicy>,
    last_attempt: Arc<AtomicU32>,
}

impl RetryMiddleware {
    /// Retries by that policy; by the client's without one.
    pub fn new(policy: Option<RetryPolicy>) -> Self {
        Self {
            policy,
            last_attempt: Arc::default(),
        }
    }

    /// How often the call that was answered last was retried.
    pub fn last_attempt(&self) -> u32 {
        self.last_attempt.load(Ordering::Relaxed)
    }

    fn with_policy(&self, mut request: Request) -> Request {
        request.retry = request.retry.or_else(|| self.policy.clone());
        request
    }

    fn keep(&self, metadata: &serde_json::Map<String, serde_json::Value>) {
        let retries = metadata.get("retries").and_then(serde_json::Value::as_u64);
        let retries = u32::try_from(retries.unwrap_or_default()).unwrap_or(u32::MAX);
        self.last_attempt.store(retries, Ordering::Relaxed);
    }
}

#[async_trait]
impl Middleware for RetryMiddleware {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        let response = next.complete(self.with_policy(request)).await?;
        self.keep(&response.metadata);
        Ok(response)
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        let stream = next.stream(self.with_policy(request)).await?;
        let layer = self.clone();
        let keep = move |item: Result<StreamEvent, Error>| {
            if let Ok(StreamEvent::Finish { metadata, .. }) = &item {
                layer.keep(metadata);
            }
            item
        };
        Ok(stream.map(keep).boxed())
    }
}
