//! What is wrong, what failed, what is asked: everything an editor underlines, as one list.
//!
//! Findings of the model come through unchanged, but not without end: a file of ten thousand nodes can break
//! one rule ten thousand times, which no list helps to read and every keystroke would send again. Of each
//! rule [`SHOWN`] diagnostics are underlined and the last of them says how many follow; code actions and
//! `attractor validate` know them all. Runs add two kinds: a failed node is reported at its declaration
//! with the reason and the tail of its output, until the next run or an edit takes the view away; a failure of a dry run
//! is information, as nothing has failed; an open question of a human gate is information at the gate, whose code actions
//! are the answers.

pub mod typing;

use attractor_dot::{Related, TextRange};
use attractor_model::{Node, Pipeline, Severity};
use rustc_hash::FxHashMap;

use crate::code_lens;
use crate::document::Document;
use crate::runs::{NodeState, NodeView, QuestionView, Reality, RunView};

/// One thing to underline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Who speaks.
    pub source: Source,
    /// The rule, or what the run says: a name with a page of its own.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for a user.
    pub message: String,
    /// The text it is about.
    pub range: TextRange,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// The text could be deleted without loss.
    pub unnecessary: bool,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The validator.
    Pipeline,
    /// A run.
    Run,
}

impl Source {
    /// The name editors show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pipeline => "attractor",
            Self::Run => "attractor run",
        }
    }
}

/// How many diagnostics of one rule are underlined in a file.
pub const SHOWN: usize = 250;

/// The code of a node that failed in a run.
pub const NODE_FAILED: &str = "node_failed";
/// The code of a question that waits for a user.
pub const WAITING: &str = "waiting_for_answer";

/// Everything to underline, by place. `runs` are the runs of the document's graphs, newest first.
pub fn diagnostics(doc: &Document, runs: &[RunView]) -> Vec<Diagnostic> {
    let mut problems = findings(&doc.analysis.diagnostics);
    for (_, pipeline) in doc.pipelines() {
        if let Some(run) = code_lens::current(runs, &pipeline.name) {
            let failed = run
                .nodes
                .iter()
                .filter(|node| node.state == NodeState::Fail);
            problems.extend(failed.filter_map(|view| {
                let node = pipeline.node_by_id(&view.id)?;
                Some(failure(node, view, run.reality))
            }));
        }
        for (question, node) in open_questions(pipeline, runs) {
            problems.push(waiting(node, question));
        }
    }
    problems.sort_by_key(|problem| problem.range);
    problems
}

/// The questions that wait at nodes of a pipeline.
fn open_questions<'a>(
    pipeline: &'a Pipeline,
    runs: &'a [RunView],
) -> impl Iterator<Item = (&'a QuestionView, &'a Node)> {
    let live = runs
        .iter()
        .filter(|run| run.graph == pipeline.name && run.state.is_live());
    let questions = live.flat_map(|run| &run.questions);
    questions.filter_map(|question| Some((question, pipeline.node_by_id(&question.node)?)))
}

/// The diagnostics, of each rule the first [`SHOWN`]. The last one that is shown counts those that are not.
fn findings(all: &[attractor_model::Diagnostic]) -> Vec<Diagnostic> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for found in all {
        *counts.entry(found.rule).or_default() += 1;
    }
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut problems = Vec::new();
    for found in all {
        let count = counts.get(found.rule).copied().unwrap_or_default();
        let seen = seen.entry(found.rule).or_default();
        *seen += 1;
        if *seen > SHOWN {
            continue;
        }
        let mut problem = finding(found);
        if *seen == SHOWN && count > SHOWN {
            let hidden = count - SHOWN;
            let more = format!(
                "\n{hidden} more `{}` diagnostics are hidden; run `attractor validate` to see all.",
                found.rule
            );
            problem.message.push_str(&more);
        }
        problems.push(problem);
    }
    problems
}

fn finding(found: &attractor_model::Diagnostic) -> Diagnostic {
    Diagnostic {
        source: Source::Pipeline,
        code: found.rule,
        severity: found.severity,
        message: found.message.clone(),
        range: found.range,
        related: found.related.clone(),
        unnecessary: found.unnecessary,
    }
}

fn failure(node: &Node, view: &NodeView, reality: Reality) -> Diagnostic {
    let reason = if view.summary.is_empty() {
        "no reason given"
    } else {
        &view.summary
    };
    if reality == Reality::Dry {
        let message = format!("dry run: `{}` fails: {reason}", node.id);
        return of_run(NODE_FAILED, Severity::Info, message, node);
    }
    let mut message = format!("`{}` failed: {reason}", node.id);
    if !view.output.is_empty() {
        message.push_str("\n\n");
        message.push_str(view.output.trim_end());
    }
    of_run(NODE_FAILED, Severity::Error, message, node)
}

