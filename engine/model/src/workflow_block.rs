//! The workflow block: what a model is shown of the workflow it works in, before its prompt.
//!
//! A pure function of the pipeline and of how far a run is. The executor puts it at the head of a prompt, the editor
//! shows it for the next run.

use std::collections::BTreeMap;
use std::fmt::Write;

use attractor_lang::condition::Keyword;

use crate::catalogue::NodeKind;
use crate::pipeline::{Edge, Node, NodeIx, Pipeline};
use crate::retry_preset::RetryPreset;

/// How far a run is when a node is about to be executed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// The nodes that were left before, in order, the latest last.
    pub path: Vec<Visit>,
    /// Whether there were more before those.
    pub is_cut: bool,
    /// The attempt that begins, from 1.
    pub attempt: u32,
    /// What the user wants, if the run was given a task.
    pub task: Option<String>,
    /// The prompt of the node, filled in; without it, as it is written.
    pub action: Option<String>,
    /// The instructions of the node, filled in; without them, as they are written.
    pub hint: Option<String>,
    /// The reasons of escalations, filled in, by node; without one, as it is written.
    pub reasons: BTreeMap<String, String>,
}

/// A node that was left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visit {
    /// Its ID.
    pub node: String,
    /// Its result.
    pub failed: bool,
    /// Why it escalated, when it is an escalation.
    pub reason: Option<String>,
}

/// Steps of the path that are shown.
const SHOWN_STEPS: usize = 12;
/// Nodes that were not visited yet and are listed.
const SHOWN_PENDING: usize = 12;
/// Longer texts are cut.
const MAX_LINE: usize = 300;

/// Whether the prompts of a pipeline begin with the block.
pub fn is_wanted(pipeline: &Pipeline) -> bool {
    pipeline
        .attributes
        .bool("workflow_context")
        .unwrap_or(false)
}

/// The last line of a block.
const LAST_LINE: &str = "Execute the current step. Do not skip ahead.";

/// A prompt without the block at its head.
pub fn without_block(prompt: &str) -> &str {
    let rest = prompt
        .starts_with("[WORKFLOW: ")
        .then(|| prompt.split_once(LAST_LINE));
    rest.flatten().map_or(prompt, |(_, rest)| rest)
}

/// The block for a node, ended by a line end.
pub fn workflow_block(pipeline: &Pipeline, ix: NodeIx, progress: &Progress) -> String {
    let Some(node) = pipeline.node(ix) else {
        return String::new();
    };
    let mut block = String::new();
    let name = pipeline.attributes.text("label").map(str::trim);
    let name = name
        .filter(|name| !name.is_empty())
        .unwrap_or(&pipeline.name);
    let _ = writeln!(block, "[WORKFLOW: {}]", line(name));
    if let Some(task) = &progress.task {
        let _ = writeln!(block, "  Task: {}", line(task));
    }
    path(&mut block, pipeline, node, progress);
    details(&mut block, node, progress);
    for way in ways_on(pipeline, ix, progress) {
        let _ = writeln!(block, "    {way}");
    }
    past(&mut block, pipeline, progress);
    pending(&mut block, pipeline, node, progress);
    let _ = writeln!(block, "\n{LAST_LINE}");
    block
}

/// `a [DONE] → b << CURRENT (attempt 2/3)`.
fn path(block: &mut String, pipeline: &Pipeline, node: &Node, progress: &Progress) {
    let hidden = progress.path.len().saturating_sub(SHOWN_STEPS);
    block.push_str("  ");
    if hidden > 0 || progress.is_cut {
        block.push_str("… → ");
    }
    for visit in progress.path.iter().skip(hidden) {
        let mark = match pipeline.node_by_id(&visit.node).map(|node| node.kind) {
            Some(NodeKind::Escalate) => "ESCALATED",
            Some(NodeKind::Conditional) => "DECIDED",
            _ if visit.failed => "FAILED",
            _ => "DONE",
        };
        let _ = write!(block, "{} [{mark}] → ", visit.node);
    }
    let attempts = RetryPreset::of(pipeline, node).attempts;
    let attempt = progress.attempt.max(1);
    let _ = writeln!(
        block,
        "{} << CURRENT (attempt {attempt}/{})",
        node.id,
        attempts.max(attempt)
    );
}

