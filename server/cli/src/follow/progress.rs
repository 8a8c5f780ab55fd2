//! The lines of a run's progress. Pure: an event in, lines out.
//!
//! A node that is done is one line; a node that failed also shows the end of its output. With
//! `--verbose`, all of its output, and why each edge was chosen.
//!
//! ```text
//! ✓ build                      4 ms  Build it · 36 index.html
//! ✗ test                      61 ms  Test · exit code 1
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use attractor_run::figures::duration;
use attractor_run::{
    AgentNotice, Event, EventKind, FailureClass, NodeAttempt, Status, Stream, ToolCallEnd,
    ToolCallStart, elapsed_ms,
};

use super::labels::{NAME_COLUMNS, name};
use super::notices;
use super::verbosity::Verbosity;
use crate::columns::{fit, shortened, width as columns};
use crate::console::plain;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, paint};

/// Lines of output that are kept in case the node fails.
const TAIL_LINES: usize = 12;

/// The columns of a duration, which is before the text: a line is as long as its text, so that it is not wrapped when the
/// window gets narrower by a little.
const DURATION_COLUMNS: usize = 8;

/// Turns events into lines.
#[derive(Debug, Default)]
pub struct Progress {
    detail: Verbosity,
    /// Where and how real the run is resumed.
    resumed: Option<String>,
    /// What is simulated, in a sentence.
    note: Option<String>,
    labels: BTreeMap<String, String>,
    tails: BTreeMap<String, VecDeque<String>>,
    running: Vec<Running>,
    /// How far agents are, by node, and what they have spent.
    agents: BTreeMap<String, (String, f64)>,
    /// The last line each running node printed.
    last_lines: BTreeMap<String, String>,
    /// The nodes of the pipeline itself that have ended.
    done: BTreeSet<String>,
    /// USD, of attempts that have ended.
    cost: f64,
}

/// An attempt that has started and not ended.
#[derive(Debug)]
struct Running {
    at: NodeAttempt,
    /// RFC 3339.
    since: String,
}

/// A running node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningNode {
    /// Its name, with graph and visit where they matter.
    pub name: String,
    /// How far its agent is, else the last line it printed.
    pub doing: Option<String>,
}

/// How an attempt failed.
struct Failure<'e> {
    reason: &'e str,
    class: FailureClass,
    will_retry: bool,
}

impl Progress {
    /// Progress of a run that is followed from its start. `resumed` is where and how real it is resumed, `note` is what is
    /// simulated.
    pub fn new(detail: Verbosity, resumed: Option<String>, note: Option<String>) -> Self {
        Self {
            detail,
            resumed,
            note,
            ..Self::default()
        }
    }

    /// The running nodes, oldest first.
    pub fn running(&self) -> Vec<RunningNode> {
        let doing = |name: &String| {
            let agent = self.agents.get(name).map(|(summary, _)| summary);
            agent.or_else(|| self.last_lines.get(name)).cloned()
        };
        let node = |running: &Running| {
            let name = name(&running.at);
            let doing = doing(&name);
            RunningNode { name, doing }
        };
        self.running.iter().map(node).collect()
    }

    /// How many nodes of the pipeline have ended.
    pub fn ended_nodes(&self) -> usize {
        self.done.len()
    }

    /// USD spent until now.
    pub fn cost(&self) -> f64 {
        self.cost + self.agents.values().map(|(_, cost)| cost).sum::<f64>()
    }

