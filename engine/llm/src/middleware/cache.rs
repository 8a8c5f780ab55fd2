//! Answers a repeated request from memory.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use indexmap::IndexMap;

use super::normalise::{fingerprint, to_value};
use super::{Middleware, Next};
use crate::error::Error;
use crate::request::Request;
use crate::response::Response;

/// Keeps answers by request; the oldest one goes when there are too many. Streams pass through.
#[derive(Debug)]
pub struct CacheMiddleware {
    capacity: usize,
    answers: Mutex<IndexMap<String, Response>>,
}

impl CacheMiddleware {
    /// A cache for that many answers.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            answers: Mutex::default(),
        }
    }
}

#[async_trait]
impl Middleware for CacheMiddleware {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        let key = fingerprint(&to_value(&request)?);
        let known = self
            .answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned();
        if let Some(mut response) = known {
            response.metadata.insert("cached".to_owned(), true.into());
            return Ok(response);
        }
        let response = next.complete(request).await?;
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= self.capacity {
            answers.shift_remove_index(0);
        }
        answers.insert(key, response.clone());
        Ok(response)
    }
}
