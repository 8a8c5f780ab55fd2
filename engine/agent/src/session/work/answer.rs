//! An answer of the model: whether the work is done, and what to do with one that is cut off or empty.

use attractor_llm::{
    ContentPart, FinishReason, Message, Response, ToolCallContent, ToolResultContent,
};
use tokio_util::sync::CancellationToken;

use super::state::{Next, Work};
use crate::budget::LimitReached;
use crate::error::AgentError;
use crate::session::completion::Ending;

/// How many answers in a row may be cut off at the output limit, or be empty.
const CUT_ANSWERS: u32 = 3;
const EMPTY_ANSWERS: u32 = 2;

/// How many answers in a row the provider may pause.
const PAUSED_ANSWERS: u32 = 10;

/// The output limit that is raised where the request names none.
const USUAL_OUTPUT: u64 = 8_192;

/// What the model is sent after an empty answer.
const EMPTY_NUDGE: &str =
    "Your last message was empty. Continue the work, or, if it is done, say what you did.";

/// What the model is sent after an answer that was cut off.
const CONTINUE: &str = "Your last message was cut off at the limit of its length. Continue it exactly where it ends, \
without repeating any of it.";

impl Work<'_> {
    pub(super) async fn answered(
        &mut self,
        response: Response,
        is_limited: bool,
        cancel: &CancellationToken,
    ) -> Next {
        let warnings = response.warnings.iter();
        let warnings: Vec<String> = warnings.map(|warning| warning.message.clone()).collect();
        self.warn(warnings);
        let message = response.message;
        let text = message.text();
        self.completion.provider = Some(response.provider);
        self.completion.model = Some(response.model);
        self.completion.finish_reason = Some(response.finish.reason);
        let text = std::mem::take(&mut self.unfinished) + &text;
        if !text.trim().is_empty() {
            self.completion.text.clone_from(&text);
        }
        let used = &response.usage;
        let used = used.input_tokens.saturating_add(used.output_tokens);
        self.worker.shared.record_iteration(used);
        let was_cut = response.finish.reason == FinishReason::Length;
        let calls: Vec<ToolCallContent> = message.tool_calls().into_iter().cloned().collect();
        let cut_call = was_cut && matches!(message.content.last(), Some(ContentPart::ToolCall(_)));
        if response.finish.reason == FinishReason::ContentFilter {
            let reason = message.refusal().map(str::to_owned);
            let reason = reason.or(response.finish.raw);
            let reason = reason.unwrap_or_else(|| "no reason given".to_owned());
            let error = AgentError::llm(format!(
                "the model or its provider declined to answer: {reason}"
            ))
            .with("kind", "content_filter");
            return self.fail(AgentError {
                retryable: false,
                ..error
            });
        }
        if let Some(problem) = response.finish.problem(!calls.is_empty()) {
            return self.fail(AgentError::llm(problem).with("kind", "finish"));
        }
        if was_cut && is_limited {
            let said = message.text();
            if !said.trim().is_empty() {
                self.messages.push(Message::assistant(said));
            }
            return Next::End(Ending::Limit(LimitReached {
                limit: "max_tokens_total",
                message: "the answer was cut off: the rest of the budget is used up".to_owned(),
                used: self.budget.spent().tokens(),
                allowed: self.budget.limits().tokens.unwrap_or_default(),
            }));
        }
        if calls.is_empty() {
            if response.finish.is_paused() {
                return self.paused(message, text);
            }
            return self.finished(message, text, was_cut);
        }
        (self.empty, self.paused) = (0, 0);
        self.messages.push(message);
        self.worker.save(self.messages);
        self.run_tools(&calls, cut_call, cancel).await
    }

    /// An answer without a tool call.
    pub(super) fn finished(&mut self, message: Message, text: String, was_cut: bool) -> Next {
        self.paused = 0;
        if message.text().trim().is_empty() {
            return if was_cut {
                self.cut_off()
            } else {
                self.nothing_said()
            };
        }
        self.messages.push(message);
        if was_cut {
            return self.continued(text);
        }
        if self.worker.controls.has_steering() {
            return Next::Turn;
        }
        Next::End(Ending::Done)
    }

    /// An answer that the provider paused: it is sent back as it is.
    fn paused(&mut self, message: Message, text: String) -> Next {
        self.paused += 1;
        if self.paused > PAUSED_ANSWERS {
            let error = AgentError::llm(format!(
                "the provider paused the model {PAUSED_ANSWERS} times in a row without an end of its answer"
            ))
            .with("kind", "pause_turn");
            return self.fail(error);
        }
        self.messages.push(message);
        self.unfinished = text;
        Next::Turn
    }

    /// The rest of an answer whose text ended at the output limit: it is asked for, unless the limit is one that was set.
    fn continued(&mut self, text: String) -> Next {
        self.cut += 1;
        let set = self.worker.request.max_tokens;
        if set.is_some() || self.cut >= CUT_ANSWERS {
            let limit = set.or_else(|| self.model_limit()).unwrap_or_default();
            return Next::End(Ending::Limit(LimitReached {
                limit: "max_tokens",
                message: format!(
                    "the answer is cut off at the output limit of {limit} tokens (`max_tokens`)"
                ),
                used: limit,
                allowed: limit,
            }));
        }
        self.warn(vec![
            "the answer was cut off at the output limit; it is continued".to_owned(),
        ]);
        self.unfinished = text;
        self.messages.push(Message::user(CONTINUE));
        Next::Turn
    }

    /// The model used all of its output for reasoning, or for a call that did not fit.
    pub(super) fn cut_off(&mut self) -> Next {
        self.cut += 1;
        if self.cut >= CUT_ANSWERS {
            let error = AgentError::llm(format!(
                "{CUT_ANSWERS} answers in a row were cut off at the output limit; raise `max_tokens` or lower \
                 `reasoning_effort`"
            ))
            .with("kind", "max_tokens");
            return self.fail(error);
        }
        let cap = self.raised.or(self.worker.request.max_tokens);
        let model = self.model_limit();
        let raised = cap.or(model).unwrap_or(USUAL_OUTPUT).saturating_mul(2);
        self.raised = Some(model.map_or(raised, |model| raised.min(model)));
        Next::Turn
    }

    pub(super) fn nothing_said(&mut self) -> Next {
        self.empty += 1;
        if self.empty >= EMPTY_ANSWERS {
            let error = AgentError::llm("the model gave an empty answer").with("kind", "empty");
            return self.fail(error);
        }
        self.warn(vec![
            "the model gave an empty answer; it is asked again".to_owned(),
        ]);
        self.messages.push(Message::user(EMPTY_NUDGE));
        Next::Turn
    }
}

/// The result of a call that the answer ended within.
pub(super) fn cut_result(call: &ToolCallContent) -> ContentPart {
    ContentPart::ToolResult(ToolResultContent {
        tool_call_id: call.tool_call_id.clone(),
        tool_name: call.tool_name.clone(),
        content: "error: the call was not run: your answer was cut off within it, at the limit of output tokens. Send \
                  it again in smaller pieces, for example several edits instead of one large file."
            .to_owned(),
        is_error: true,
        ..ToolResultContent::default()
    })
}