    /// The lines for the next event, of at most `width` columns; often none.
    pub fn lines(&mut self, event: &Event, width: usize) -> Vec<String> {
        match &event.kind {
            EventKind::StageStarted { at, label, .. } => {
                let name = name(at);
                self.forget(at);
                self.tails.remove(&name);
                self.labels.insert(name.clone(), plain(label).into_owned());
                self.running.push(Running {
                    at: at.clone(),
                    since: event.time.clone(),
                });
                Vec::new()
            }
            EventKind::StageOutput { at, stream, text } => self.output(at, *stream, text),
            EventKind::AgentProgress { at, progress } => {
                let summary = plain(&progress.summary()).into_owned();
                self.agents.insert(name(at), (summary, progress.cost));
                Vec::new()
            }
            EventKind::AgentToolCallStart { at, call } => self.tool_call(at, call, width),
            EventKind::AgentToolCallEnd { at, call } if call.is_error => {
                self.tool_error(at, call, width)
            }
            EventKind::AgentToolHook { at, report } if self.detail == Verbosity::Verbose => {
                tool_line(at, &report.summary(), width)
            }
            EventKind::AgentNotice { at, notice } => self.notice(at, notice, width),
            EventKind::StageCompleted {
                at,
                status,
                duration_ms,
                summary,
                usage,
                model,
            } => {
                self.cost += usage.cost;
                if at.graph.is_none() {
                    self.done.insert(at.node.clone());
                }
                let mark = match status {
                    Status::Fail | Status::Retry => paint(BAD, "✗"),
                    Status::Skipped => paint(FAINT, "-"),
                    Status::PartialSuccess => paint(ATTENTION, "✓"),
                    Status::Success | Status::Custom(_) => paint(GOOD, "✓"),
                };
                let mut lines = vec![self.done(at, &mark, summary, *duration_ms, width)];
                let warnings = model.iter().flat_map(|model| &model.warnings);
                lines.extend(warnings.map(|text| paint(ATTENTION, format!("  ! {}", plain(text)))));
                lines
            }
            EventKind::StageFailed {
                at,
                reason,
                class,
                will_retry,
                duration_ms,
                usage,
                ..
            } => {
                self.cost += usage.cost;
                if !will_retry && at.graph.is_none() {
                    self.done.insert(at.node.clone());
                }
                let failure = Failure {
                    reason,
                    class: *class,
                    will_retry: *will_retry,
                };
                self.failed(at, &failure, *duration_ms, width)
            }
            EventKind::StageStopped { at, usage } => {
                self.cost += usage.cost;
                self.stopped(at, "cancelled", &event.time, width)
            }
            EventKind::PipelineCompleted { .. }
            | EventKind::PipelineFailed { .. }
            | EventKind::PipelineCancelled { .. } => {
                self.all_stopped("cancelled", &event.time, width)
            }
            EventKind::PipelineInterrupted { .. } => {
                self.all_stopped("interrupted", &event.time, width)
            }
            // The other run that these attempts belong to is not continued.
            EventKind::PipelineForked { .. } => {
                self.running.clear();
                notices::lines(event, self.detail)
            }
            EventKind::PipelineStarted {
                pipeline,
                goal,
                sandbox,
                ..
            } => {
                let pipeline = match &self.resumed {
                    Some(resumed) => format!("{pipeline} · {resumed}"),
                    None => pipeline.clone(),
                };
                notices::started(&pipeline, goal, self.note.as_deref(), sandbox.as_deref())
            }
            _ => notices::lines(event, self.detail),
        }
    }

    fn output(&mut self, at: &NodeAttempt, stream: Stream, text: &str) -> Vec<String> {
        let lines: Vec<String> = text.lines().map(|line| plain(line).into_owned()).collect();
        if let Some(last) = lines.iter().rfind(|line| !line.trim().is_empty()) {
            self.last_lines.insert(
                name(at),
                last.split_whitespace().collect::<Vec<_>>().join(" "),
            );
        }
        if self.detail == Verbosity::Verbose {
            let node = name(at);
            return lines
                .iter()
                .map(|line| paint(FAINT, format!("  {node} | {line}")))
                .collect();
        }
        if matches!(stream, Stream::Stdout | Stream::Stderr) {
            let tail = self.tails.entry(name(at)).or_default();
            tail.extend(lines);
            let surplus = tail.len().saturating_sub(TAIL_LINES);
            tail.drain(..surplus);
        }
        Vec::new()
    }

    /// `  fix → shell cargo test`, with `--verbose`.
    fn tool_call(&mut self, at: &NodeAttempt, call: &ToolCallStart, width: usize) -> Vec<String> {
        let tool = &call.tool_name;
        // Until the first figures of the agent come.
        let row = self.agents.entry(name(at));
        row.or_insert_with(|| (plain(tool).into_owned(), 0.0));
        if self.detail != Verbosity::Verbose {
            return Vec::new();
        }
        tool_line(at, &format!("→ {tool} {}", call.subject()), width)
    }

    /// `  fix ✗ shell: exit code 1`, with `--verbose`.
    fn tool_error(&self, at: &NodeAttempt, call: &ToolCallEnd, width: usize) -> Vec<String> {
        if self.detail != Verbosity::Verbose {
            return Vec::new();
        }
        tool_line(at, &format!("✗ {}: {}", call.tool_name, call.output), width)
    }

