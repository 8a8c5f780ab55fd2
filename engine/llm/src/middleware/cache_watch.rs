//! Warns when a conversation's prompt is no longer read from the provider's cache, although it could be: something before
//! the new messages has changed, and every call pays the full price.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use tokio::time::Instant;

use super::{Middleware, Next};
use crate::error::Error;
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::{Response, Warning};
use crate::usage::TokenUsage;

/// The code of the warning.
const CODE: &str = "prompt_cache";

/// How long providers keep a prompt at least, unless they are asked for longer.
const TTL: Duration = Duration::from_mins(5);

/// Watches the cache of all conversations: the calls with the same `cache_key` and model.
#[derive(Debug, Clone, Default)]
pub struct CacheWatchMiddleware {
    seen: Arc<Mutex<HashMap<String, WatchedCache>>>,
}

/// What the cache holds of a conversation.
#[derive(Debug, Clone, Copy)]
struct WatchedCache {
    at: Instant,
    tokens: u64,
}

impl CacheWatchMiddleware {
    /// Notes an answer. Gives a warning if nothing was read of what the call before it has left in the cache.
    fn note(&self, conversation: &str, usage: &TokenUsage) -> Option<Warning> {
        let read = usage.cache_read_tokens?;
        let now = Instant::now();
        let held = WatchedCache {
            at: now,
            tokens: read.saturating_add(usage.cache_write_tokens.unwrap_or_default()),
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|_, one| now.duration_since(one.at) < TTL);
        let before = seen.insert(conversation.to_owned(), held)?;
        // A shorter prompt is another one: the conversation was compacted, or began again.
        if read > 0 || before.tokens == 0 || usage.input_tokens < before.tokens {
            return None;
        }
        let message = format!(
            "nothing of the prompt was read from the provider's cache, which held {} tokens of it {} seconds ago: what \
             precedes the new messages (system prompt, tools, earlier messages) has changed",
            before.tokens,
            now.duration_since(before.at).as_secs()
        );
        Some(Warning::new(CODE, message))
    }
}

/// What names a conversation; `None` for single calls.
fn conversation(request: &Request) -> Option<String> {
    let key = request.cache_key.as_deref()?;
    Some(format!("{key}\n{}", request.model))
}

#[async_trait]
impl Middleware for CacheWatchMiddleware {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        let conversation = conversation(&request);
        let mut response = next.complete(request).await?;
        if let Some(conversation) = conversation {
            let warning = self.note(&conversation, &response.usage);
            response.warnings.extend(warning);
        }
        Ok(response)
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        let Some(conversation) = conversation(&request) else {
            return next.stream(request).await;
        };
        let stream = next.stream(request).await?;
        let watch = self.clone();
        let watched = stream.flat_map(move |item| {
            let warning = match &item {
                Ok(StreamEvent::Finish { usage, .. }) => watch.note(&conversation, usage),
                _ => None,
            };
            let warning = warning.map(|warning| Ok(StreamEvent::Warning { warning }));
            futures::stream::iter(warning.into_iter().chain([item]))
        });
        Ok(watched.boxed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, read: u64, write: u64) -> TokenUsage {
        TokenUsage {
            input_tokens: input,
            cache_read_tokens: Some(read),
            cache_write_tokens: Some(write),
            ..TokenUsage::default()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_prompt_that_is_no_longer_cached_is_a_warning() {
        let minutes = |minutes| tokio::time::advance(Duration::from_mins(minutes));
        let watch = CacheWatchMiddleware::default();
        assert_eq!(watch.note("a", &usage(2000, 0, 1900)), None);
        minutes(1).await;
        assert_eq!(watch.note("a", &usage(2100, 1900, 100)), None);
        minutes(1).await;
        let warning = watch.note("a", &usage(2200, 0, 2100)).unwrap();
        assert_eq!(warning.code, "prompt_cache");
        assert!(
            warning
                .message
                .contains("held 2000 tokens of it 60 seconds ago")
        );
        // Another conversation, a compacted one, and one whose cache has expired.
        assert_eq!(watch.note("b", &usage(2200, 0, 2100)), None);
        assert_eq!(watch.note("a", &usage(500, 0, 400)), None);
        minutes(6).await;
        assert_eq!(watch.note("a", &usage(600, 0, 500)), None);
    }
}
