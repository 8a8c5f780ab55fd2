//! Adds up tokens and their cost.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use attractor_models::Catalogue;
use indexmap::IndexMap;
use serde::Serialize;

use super::observe::observe;
use super::{Middleware, Next};
use crate::error::Error;
use crate::event::EventStream;
use crate::request::Request;
use crate::response::Response;
use crate::usage::TokenUsage;

/// Adds up the tokens of all calls, those of streams that broke off or were dropped included.
#[derive(Debug, Clone)]
pub struct TokenTrackingMiddleware {
    totals: Arc<Mutex<TokenTotals>>,
    catalogue: Arc<Catalogue>,
}

/// Tokens and cost so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TokenTotals {
    /// Tokens.
    pub usage: TokenUsage,
    /// US dollars at list prices, for the calls of models with a known price.
    pub cost: f64,
    /// How many calls were of models without a known price.
    pub calls_without_price: u64,
    /// How many calls.
    pub calls: u64,
    /// Tokens by model.
    pub by_model: IndexMap<String, TokenUsage>,
}

impl TokenTrackingMiddleware {
    /// Tracking with the prices of that catalogue.
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        Self {
            totals: Arc::default(),
            catalogue,
        }
    }

    /// The totals so far.
    pub fn totals(&self) -> TokenTotals {
        self.totals
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn add(&self, requested: &str, response: &Response) {
        // The provider names a snapshot; the price is listed under either name.
        let listed = self
            .catalogue
            .model(&response.model)
            .or_else(|| self.catalogue.model(requested));
        let price = listed.and_then(|model| model.price);
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.calls += 1;
        totals.usage += response.usage;
        match price {
            Some(price) => totals.cost += price.cost(&response.usage.counts()),
            None => totals.calls_without_price += 1,
        }
        // A stream that was dropped at once has not named its model.
        let name = if response.model.is_empty() {
            requested
        } else {
            &response.model
        };
        *totals.by_model.entry(name.to_owned()).or_default() += response.usage;
    }
}

#[async_trait]
impl Middleware for TokenTrackingMiddleware {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        let model = request.model.clone();
        let response = next.complete(request).await?;
        self.add(&model, &response);
        Ok(response)
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        let (model, tracking) = (request.model.clone(), self.clone());
        let estimate = request.estimated_tokens();
        let stream = next.stream(request).await?;
        Ok(observe(stream, estimate, move |response, _| {
            tracking.add(&model, &response);
        }))
    }
}
