//! Refuses calls when a budget is used up.

use async_trait::async_trait;

use super::tokens::TokenTrackingMiddleware;
use super::{Middleware, Next};
use crate::error::{Error, ErrorKind};
use crate::event::EventStream;
use crate::request::Request;
use crate::response::Response;

/// What calls may use together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// Tokens of input and output.
    pub tokens: Option<u64>,
    /// US dollars at list prices.
    pub cost: Option<f64>,
}

/// Refuses a call once the tracked calls have used up a budget. A call in progress is not interrupted.
#[derive(Debug, Clone)]
pub struct BudgetMiddleware {
    budget: Budget,
    tracking: TokenTrackingMiddleware,
}

impl BudgetMiddleware {
    /// A budget over the calls that `tracking` counts, which is a layer of the same client.
    pub const fn new(budget: Budget, tracking: TokenTrackingMiddleware) -> Self {
        Self { budget, tracking }
    }

    fn check(&self) -> Result<(), Error> {
        let totals = self.tracking.totals();
        let used = totals.usage.total_tokens();
        let message = match (self.budget.tokens, self.budget.cost) {
            (Some(limit), _) if used >= limit => {
                format!("the budget of {limit} tokens is used up: {used} were used")
            }
            (_, Some(limit)) if totals.cost >= limit => {
                format!(
                    "the budget of ${limit:.2} is used up: ${:.2} were spent",
                    totals.cost
                )
            }
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::BudgetExceeded, message))
    }
}

#[async_trait]
impl Middleware for BudgetMiddleware {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        self.check()?;
        next.complete(request).await
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        self.check()?;
        next.stream(request).await
    }
}
