//! Wait nodes: nothing is done until a time of day.

use attractor_lang::duration;
use std::time::Duration;

use super::{Effect, Frame, Phase, Transition};
use crate::context::text;
use crate::frame::{FrameId, Ticket};
use crate::outcome::{FailureClass, Outcome};
use crate::plan::{NodeRef, to_millis};
use crate::transition::reasons;

/// How long a wait node waits.
pub(super) struct Pause {
    pub(super) millis: u64,
    /// Its `timeout` comes first.
    times_out: bool,
}

impl Transition<'_> {
    /// How long the node of a frame waits, or why that cannot be said.
    pub(super) fn pause(&self, frame: &Frame, node_ref: NodeRef<'_>) -> Result<Pause, String> {
        let written = node_ref.written("duration").unwrap_or_default();
        let written = text::plain(self.view(frame, node_ref), written);
        let duration = duration::parse(&written).map(to_millis);
        let duration = duration.ok_or_else(|| reasons::no_duration(&frame.node, &written))?;
        let limit = node_ref.own_timeout().filter(|limit| *limit < duration);
        Ok(Pause {
            millis: limit.unwrap_or(duration),
            times_out: limit.is_some(),
        })
    }

    /// Begins to wait.
    pub(super) fn wait(&mut self, ticket: Ticket, pause: Result<Pause, String>) {
        let Pause { millis, times_out } = match pause {
            Ok(pause) => pause,
            Err(reason) => {
                self.finish(
                    ticket.frame,
                    Outcome::fail(FailureClass::Configuration, reason),
                );
                return;
            }
        };
        let timer = self.timer(millis);
        if let Some(frame) = self.frame_mut(ticket.frame) {
            frame.phase = Phase::Waiting {
                step: ticket.step,
                timer,
                times_out,
            };
        }
        self.out.push(Effect::Wait {
            ticket,
            delay: millis,
        });
    }

    /// The time has come.
    pub(super) fn waited(&mut self, id: FrameId) {
        let phase = self.frame(id).map(|frame| &frame.phase);
        let Some(Phase::Waiting {
            timer, times_out, ..
        }) = phase
        else {
            return;
        };
        let time = duration::format(Duration::from_millis(timer.delay));
        let outcome = if *times_out {
            Outcome::fail(FailureClass::Timeout, reasons::longer_than(&time))
        } else {
            Outcome {
                notes: reasons::waited(&time),
                ..Outcome::success()
            }
        };
        self.verify_postconditions(id, outcome);
    }
}

#[cfg(test)]
mod tests {
    use attractor_model::Pipeline;
    use expect_test::{Expect, expect};

    use super::*;
    use crate::event::EventKind;
    use crate::plan::Plan;
    use crate::transition::{Begin, Input, InputKind, State, next};

    /// Puts inputs with their times of day, in seconds, through a machine; renders what is waited for and asked.
    fn check(nodes: &str, inputs: &[(i64, InputKind)], expected: &Expect) {
        let dot = format!(
            "digraph {{ start [shape=Mdiamond]; done [shape=Msquare]; start -> a -> done; {nodes} }}"
        );
        let pipelines = Pipeline::from_text(&dot);
        let plan = Plan::new(pipelines[0].clone(), pipelines);
        let begin = Begin {
            run: "R".to_owned(),
            ..Begin::default()
        };
        let mut state = State::default();
        let mut lines = String::new();
        let start = (0, InputKind::Start(Box::new(begin)));
        for (at, (second, kind)) in (0..).zip([&start].into_iter().chain(inputs)) {
            let mut input = Input {
                at,
                now: second * 1000,
                kind: kind.clone(),
            };
            // The start node needs no time.
            let mut commands = Vec::new();
            loop {
                let (after, out) = next(&plan, state, input.clone());
                state = after;
                let execute = out.iter().find_map(|command| match command {
                    Effect::Execute(ticket) => Some(*ticket),
                    _ => None,
                });
                commands.extend(out);
                let Some(ticket) = execute else { break };
                let failed = state.frames.values().any(|frame| frame.node == "a");
                let outcome = if failed {
                    Outcome::fail(FailureClass::Deterministic, "no")
                } else {
                    Outcome::success()
                };
                input.kind = InputKind::Finished {
                    ticket,
                    outcome: Box::new(outcome),
                    jitter: 1000,
                    unread: Vec::new(),
                };
            }
            for command in commands {
                let line = match command {
                    Effect::Wait { delay, .. } => format!("{second} s: wait {delay} ms"),
                    Effect::Emit(event) => match *event {
                        EventKind::StageStarted {
                            until: Some(until), ..
                        } => {
                            format!("{second} s: waiting until {until}")
                        }
                        EventKind::InterviewStarted { question, .. } => {
                            format!("{second} s: asked until {}", question.deadline.unwrap())
                        }
                        EventKind::PipelineFailed { failure, .. } => {
                            format!("{second} s: failed: {}", failure.reason)
                        }
                        EventKind::PipelineCompleted { .. } => format!("{second} s: completed"),
                        _ => continue,
                    },
                    _ => continue,
                };
                lines.push_str(&line);
                lines.push('\n');
            }
        }
        expected.assert_eq(&lines);
    }

    fn interrupt() -> InputKind {
        InputKind::Interrupt {
            by: "test".to_owned(),
        }
    }

    #[test]
    fn a_wait_node_that_is_resumed_waits_for_the_rest() {
        check(
            "a [duration=6s]",
            &[(2, InputKind::resumed()), (100, InputKind::resumed())],
            &expect![[r#"
                0 s: waiting until 1970-01-01T00:00:06.000Z
                0 s: wait 6000 ms
                2 s: wait 4000 ms
                100 s: wait 0 ms
            "#]],
        );
    }

    #[test]
    fn so_does_the_delay_before_another_attempt() {
        check(
            "a [command=false, max_retries=1, retry_delay=10s]",
            &[(4, InputKind::resumed())],
            &expect![[r#"
                0 s: wait 10000 ms
                4 s: wait 6000 ms
            "#]],
        );
    }

    #[test]
    fn the_time_to_answer_continues_while_the_process_is_away() {
        check(
            "a [shape=hexagon, timeout=1h]",
            &[(60, interrupt()), (120, InputKind::resumed())],
            &expect![[r#"
                0 s: asked until 1970-01-01T01:00:00.000Z
                120 s: asked until 1970-01-01T01:00:00.000Z
            "#]],
        );
        let cancel = InputKind::Cancel {
            by: "test".to_owned(),
        };
        check(
            "a [shape=hexagon, timeout=1h]",
            &[(60, cancel), (120, InputKind::resumed())],
            &expect![[r#"
                0 s: asked until 1970-01-01T01:00:00.000Z
                120 s: asked until 1970-01-01T01:02:00.000Z
            "#]],
        );
    }

    #[test]
    fn a_duration_that_is_none_fails() {
        check(
            "a [duration=soon]",
            &[],
            &expect![[r#"
            0 s: failed: invalid duration `soon` of `a`; expected e.g. `30s`, `5m` or `1h30m`
        "#]],
        );
    }
}
