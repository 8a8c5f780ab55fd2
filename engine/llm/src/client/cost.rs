//! What a call costs, and how much of one a budget pays for.

use attractor_models::{Price, TokenCounts};

use super::Client;
use crate::request::Request;
use crate::response::Response;

impl Client {
    /// What an answer cost in US dollars at list prices; none where the price is not known. Where the provider's own
    /// name for the model is not listed, it is the requested one of which that is a version, else the first one of its
    /// provider.
    pub fn cost(&self, requested: &[impl AsRef<str>], response: &Response) -> Option<f64> {
        let resolve = |model: &str| self.catalogue().resolve(model, Some(&response.provider));
        let is_version = |model: &&str| {
            resolve(model).is_some_and(|resolved| response.model.starts_with(&resolved.id))
        };
        let requested = || requested.iter().map(AsRef::as_ref);
        let version = requested().find(is_version);
        let mut models = [response.model.as_str()]
            .into_iter()
            .chain(version)
            .chain(requested());
        let price = models.find_map(|model| resolve(model)?.rules.price)?;
        Some(price.cost(&response.usage.counts()))
    }

    /// The tokens of output that are left after the input of a request, where `tokens` and `cost` (US dollars) may
    /// still be used; none without a limit. A cost limits only models whose price is known.
    pub fn affordable_output(
        &self,
        request: &Request,
        tokens: Option<u64>,
        cost: Option<f64>,
    ) -> Option<u64> {
        if tokens.is_none() && cost.is_none() {
            return None;
        }
        let input = request.estimated_tokens();
        let by_tokens = tokens.map(|tokens| tokens.saturating_sub(input));
        let model = self
            .catalogue()
            .resolve(&request.model, request.provider.as_deref());
        let price = model.and_then(|model| model.rules.price);
        let by_cost = cost
            .zip(price)
            .map(|(cost, price)| output_for(cost, &price, input));
        match (by_tokens, by_cost) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}

fn output_for(cost: f64, price: &Price, input: u64) -> u64 {
    let cost_of = |input, output| {
        price.cost(&TokenCounts {
            input,
            output,
            ..TokenCounts::default()
        })
    };
    let left = cost - cost_of(input, 0);
    let per_token = cost_of(input, 1_000_000) - cost_of(input, 0);
    tokens_for(left, per_token / 1_000_000.0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a count of tokens"
)]
fn tokens_for(money: f64, per_token: f64) -> u64 {
    if per_token <= 0.0 {
        return u64::from(u32::MAX);
    }
    (money / per_token).clamp(0.0, f64::from(u32::MAX)) as u64
}