/// What the node is to do, and how it is checked.
fn details(block: &mut String, node: &Node, progress: &Progress) {
    let attribute = |name: &str| {
        let text = node.attributes.get(name).map(crate::Attribute::value);
        text.filter(|text| !text.trim().is_empty())
    };
    let action = progress.action.as_deref().or_else(|| attribute("prompt"));
    let hint = progress.hint.as_deref();
    let hint = hint.or_else(|| attribute("user_instructions"));
    let verify = attribute("verify").map(checked);
    let rows = [
        ("Action", Some(line(action.unwrap_or(node.label())))),
        ("Tool", attribute("tool").map(line)),
        ("Hint", hint.map(line)),
        ("Verify", verify),
    ];
    for (name, text) in rows {
        if let Some(text) = text {
            let _ = writeln!(block, "    {name}: {text}");
        }
    }
}

/// A check in words.
fn checked(verify: &str) -> String {
    let (kind, value) = verify.split_once(':').unwrap_or((verify, ""));
    let value = line(value);
    match kind.trim() {
        "any_output" => "any non-empty output".to_owned(),
        "output_contains" => format!("the output contains \"{value}\""),
        "output_not_contains" => format!("the output does not contain \"{value}\""),
        "exit_code" => format!("the exit code is {value}"),
        "matches" => format!("the output matches /{value}/"),
        "file_exists" => format!("the file {value} exists"),
        "json" => format!("the output is JSON with {value}"),
        _ => line(verify),
    }
}

/// The ways on from a node, in routing order: `On success → test`.
fn ways_on(pipeline: &Pipeline, ix: NodeIx, progress: &Progress) -> Vec<String> {
    let Some(node) = pipeline.node(ix) else {
        return Vec::new();
    };
    let edges = || {
        pipeline
            .outgoing(ix)
            .iter()
            .filter_map(|edge| pipeline.edge(*edge))
    };
    let has = |word| edges().any(|edge| keyword(edge) == Some(word));
    let retries = RetryPreset::of(pipeline, node).attempts > 1;
    // With a rank: success first, then another attempt, then all else in routing order.
    let mut ways: Vec<(u8, String)> = Vec::new();
    for edge in edges() {
        let (rank, when) = match (keyword(edge), edge.condition_text()) {
            (Some(Keyword::OnSuccess), _) => (0, "On success".to_owned()),
            (Some(Keyword::OnRetry), _) => (1, "On fail (retries left)".to_owned()),
            (Some(Keyword::OnFail), _) if !retries => (2, "On fail".to_owned()),
            (Some(Keyword::OnFail | Keyword::OnExhaust), _) => {
                (2, "On fail (exhausted)".to_owned())
            }
            (None, Some(condition)) if !condition.trim().is_empty() => {
                (2, format!("If {}", line(condition)))
            }
            _ if edges().any(Edge::is_conditional) && !is_always(edge) => {
                (2, "Otherwise".to_owned())
            }
            _ => (2, "Then".to_owned()),
        };
        let target = target(pipeline, edge.to, progress);
        ways.push((rank, format!("{when} → {target}")));
    }
    if retries && !has(Keyword::OnRetry) {
        ways.push((1, format!("On fail (retries left) → retry {}", node.id)));
    }
    if crate::analysis::stops_on_failure(pipeline, ix) {
        ways.push((2, "On fail → the workflow fails".to_owned()));
    }
    ways.sort_by_key(|(rank, _)| *rank);
    ways.into_iter().map(|(_, way)| way).collect()
}

/// The keyword that is the whole condition of an edge.
fn keyword(edge: &Edge) -> Option<Keyword> {
    let text = edge.condition_text()?.trim();
    let condition = edge.condition.as_ref()?;
    let is_whole = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    condition.keywords().next().filter(|_| is_whole)
}

fn is_always(edge: &Edge) -> bool {
    let text = edge.condition_text().unwrap_or_default();
    text.trim().eq_ignore_ascii_case("always")
}

