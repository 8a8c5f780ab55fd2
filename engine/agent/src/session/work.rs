//! The work on one input: call the model, run its tool calls, send the results back, until it answers without a call.

mod answer;
mod failure;
mod next_request;
mod state;

use attractor_llm::{Message, Role, ToolCallContent};
use tokio_util::sync::CancellationToken;

use super::completion::{Completion, Ending};
use super::conversation::{repair, unanswered};
use super::dispatch::{INTERRUPTED, dispatch};
use super::input::SessionInput;
use super::model_call::ModelCall;
use super::worker::Worker;
use crate::budget::Limits;
use crate::event::AgentEventKind;
use crate::loop_detection::LoopGuard;
use answer::cut_result;
use state::{Next, Work};

/// Works on an input. The conversation is complete at the end, however it ends.
pub(super) async fn work(
    worker: &Worker,
    messages: &mut Vec<Message>,
    input: SessionInput,
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
        paused: 0,
        window: None,
        unfinished: String::new(),
        guard: LoopGuard::default(),
        completion: Completion::default(),
    };
    worker.skill_limits().clear();
    // A session that continues after its process was killed has calls without a result.
    work.run_again().await;
    worker.events.emit(AgentEventKind::UserInput {
        text: input.text.clone(),
    });
    repair(work.messages, INTERRUPTED);
    work.messages
        .extend(worker.take_update().map(Message::user));
    work.messages
        .push(input.into_message(worker.takes_images()));
    worker.save(work.messages);
    let ending = loop {
        match work.turn().await {
            Next::Turn => {}
            Next::End(ending) => break ending,
        }
    };
    work.end(ending)
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
            Ok(response) => self.answered(response, is_limited, &cancel).await,
            Err(error) => self.failed(&error, &cancel),
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

    /// Runs the calls of an answer; the last one is cut off where `cut_call` says so.
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
