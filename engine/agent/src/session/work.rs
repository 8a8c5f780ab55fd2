//! The work on one input: call the model, run its tool calls, send the results back, until it answers without a call.

use std::time::Duration;

use attractor_llm::{
    ContentPart, Error, ErrorKind, FinishReason, Message, Request, Response, Role, ToolCallContent,
    ToolResultContent, estimate_tokens,
};
use tokio_util::sync::CancellationToken;

use super::compaction::{compact, references, tokens};
use super::completion::{Completion, Ending};
use super::conversation::{repair, unanswered};
use super::dispatch::{INTERRUPTED, dispatch};
use super::model_call::ModelCall;
use super::worker::Worker;
use crate::budget::{Budget, LimitReached, Limits};
use crate::error::AgentError;
use crate::event::AgentEventKind;
use crate::loop_detection::LoopGuard;

/// How many answers in a row may be cut off at the output limit, or be empty, or break off.
const CUT_ANSWERS: u32 = 3;
const EMPTY_ANSWERS: u32 = 2;
const BROKEN_ANSWERS: u32 = 3;

/// The delay before an answer that broke off is requested again; doubled each time.
const BROKEN_DELAY: Duration = Duration::from_secs(1);

/// The output limit that is raised where the request names none.
const USUAL_OUTPUT: u64 = 8_192;

/// The least output that is worth a call, in tokens; some APIs refuse less.
const LEAST_OUTPUT: u64 = 16;

/// What the model is sent after an empty answer.
const EMPTY_NUDGE: &str =
    "Your last message was empty. Continue the work, or, if it is done, say what you did.";

/// Works on an input. The conversation is complete at the end, however it ends.
pub(super) async fn work(
    worker: &Worker,
    messages: &mut Vec<Message>,
    input: String,
) -> Completion {
    let config = &worker.config;
    let limit = |count: u64| (count > 0).then_some(count);
    let budget = worker.budget.child(Limits {
        turns: limit(config.max_turns),
        tool_rounds: limit(config.max_tool_rounds_per_input),
        ..Limits::default()
    });
    if let Some(subagents) = &worker.subagents {
        subagents.set_budget(budget.clone());
    }
    let mut work = Work {
        worker,
        messages,
        budget,
        raised: None,
        cut: 0,
        empty: 0,
        broken: 0,
        guard: LoopGuard::default(),
        completion: Completion::default(),
    };
    // A session that continues after its process was killed has calls without a result.
    work.run_again().await;
    worker.events.emit(AgentEventKind::UserInput {
        text: input.clone(),
    });
    repair(work.messages, INTERRUPTED);
    work.messages.push(Message::user(input));
    worker.save(work.messages);
    let ending = loop {
        match work.turn().await {
            Next::Turn => {}
            Next::End(ending) => break ending,
        }
    };
    work.end(ending)
}

/// What follows a turn.
enum Next {
    Turn,
    End(Ending),
}

struct Work<'w> {
    worker: &'w Worker,
    messages: &'w mut Vec<Message>,
    /// The account of this input.
    budget: Budget,
    /// The output limit, once it was raised because an answer was cut off.
    raised: Option<u64>,
    /// Answers in a row that were cut off.
    cut: u32,
    /// Answers in a row that were empty.
    empty: u32,
    /// Answers in a row that broke off.
    broken: u32,
    guard: LoopGuard,
    completion: Completion,
}