fn waiting(node: &Node, question: &QuestionView) -> Diagnostic {
    let mut message = question.text.clone();
    if message.is_empty() {
        message = format!("`{}` is waiting for an answer.", node.id);
    }
    let choices: Vec<String> = question
        .options
        .iter()
        .map(|option| format!("[{}] {}", option.key, option.label))
        .collect();
    if !choices.is_empty() {
        message = format!("{message}\n{}", choices.join("   "));
    }
    of_run(WAITING, Severity::Info, message, node)
}

fn of_run(code: &'static str, severity: Severity, message: String, node: &Node) -> Diagnostic {
    Diagnostic {
        source: Source::Run,
        code,
        severity,
        message,
        range: node.range,
        related: Vec::new(),
        unnecessary: false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::fixture::{doc, draw};
    use crate::runs::{OptionView, QuestionKind, RunState};

    const TEXT: &str = "digraph p {\n  s [shape=Mdiamond]\n  t [shape=parallelogram, command=make]\n  g [handler=humn_gate]\n  s -> t -> g\n}\n";

    /// A run whose command failed, and that waits at its gate.
    fn failed_and_waiting() -> RunView {
        RunView {
            run: "r".into(),
            graph: "p".into(),
            state: RunState::Waiting,
            resumable: false,
            reality: Reality::Real,
            current: None,
            done: 1,
            total: 3,
            nodes: vec![NodeView {
                id: "t".into(),
                state: NodeState::Fail,
                summary: "exit code 2".into(),
                simulated: false,
                output: "make: no rule\n".into(),
                changed_files: false,
            }],
            questions: vec![QuestionView {
                id: "q".into(),
                node: "g".into(),
                kind: QuestionKind::Choice,
                text: "Ship?".into(),
                options: vec![OptionView {
                    key: "A".into(),
                    label: "Approve".into(),
                }],
            }],
            report: None,
        }
    }

    fn drawn(run: RunView) -> String {
        let doc = doc(TEXT);
        let problems = diagnostics(&doc, &[run]);
        let shown = problems.iter().map(|problem| {
            let message = problem.message.replace('\n', "⏎");
            (
                problem.range,
                format!(
                    "{} {} {}: {message}",
                    problem.severity.name(),
                    problem.source.name(),
                    problem.code
                ),
            )
        });
        draw(&doc, shown)
    }

    #[test]
    fn diagnostics_failures_and_questions_are_at_their_nodes() {
        expect![[r#"
            3 |   t [shape=parallelogram, command=make]
              |   ^ error attractor run node_failed: `t` failed: exit code 2⏎⏎make: no rule
            4 |   g [handler=humn_gate]
              |   ^ info attractor run waiting_for_answer: Ship?⏎[A] Approve
              |              ^^^^^^^^^ error attractor unknown_handler: unknown handler `humn_gate`; did you mean `human_gate`?
        "#]].assert_eq(&drawn(failed_and_waiting()));
    }

    #[test]
    fn a_failure_of_a_dry_run_is_not_an_error() {
        let dry = RunView {
            reality: Reality::Dry,
            questions: Vec::new(),
            ..failed_and_waiting()
        };
        expect![[r#"
            3 |   t [shape=parallelogram, command=make]
              |   ^ info attractor run node_failed: dry run: `t` fails: exit code 2
            4 |   g [handler=humn_gate]
              |              ^^^^^^^^^ error attractor unknown_handler: unknown handler `humn_gate`; did you mean `human_gate`?
        "#]].assert_eq(&drawn(dry));
    }

    #[test]
    fn repeated_diagnostics_of_a_rule_are_limited() {
        let many = SHOWN + 17;
        let nodes: Vec<String> = (0..many).map(|n| format!("n{n} [promt=x]\n")).collect();
        let nodes = nodes.concat();
        let doc = doc(&format!("digraph p {{\n goal=x\n{nodes}}}"));
        let found = diagnostics(&doc, &[]);
        let of_rule: Vec<_> = found
            .iter()
            .filter(|one| one.code == "unknown_attribute")
            .collect();
        assert_eq!(of_rule.len(), SHOWN);
        let last = of_rule
            .last()
            .map(|last| last.message.lines().last().unwrap());
        expect![[r#"Some("17 more `unknown_attribute` diagnostics are hidden; run `attractor validate` to see all.")"#]]
            .assert_eq(&format!("{last:?}"));
        assert!(
            of_rule
                .iter()
                .rev()
                .skip(1)
                .all(|one| !one.message.contains(" more of "))
        );
    }
}
