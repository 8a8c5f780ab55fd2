//! The next request: the conversation as far as it fits, and the output as far as the budget allows.

use attractor_llm::{Error, Request};
use tokio_util::sync::CancellationToken;

use super::state::Work;
use crate::budget::LimitReached;
use crate::session::compaction::{compact, shorten_texts, tokens};

/// The least output that is worth a call, in tokens; some APIs refuse less.
const LEAST_OUTPUT: u64 = 16;

impl Work<'_> {
    /// The limit of a worker of a run that is reached.
    pub(super) fn worker_limit(&self) -> Option<LimitReached> {
        let (limit, message) = self.worker.shared.limit_reached()?;
        Some(LimitReached {
            limit,
            message,
            used: 0,
            allowed: 0,
        })
    }

    /// Makes the conversation shorter, if the next request would not fit.
    pub(super) fn compact(&mut self) {
        if !self.worker.config.compaction {
            return;
        }
        let fixed = self.worker.fixed_tokens();
        // A fifth is left for the answer, and for what the estimate is wrong by.
        let limit = (self.context_window() / 5 * 4).saturating_sub(fixed);
        if let Some(shorter) = compact(self.messages, limit) {
            self.worker.replace_conversation(self.messages, shorter);
        }
    }

    /// Makes the conversation shorter after a provider refused it as too long: its window, or the estimate of tokens, is
    /// not what it was taken for. False if it cannot be made shorter.
    pub(super) fn compact_after(&mut self, error: &Error) -> bool {
        let fixed = self.worker.fixed_tokens();
        let refused = tokens(self.messages);
        let limit = refused / 2;
        let shorter = compact(self.messages, limit);
        let shorter = shorter.filter(|shorter| tokens(shorter) <= limit);
        let Some(shorter) = shorter.or_else(|| shorten_texts(self.messages, limit)) else {
            return false;
        };
        self.window = Some(fixed + refused);
        self.warn(vec![format!(
            "{}; the conversation is made shorter",
            error.data().message
        )]);
        self.worker.replace_conversation(self.messages, shorter);
        true
    }

    /// The size of the model's context window, in tokens.
    pub(super) fn context_window(&self) -> u64 {
        let worker = self.worker;
        let catalogue = worker.client.catalogue();
        let provider = worker.request.provider.as_deref();
        let listed = catalogue.resolve(&worker.config.model_id, provider);
        let known = listed
            .and_then(|model| model.rules.context_window)
            .unwrap_or(worker.config.context_window);
        self.window.map_or(known, |window| window.min(known))
    }

    /// The next request, and whether the budget limits its output; the limit when it allows none.
    pub(super) fn request(
        &self,
        cancel: &CancellationToken,
    ) -> Result<(Request, bool), LimitReached> {
        let worker = self.worker;
        let mut request = Request {
            model: worker.config.model_id.clone(),
            system_prompt: worker.system_prompt.clone(),
            messages: self.messages.clone(),
            tools: worker.definitions.clone(),
            reasoning_effort: worker.controls.effort(),
            redactor: worker.redactor.as_ref().clone(),
            cancel: cancel.clone(),
            ..worker.request.clone()
        };
        if self.raised.is_some() {
            request.max_tokens = self.raised;
        }
        let (tokens, cost) = (self.budget.tokens_left(), self.budget.cost_left());
        let Some(affordable) = worker.client.affordable_output(&request, tokens, cost) else {
            return Ok((request, false));
        };
        if affordable < LEAST_OUTPUT {
            let limit = if tokens.is_some() {
                "max_tokens_total"
            } else {
                "max_cost"
            };
            return Err(LimitReached {
                limit,
                message: format!(
                    "the rest of the budget does not cover another call with about {} tokens of input (`{limit}`)",
                    request.estimated_tokens()
                ),
                used: self.budget.spent().tokens(),
                allowed: self.budget.limits().tokens.unwrap_or_default(),
            });
        }
        let own = request.max_tokens.or_else(|| self.model_limit());
        let is_limited = own.is_none_or(|own| own > affordable);
        if is_limited {
            request.max_tokens = Some(affordable);
        }
        Ok((request, is_limited))
    }

    /// The most tokens the model can write.
    pub(super) fn model_limit(&self) -> Option<u64> {
        let worker = self.worker;
        let catalogue = worker.client.catalogue();
        let provider = worker.request.provider.as_deref();
        catalogue
            .resolve(&worker.config.model_id, provider)?
            .rules
            .max_output
    }
}