    fn failed(
        &mut self,
        at: &NodeAttempt,
        failure: &Failure<'_>,
        duration_ms: u64,
        width: usize,
    ) -> Vec<String> {
        let mark = match (failure.class, failure.will_retry) {
            (FailureClass::Canceled, _) => paint(ATTENTION, "■"),
            (_, true) => paint(ATTENTION, "✗"),
            (_, false) => paint(BAD, "✗"),
        };
        let mut lines = vec![self.done(at, &mark, failure.reason, duration_ms, width)];
        if !failure.will_retry
            && let Some(tail) = self.tails.remove(&name(at))
        {
            lines.extend(tail.iter().map(|line| paint(FAINT, format!("    {line}"))));
        }
        lines
    }

    /// The lines for the attempts that the end of the run has stopped.
    fn all_stopped(&mut self, how: &str, time: &str, width: usize) -> Vec<String> {
        let open: Vec<NodeAttempt> = self.running.iter().map(|one| one.at.clone()).collect();
        let lines = open
            .iter()
            .flat_map(|at| self.stopped(at, how, time, width));
        lines.collect()
    }

    /// `■ test  5.8 s  cancelled`, of an attempt that did not end by itself.
    fn stopped(&mut self, at: &NodeAttempt, how: &str, time: &str, width: usize) -> Vec<String> {
        let node = name(at);
        let running = self.running.iter().find(|one| name(&one.at) == node);
        let Some(ran_ms) = running.map(|one| elapsed_ms(&one.since, time)) else {
            return Vec::new();
        };
        vec![self.done(at, &paint(ATTENTION, "■"), how, ran_ms, width)]
    }

    /// What an agent reports besides its calls; what it changed and how it keeps within its window only in detail.
    fn notice(&self, at: &NodeAttempt, notice: &AgentNotice, width: usize) -> Vec<String> {
        let is_detail = matches!(
            notice,
            AgentNotice::FilesChanged { .. } | AgentNotice::Compacted { .. }
        );
        if is_detail && self.detail != Verbosity::Verbose {
            Vec::new()
        } else {
            tool_line(at, &notice.summary(), width)
        }
    }

    /// An attempt of this visit has ended, or was cut off by the end of its process and begins again.
    fn forget(&mut self, at: &NodeAttempt) {
        let visit = |at: &NodeAttempt| {
            let (graph, node, branch) = (at.graph.clone(), at.node.clone(), at.branch.clone());
            (graph, node, branch, at.visit)
        };
        self.running.retain(|one| visit(&one.at) != visit(at));
    }

    fn done(
        &mut self,
        at: &NodeAttempt,
        mark: &str,
        summary: &str,
        duration_ms: u64,
        width: usize,
    ) -> String {
        let node = name(at);
        self.forget(at);
        self.agents.remove(&node);
        self.last_lines.remove(&node);
        let label = self
            .labels
            .get(&node)
            .filter(|label| **label != at.node)
            .cloned();
        let summary = plain(summary.lines().next().unwrap_or_default()).into_owned();
        let text: Vec<String> = label
            .into_iter()
            .chain((!summary.is_empty()).then_some(summary))
            .collect();
        let took = duration(duration_ms);
        // A narrow terminal gives the name less.
        let name = NAME_COLUMNS.min(width / 3);
        let took = format!("{took:>DURATION_COLUMNS$}");
        let rest = width.saturating_sub(name + 5 + columns(&took));
        let text = shortened(&text.join(" · "), rest);
        let line = format!("{mark} {} {}  {text}", fit(&node, name), paint(FAINT, took));
        line.trim_end().to_owned()
    }
}