/// Where a way leads, with what a decision is about.
fn target(pipeline: &Pipeline, to: NodeIx, progress: &Progress) -> String {
    let Some(node) = pipeline.node(to) else {
        return String::new();
    };
    let label = line(node.label());
    let said = |name| node.attributes.text(name).map(line);
    match node.kind {
        NodeKind::Escalate => {
            let reason = progress.reasons.get(&*node.id).map(|reason| line(reason));
            let reason = reason.or_else(|| said("reason")).unwrap_or(label);
            format!("{} (escalate: {reason})", node.id)
        }
        NodeKind::Conditional => match said("description") {
            Some(description) => format!("{} (decision: {description})", node.id),
            None => format!("{} (decision)", node.id),
        },
        _ if node.terminal => format!("{} (end)", node.id),
        _ => node.id.to_string(),
    }
}

/// Decisions since the last other node, and escalations of the whole path, with their texts.
fn past(block: &mut String, pipeline: &Pipeline, progress: &Progress) {
    let kind = |visit: &Visit| pipeline.node_by_id(&visit.node).map(|node| node.kind);
    let decisions = progress
        .path
        .iter()
        .rev()
        .take_while(|visit| kind(visit) == Some(NodeKind::Conditional));
    for visit in decisions {
        let node = pipeline.node_by_id(&visit.node);
        let description = node.and_then(|node| node.attributes.text("description"));
        if let Some(description) = description {
            let _ = writeln!(block, "  Decision {}: {}", visit.node, line(description));
        }
    }
    for visit in progress
        .path
        .iter()
        .filter(|visit| kind(visit) == Some(NodeKind::Escalate))
    {
        let level = pipeline.node_by_id(&visit.node);
        let level = level.and_then(|node| node.attributes.text("pace_level"));
        let level = level.unwrap_or("contingent").trim().to_lowercase();
        let reason = visit.reason.as_deref().map(line).unwrap_or_default();
        let _ = writeln!(block, "  Escalated by {} ({level}): {reason}", visit.node);
    }
}

fn pending(block: &mut String, pipeline: &Pipeline, node: &Node, progress: &Progress) {
    let is_pending = |other: &&Node| {
        other.id != node.id && progress.path.iter().all(|visit| visit.node != *other.id)
    };
    let pending: Vec<&str> = pipeline
        .nodes
        .iter()
        .filter(is_pending)
        .map(|node| &*node.id)
        .collect();
    if pending.is_empty() {
        return;
    }
    let more = match pending.len().saturating_sub(SHOWN_PENDING) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let shown: Vec<&str> = pending.into_iter().take(SHOWN_PENDING).collect();
    let _ = writeln!(block, "  Pending: {}{more}", shown.join(", "));
}

/// Whether the block shows a text as it is.
pub fn fits(text: &str) -> bool {
    let text = text.trim();
    !text.contains('\n') && text.chars().count() <= MAX_LINE
}

