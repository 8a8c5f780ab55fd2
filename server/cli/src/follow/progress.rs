//! One line per thing worth telling about a run. Pure: an event in, lines out.
//!
//! A node that is done is one line; a node that failed also shows the last of what it wrote. With
//! `--verbose` also everything else it wrote, and why each way was taken.
//!
//! ```text
//! ✓ build                 Build it · 36 index.html                           4 ms
//! ✗ test                  Test · exit code 1                                61 ms
//! ```

use std::collections::{BTreeMap, VecDeque};

use attractor_run::{Event, EventKind, FailureClass, Place, Status, Stream};

use super::cells::{NAME, duration, fit, name};
use super::detail::Detail;
use super::notices;
use crate::console::plain;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, paint};

/// Lines of output that are kept for the case that their node fails.
const TAIL: usize = 12;

/// Turns events into lines.
#[derive(Debug, Default)]
pub struct Progress {
    detail: Detail,
    width: usize,
    labels: BTreeMap<String, String>,
    tails: BTreeMap<String, VecDeque<String>>,
    running: Vec<String>,
}

impl Progress {
    /// A teller for a terminal of `width` columns.
    pub fn new(detail: Detail, width: usize) -> Self {
        Self {
            detail,
            width: width.max(60),
            ..Self::default()
        }
    }

    /// The nodes at work, oldest first.
    pub fn running(&self) -> &[String] {
        &self.running
    }

    /// What to say about the next event; often nothing.
    pub fn lines(&mut self, event: &Event) -> Vec<String> {
        match &event.kind {
            EventKind::StageStarted { at, label, .. } => {
                let name = name(at);
                self.tails.remove(&name);
                self.labels.insert(name.clone(), plain(label).into_owned());
                self.running.push(name);
                Vec::new()
            }
            EventKind::StageOutput { at, stream, text } => self.output(at, *stream, text),
            EventKind::StageCompleted {
                at,
                status,
                duration_ms,
                summary,
                ..
            } => {
                let mark = match status {
                    Status::Fail | Status::Retry => paint(BAD, "✗"),
                    Status::Skipped => paint(FAINT, "-"),
                    Status::PartialSuccess => paint(ATTENTION, "✓"),
                    Status::Success | Status::Custom(_) => paint(GOOD, "✓"),
                };
                vec![self.done(at, &mark, summary, *duration_ms)]
            }
            EventKind::StageFailed {
                at,
                reason,
                class,
                will_retry,
                duration_ms,
                ..
            } => self.failed(at, reason, *class, *duration_ms, *will_retry),
            EventKind::PipelineCompleted { .. }
            | EventKind::PipelineFailed { .. }
            | EventKind::PipelineCancelled { .. }
            | EventKind::PipelineInterrupted { .. } => {
                self.running.clear();
                Vec::new()
            }
            _ => notices::lines(event, self.detail),
        }
    }

    fn output(&mut self, at: &Place, stream: Stream, text: &str) -> Vec<String> {
        let lines: Vec<String> = text.lines().map(|line| plain(line).into_owned()).collect();
        if self.detail == Detail::Verbose {
            let node = name(at);
            return lines
                .iter()
                .map(|line| paint(FAINT, format!("  {node} | {line}")))
                .collect();
        }
        if matches!(stream, Stream::Stdout | Stream::Stderr) {
            let tail = self.tails.entry(name(at)).or_default();
            tail.extend(lines);
            let surplus = tail.len().saturating_sub(TAIL);
            tail.drain(..surplus);
        }
        Vec::new()
    }

    fn failed(
        &mut self,
        at: &Place,
        reason: &str,
        class: FailureClass,
        duration_ms: u64,
        will_retry: bool,
    ) -> Vec<String> {
        let mark = match (class, will_retry) {
            (FailureClass::Canceled, _) => paint(ATTENTION, "■"),
            (_, true) => paint(ATTENTION, "✗"),
            (_, false) => paint(BAD, "✗"),
        };
        let mut lines = vec![self.done(at, &mark, reason, duration_ms)];
        if !will_retry && let Some(tail) = self.tails.remove(&name(at)) {
            lines.extend(tail.iter().map(|line| paint(FAINT, format!("    {line}"))));
        }
        lines
    }

    fn done(&mut self, at: &Place, mark: &str, said: &str, duration_ms: u64) -> String {
        let node = name(at);
        if let Some(index) = self.running.iter().position(|one| *one == node) {
            self.running.remove(index);
        }
        let label = self
            .labels
            .get(&node)
            .filter(|label| **label != at.node)
            .cloned();
        let said = plain(said.lines().next().unwrap_or_default()).into_owned();
        let text: Vec<String> = label
            .into_iter()
            .chain((!said.is_empty()).then_some(said))
            .collect();
        let took = duration(duration_ms);
        let room = self.width.saturating_sub(NAME + 4 + took.len());
        let text = fit(&text.join(" · "), room);
        format!(
            "{mark} {:NAME$} {text} {}",
            fit(&node, NAME),
            paint(FAINT, took)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use crate::follow::Detail;
    use attractor_run::Event;
    use expect_test::expect;
    use serde_json::{Value, json};

    /// What is said about these events, without colours.
    fn told(detail: Detail, events: &[Value]) -> String {
        let mut progress = Progress::new(detail, 80);
        let lines = events.iter().zip(1..).flat_map(|(event, seq)| {
            let mut event = event.clone();
            for (key, value) in [
                ("run", json!("R")),
                ("seq", json!(seq)),
                ("time", json!("")),
            ] {
                event
                    .as_object_mut()
                    .map(|fields| fields.insert(key.to_owned(), value));
            }
            let event: Event =
                serde_json::from_value(event).unwrap_or_else(|error| unreachable!("{error}"));
            progress.lines(&event)
        });
        anstream::adapter::strip_str(&lines.collect::<Vec<_>>().join("\n")).to_string()
    }

    fn stage(kind: &str, more: &Value) -> Value {
        let mut event = json!({"type": kind, "node": "test", "visit": 1, "attempt": 1});
        let fields = event.as_object_mut().into_iter();
        fields.for_each(|fields| fields.extend(more.as_object().cloned().unwrap_or_default()));
        event
    }

    #[test]
    fn a_node_that_failed_shows_the_end_of_what_it_wrote() {
        let output = (1..=20)
            .map(|line| format!("line {line}\n"))
            .collect::<Vec<_>>()
            .concat();
        let events = [
            stage(
                "stage_started",
                &json!({"kind": "tool", "label": "Test it"}),
            ),
            stage("stage_output", &json!({"stream": "stderr", "text": output})),
            stage(
                "stage_failed",
                &json!({"reason": "exit code 1", "class": "deterministic", "willRetry": false, "durationMs": 61}),
            ),
        ];
        expect![[r#"
            ✗ test                   Test it · exit code 1                             61 ms
                line 9
                line 10
                line 11
                line 12
                line 13
                line 14
                line 15
                line 16
                line 17
                line 18
                line 19
                line 20"#]]
        .assert_eq(&told(Detail::Brief, &events));
    }

    #[test]
    fn text_of_a_node_cannot_drive_the_terminal() {
        let events = [
            stage(
                "stage_started",
                &json!({"kind": "tool", "label": "\u{1b}[2Jx"}),
            ),
            stage(
                "stage_completed",
                &json!({"status": "success", "durationMs": 4, "summary": "\u{7}done"}),
            ),
        ];
        expect!["✓ test                   ␛[2Jx · ␇done                                      4 ms"]
            .assert_eq(&told(Detail::Brief, &events));
    }
}