fn tool_line(at: &NodeAttempt, text: &str, width: usize) -> Vec<String> {
    let node = name(at);
    let line = text.lines().next().unwrap_or_default();
    let most = width.saturating_sub(node.chars().count() + 4).max(20);
    let shown: String = plain(line).chars().take(most).collect();
    vec![paint(FAINT, format!("  {node} {shown}"))]
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use crate::follow::Verbosity;
    use attractor_run::Event;
    use expect_test::expect;
    use serde_json::{Value, json};

    /// The lines for these events, without colours.
    fn printed(detail: Verbosity, events: &[Value]) -> String {
        print(&mut Progress::new(detail, None, None), events)
    }

    fn print(progress: &mut Progress, events: &[Value]) -> String {
        let lines = events.iter().zip(1..).flat_map(|(event, seq)| {
            let mut event = event.clone();
            for (key, value) in [
                ("run", json!("R")),
                ("seq", json!(seq)),
                ("time", json!("")),
            ] {
                event
                    .as_object_mut()
                    .map(|fields| fields.entry(key.to_owned()).or_insert(value));
            }
            let event: Event =
                serde_json::from_value(event).unwrap_or_else(|error| unreachable!("{error}"));
            progress.lines(&event, 80)
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
    fn failed_nodes_show_the_end_of_their_output() {
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
                &json!({"reason": "exit code 1", "class": "deterministic", "will_retry": false, "duration_ms": 61}),
            ),
        ];
        expect![[r#"
            ✗ test                      61 ms  Test it · exit code 1
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
        .assert_eq(&printed(Verbosity::Brief, &events));
    }

    #[test]
    fn the_first_tool_of_an_agent_is_shown_while_it_runs() {
        let mut progress = Progress::new(Verbosity::Brief, None, None);
        let call = json!({"tool_call_id": "1", "tool_name": "shell", "arguments": {}});
        let events = [
            stage(
                "stage_started",
                &json!({"kind": "codergen", "label": "Fix"}),
            ),
            stage("agent.tool_call_start", &call),
        ];
        assert_eq!(print(&mut progress, &events), "");
        let running = progress.running();
        let doing: Vec<_> = running.iter().map(|node| node.doing.as_deref()).collect();
        assert_eq!(doing, [Some("shell")]);
    }

    #[test]
    fn nodes_that_are_stopped_are_listed_with_their_time() {
        let started = |time: &str| {
            let more = json!({"kind": "tool", "label": "test", "time": time});
            stage("stage_started", &more)
        };
        let cancelled = json!({"type": "pipeline_cancelled", "by": "ann", "steps": 1, "time": "2026-01-01T00:00:05.800Z"});
        let events = [started("2026-01-01T00:00:00Z"), cancelled];
        expect!["■ test                      5.8 s  cancelled"]
            .assert_eq(&printed(Verbosity::Brief, &events));
        let stopped = json!({"usage": {}, "time": "2026-01-01T00:00:02Z"});
        let interrupted = json!({"type": "pipeline_interrupted", "by": "ann", "steps": 2, "time": "2026-01-01T00:00:04Z"});
        let events = [
            started("2026-01-01T00:00:00Z"),
            stage("stage_stopped", &stopped),
            started("2026-01-01T00:00:03Z"),
            interrupted,
        ];
        expect![[r#"
            ■ test                      2.0 s  cancelled
            ■ test                      1.0 s  interrupted"#]]
        .assert_eq(&printed(Verbosity::Brief, &events));
    }

    #[test]
    fn a_node_that_began_again_after_its_process_had_ended_is_not_running_twice() {
        let started = stage("stage_started", &json!({"kind": "tool", "label": "test"}));
        let done = stage(
            "stage_completed",
            &json!({"status": "success", "duration_ms": 4, "summary": "ok"}),
        );
        let ended =
            json!({"type": "pipeline_completed", "steps": 1, "duration_ms": 4, "usage": {}});
        let resumed = json!({"type": "pipeline_resumed"});
        let events = [
            started.clone(),
            resumed,
            started.clone(),
            done.clone(),
            ended.clone(),
        ];
        let printed_resumed = printed(Verbosity::Brief, &events);
        assert!(!printed_resumed.contains("cancelled"), "{printed_resumed}");

        let other = json!({"type": "stage_started", "node": "other", "visit": 1, "attempt": 1, "kind": "tool", "label": ""});
        let forked = json!({"type": "pipeline_forked", "from": "R", "node": "test", "visit": 1, "attempt": 1, "files": "unchanged"});
        let events = [other, started.clone(), forked, started, done, ended];
        let printed_forked = printed(Verbosity::Brief, &events);
        assert!(!printed_forked.contains("cancelled"), "{printed_forked}");
    }

    #[test]
    fn control_characters_are_escaped() {
        let events = [
            stage(
                "stage_started",
                &json!({"kind": "tool", "label": "\u{1b}[2Jx"}),
            ),
            stage(
                "stage_completed",
                &json!({"status": "success", "duration_ms": 4, "summary": "\u{7}done"}),
            ),
        ];
        expect!["✓ test                       4 ms  ␛[2Jx · ␇done"]
            .assert_eq(&printed(Verbosity::Brief, &events));
    }
}