/// A text in one line, cut when it is long.
fn line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= MAX_LINE {
        return joined;
    }
    let cut: String = joined.chars().take(MAX_LINE).collect();
    format!("{cut}…")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const BUGFIX: &str = r#"digraph bugfix_workflow {
        label="Bug Fix Workflow"
        reproduce [start=true, prompt="Run the failing command"]
        decide [shape=diamond, description="Is it a simple fix?"]
        fix [
            prompt="Make the minimal code change to fix the identified root cause",
            tool=code_execution_tool, user_instructions="Edit the file(s) with the fix",
            verify=any_output, max_retries=2
        ]
        test [prompt="Test it", verify="output_not_contains:error"]
        stuck [shape=octagon, reason="unable to fix", pace_level=alternate]
        done [shape=Msquare]
        reproduce -> decide [condition=on_success]
        reproduce -> stuck [condition=on_fail]
        decide -> fix
        fix -> test [condition=on_success]
        fix -> stuck [condition=on_exhaust]
        test -> done [condition=on_success]
        test -> fix [condition="on_fail and retries < 3"]
        stuck -> test
    }"#;

    fn visit(text: &str) -> Visit {
        Visit {
            node: text.trim_end_matches('!').to_owned(),
            failed: text.ends_with('!'),
            reason: (text == "stuck").then(|| "unable to fix it".to_owned()),
        }
    }

    fn check(node: &str, path: &[&str], attempt: u32, expected: &Expect) {
        let pipelines = Pipeline::from_text(BUGFIX);
        let ix = pipelines[0].by_id(node).unwrap();
        let progress = Progress {
            path: path.iter().map(|text| visit(text)).collect(),
            attempt,
            ..Progress::default()
        };
        expected.assert_eq(&workflow_block(&pipelines[0], ix, &progress));
    }

    #[test]
    fn second_attempt_after_a_decision() {
        check(
            "fix",
            &["reproduce", "decide"],
            2,
            &expect![[r#"
            [WORKFLOW: Bug Fix Workflow]
              reproduce [DONE] → decide [DECIDED] → fix << CURRENT (attempt 2/3)
                Action: Make the minimal code change to fix the identified root cause
                Tool: code_execution_tool
                Hint: Edit the file(s) with the fix
                Verify: any non-empty output
                On success → test
                On fail (retries left) → retry fix
                On fail (exhausted) → stuck (escalate: unable to fix)
              Decision decide: Is it a simple fix?
              Pending: test, stuck, done

            Execute the current step. Do not skip ahead.
        "#]],
        );
    }

    #[test]
    fn first_node_of_the_next_run() {
        check(
            "reproduce",
            &[],
            1,
            &expect![[r#"
            [WORKFLOW: Bug Fix Workflow]
              reproduce << CURRENT (attempt 1/1)
                Action: Run the failing command
                On success → decide (decision: Is it a simple fix?)
                On fail → stuck (escalate: unable to fix)
              Pending: decide, fix, test, stuck, done

            Execute the current step. Do not skip ahead.
        "#]],
        );
    }

    #[test]
    fn after_a_failure_and_an_escalation() {
        check(
            "test",
            &["fix", "test!", "fix!", "stuck"],
            1,
            &expect![[r#"
                [WORKFLOW: Bug Fix Workflow]
                  fix [DONE] → test [FAILED] → fix [FAILED] → stuck [ESCALATED] → test << CURRENT (attempt 1/1)
                    Action: Test it
                    Verify: the output does not contain "error"
                    On success → done (end)
                    If on_fail and retries < 3 → fix
                  Escalated by stuck (alternate): unable to fix it
                  Pending: reproduce, decide, done

                Execute the current step. Do not skip ahead.
            "#]],
        );
    }

    #[test]
    fn reason_of_an_escalation_is_filled_in() {
        let pipelines = Pipeline::from_text(
            "digraph p { a [start=true, prompt=x]; b [shape=octagon, reason=\"{task} failed\"]; e [shape=Msquare]
             a -> e [condition=on_success]; a -> b [condition=on_fail] }",
        );
        let ix = pipelines[0].by_id("a").unwrap();
        let mut progress = Progress::default();
        let shown = |progress: &Progress| {
            let block = workflow_block(&pipelines[0], ix, progress);
            let way = block.lines().find(|line| line.contains("escalate"));
            way.map(|way| way.trim().to_owned()).unwrap()
        };
        assert_eq!(shown(&progress), "On fail → b (escalate: {task} failed)");
        let filled_in = ("b".to_owned(), "the login bug failed".to_owned());
        progress.reasons.extend([filled_in]);
        let expected = "On fail → b (escalate: the login bug failed)";
        assert_eq!(shown(&progress), expected);
    }

    #[test]
    fn prompt_without_its_block() {
        let pipelines = Pipeline::from_text(BUGFIX);
        let ix = pipelines[0].by_id("fix").unwrap();
        let block = workflow_block(&pipelines[0], ix, &Progress::default());
        assert_eq!(without_block(&format!("{block}\nDo it")).trim(), "Do it");
        assert_eq!(without_block("Do it"), "Do it");
    }

    #[test]
    fn long_path_task_and_long_texts_are_cut() {
        let pipelines =
            Pipeline::from_text("digraph p { goal=x; a -> b -> a; c [prompt=x]; c -> a }");
        let ix = pipelines[0].by_id("b").unwrap();
        let progress = Progress {
            path: vec![visit("a"); 40],
            attempt: 4,
            task: Some("do\n it".repeat(100)),
            action: Some("filled in".to_owned()),
            ..Progress::default()
        };
        expect![[r#"
            [WORKFLOW: p]
              Task: do itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo itdo it…
              … → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → a [DONE] → b << CURRENT (attempt 4/4)
                Action: filled in
                Then → a
                On fail → the workflow fails
              Pending: c

            Execute the current step. Do not skip ahead.
        "#]].assert_eq(&workflow_block(&pipelines[0], ix, &progress));
    }
}