impl Work<'_> {
    /// One call of the model and the tools it asks for.
    async fn turn(&mut self) -> Next {
        if self.worker.controls.is_stopped() {
            return Next::End(self.stopped());
        }
        self.inject();
        self.compact();
        if let Some(limit) = self.budget.reached().or_else(|| self.worker_limit()) {
            return Next::End(Ending::Limit(limit));
        }
        let cancel = self.worker.controls.token();
        let (request, is_limited) = match self.request(&cancel) {
            Ok(request) => request,
            Err(limit) => return Next::End(Ending::Limit(limit)),
        };
        let call = ModelCall {
            client: &self.worker.client,
            events: &self.worker.events,
            budget: &self.budget,
        };
        self.budget.add_turn();
        self.worker.changes.begin_turn();
        match call.run(request).await {
            Ok(response) => {
                self.broken = 0;
                self.answered(response, is_limited, &cancel).await
            }
            Err(error) => self.failed(&error, &cancel).await,
        }
    }

    /// Runs the calls at the end of the conversation that were interrupted and can be run again, such as questions.
    async fn run_again(&mut self) {
        let calls = unanswered(self.messages);
        let again = |call: &&ToolCallContent| {
            let tool = self.worker.tools.get(&call.tool_name);
            tool.is_some_and(|tool| tool.can_run_again())
        };
        let calls: Vec<&ToolCallContent> = calls.iter().filter(again).collect();
        if calls.is_empty() {
            return;
        }
        let dispatched = dispatch(
            self.worker,
            &self.budget,
            &calls,
            &mut self.guard,
            &mut self.completion.verification,
            &self.worker.controls.token(),
        )
        .await;
        self.messages
            .push(Message::new(Role::Tool, dispatched.results));
        self.worker.save(self.messages);
    }

    /// The limit of a worker of a run that is reached.
    fn worker_limit(&self) -> Option<LimitReached> {
        let (limit, message) = self.worker.shared.limit_reached()?;
        Some(LimitReached {
            limit,
            message,
            used: 0,
            allowed: 0,
        })
    }

    /// Gives the model the messages that wait.
    fn inject(&mut self) {
        let steering = self.worker.controls.take_steering().into_iter();
        for text in steering.chain(self.worker.shared.news()) {
            self.messages.push(Message::user(text.clone()));
            self.worker
                .events
                .emit(AgentEventKind::SteeringInjected { text });
        }
    }

    /// Makes the conversation shorter, if the next request would not fit.
    fn compact(&mut self) {
        let worker = self.worker;
        if !worker.config.compaction {
            return;
        }
        let window = self.context_window();
        let tools = serde_json::to_string(&worker.definitions).unwrap_or_default();
        let fixed = estimate_tokens(&worker.system_prompt) + estimate_tokens(&tools);
        // A fifth is left for the answer, and for what the estimate is wrong by.
        let limit = (window / 5 * 4).saturating_sub(fixed);
        let Some(shorter) = compact(self.messages, limit) else {
            return;
        };
        worker.events.emit(AgentEventKind::Compacted {
            messages_before: self.messages.len(),
            messages_after: shorter.len(),
            tokens_before: fixed + tokens(self.messages),
            tokens_after: fixed + tokens(&shorter),
        });
        worker.shared.add_references(references(self.messages));
        *self.messages = shorter;
        worker.replace(self.messages);
    }

    /// The size of the model's context window, in tokens.
    fn context_window(&self) -> u64 {
        let worker = self.worker;
        let catalogue = worker.client.catalogue();
        let provider = worker.request.provider.as_deref();
        let listed = catalogue.resolve(&worker.config.model_id, provider);
        listed
            .and_then(|model| model.rules.context_window)
            .unwrap_or(worker.config.context_window)
    }

    /// The next request, and whether the budget limits its output; the limit when it allows none.
    fn request(&self, cancel: &CancellationToken) -> Result<(Request, bool), LimitReached> {
        let worker = self.worker;
        let mut request = Request {
            model: worker.config.model_id.clone(),
            system_prompt: worker.system_prompt.clone(),
            messages: self.messages.clone(),
            tools: worker.definitions.clone(),
            reasoning_effort: worker.controls.effort(),
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
    fn model_limit(&self) -> Option<u64> {
        let worker = self.worker;
        let catalogue = worker.client.catalogue();
        let provider = worker.request.provider.as_deref();
        catalogue
            .resolve(&worker.config.model_id, provider)?
            .rules
            .max_output
    }

    async fn answered(
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
        if was_cut && is_limited {
            let message = "the answer was cut off: the rest of the budget is used up".to_owned();
            if !text.trim().is_empty() {
                self.messages.push(Message::assistant(text));
            }
            return Next::End(Ending::Limit(LimitReached {
                limit: "max_tokens_total",
                message,
                used: self.budget.spent().tokens(),
                allowed: self.budget.limits().tokens.unwrap_or_default(),
            }));
        }
        if calls.is_empty() {
            return self.finished(message, &text, response.finish.raw.as_deref(), was_cut);
        }
        self.empty = 0;
        self.messages.push(message);
        self.worker.save(self.messages);
        self.run_tools(&calls, cut_call, cancel).await
    }

    /// An answer without a tool call.
    fn finished(
        &mut self,
        message: Message,
        text: &str,
        raw_reason: Option<&str>,
        was_cut: bool,
    ) -> Next {
        if raw_reason == Some("pause_turn") {
            self.messages.push(message);
            return Next::Turn;
        }
        if text.trim().is_empty() {
            return if was_cut {
                self.cut_off()
            } else {
                self.nothing_said()
            };
        }
        self.messages.push(message);
        if was_cut {
            self.warn(vec![
                "the answer is cut off at the output limit (`max_tokens`)".to_owned(),
            ]);
        }
        if self.worker.controls.has_steering() {
            return Next::Turn;
        }
        Next::End(Ending::Done)
    }

    /// The model used all of its output for reasoning, or for a call that did not fit.
    fn cut_off(&mut self) -> Next {
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

    fn nothing_said(&mut self) -> Next {
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

    async fn run_tools(
        &mut self,
        calls: &[ToolCallContent],
        cut_call: bool,
        cancel: &CancellationToken,
    ) -> Next {
        let complete = calls.len() - usize::from(cut_call);
        let runnable: Vec<&ToolCallContent> = calls.iter().take(complete).collect();
        let dispatched = dispatch(
            self.worker,
            &self.budget,
            &runnable,
            &mut self.guard,
            &mut self.completion.verification,
            cancel,
        )
        .await;
        let mut results = dispatched.results;
        results.extend(calls.iter().skip(complete).map(cut_result));
        self.messages.push(Message::new(Role::Tool, results));
        repair(self.messages, INTERRUPTED);
        self.worker.save(self.messages);
        self.budget.add_tool_round();
        self.worker.save_shared();
        if let Some(warning) = dispatched.ends {
            return Next::End(Ending::Loop(warning));
        }
        if let Some(warning) = dispatched.warning {
            self.worker.controls.steer(warning);
        }
        if cut_call {
            return self.cut_off();
        }
        self.cut = 0;
        Next::Turn
    }

    /// A call of the model that failed, or was interrupted.
    async fn failed(&mut self, error: &Error, cancel: &CancellationToken) -> Next {
        if self.worker.controls.is_stopped() {
            return Next::End(self.stopped());
        }
        if cancel.is_cancelled() {
            return Next::Turn;
        }
        self.broken += 1;
        let broke_off =
            error.kind() == ErrorKind::Stream && self.worker.request.max_retries != Some(0);
        if broke_off && self.broken < BROKEN_ANSWERS {
            self.warn(vec![format!("{error}; the answer is requested again")]);
            let delay = BROKEN_DELAY.saturating_mul(1 << (self.broken - 1));
            tokio::select! {
                () = tokio::time::sleep(delay) => {}
                () = cancel.cancelled() => {}
            }
            return Next::Turn;
        }
        self.worker.events.emit(AgentEventKind::Error {
            error: error.to_string(),
            phase: "llm_call".to_owned(),
        });
        Next::End(Ending::Failed(AgentError::from(error)))
    }

    fn fail(&self, error: AgentError) -> Next {
        self.worker.events.emit(AgentEventKind::Error {
            error: error.message.clone(),
            phase: "llm_call".to_owned(),
        });
        Next::End(Ending::Failed(error))
    }

    fn stopped(&self) -> Ending {
        match self.budget.reached() {
            Some(limit) if limit.limit == "timeout" => Ending::Limit(limit),
            _ => Ending::Cancelled,
        }
    }

    fn warn(&mut self, warnings: Vec<String>) {
        for message in warnings {
            if self.completion.warnings.contains(&message) {
                continue;
            }
            self.worker.events.emit(AgentEventKind::Warning {
                message: message.clone(),
            });
            self.completion.warnings.push(message);
        }
    }

    fn end(mut self, ending: Ending) -> Completion {
        repair(self.messages, INTERRUPTED);
        self.worker.save(self.messages);
        self.worker.save_shared();
        if let Ending::Limit(limit) = &ending {
            match limit.limit {
                "max_turns" | "max_tool_rounds" => {
                    self.worker.events.emit(AgentEventKind::TurnLimit {
                        turns: limit.used,
                        limit: limit.allowed,
                    });
                }
                _ => self.worker.events.emit(AgentEventKind::Error {
                    error: limit.message.clone(),
                    phase: "session".to_owned(),
                }),
            }
        }
        self.completion.ending = ending;
        self.completion.spent = self.budget.spent();
        self.completion
    }
}

/// The result of a call that the answer ended within.
fn cut_result(call: &ToolCallContent) -> ContentPart {
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
