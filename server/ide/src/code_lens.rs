//! Code lenses: what can be run, what runs, what is asked — over the line it belongs to.
//!
//! Titles are short and change only when the state changes (an editor that redraws a lens moves the text
//! under the reader's eyes), so no clock and no percentage here. Each carries a [`Command`], so every client
//! that knows commands can act on it. Plain graphs get no lens but the preview.
//!
//! ```text
//! ▶ Run pipeline · ▶ Dry run · ⟲ Resume from build (3/7) · ◫ Preview
//! digraph release {
//!     [A] Approve · [R] Revise · ✎ answer…
//!     gate [shape=hexagon]
//! ```

use attractor_dot::TextRange;
use attractor_model::Pipeline;

use crate::command::{Command, RunMode};
use crate::document::Document;
use crate::runs::{NodeState, NodeView, OptionView, QuestionView, RunView};

/// A line over the text and what picking it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The text it is shown above.
    pub range: TextRange,
    /// What it says.
    pub title: String,
    /// What it does; `None` only informs.
    pub command: Option<Command>,
}

/// Which lenses a client wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LensOptions {
    /// `◫ Preview`: only for clients that have the command.
    pub preview: bool,
    /// The last or live status over each node.
    pub status: bool,
    /// `▶ Run from here` over each node.
    pub run_from_here: bool,
}

impl Default for LensOptions {
    fn default() -> Self {
        Self {
            preview: false,
            status: true,
            run_from_here: false,
        }
    }
}

/// The lenses of a document. `runs` are the runs of its graphs, newest first.
pub fn lenses(doc: &Document, runs: &[RunView], options: LensOptions) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for (number, tree) in doc.parse.file.graphs.iter().enumerate() {
        let range = tree
            .id
            .map_or(tree.keyword, |id| tree.keyword.cover(id.range));
        let mut add = |title: String, command| {
            lenses.push(Lens {
                range,
                title,
                command: Some(command),
            });
        };
        let Some(pipeline) = doc.pipeline(number) else {
            if options.preview
                && let Some(info) = doc.graph(number)
            {
                let graph = info.graph.name.clone().unwrap_or_default();
                add("◫ Preview".into(), Command::Preview { graph });
            }
            continue;
        };
        of_graph(pipeline, runs, options, &mut add);
        of_nodes(pipeline, runs, options, &mut lenses);
    }
    lenses
}

/// The run of a graph that its lenses speak of: the live one, else the newest.
pub(crate) fn current<'r>(runs: &'r [RunView], graph: &str) -> Option<&'r RunView> {
    let mut of_graph = runs.iter().filter(|run| run.graph == graph);
    of_graph
        .clone()
        .find(|run| run.state.is_live())
        .or_else(|| of_graph.next())
}

pub(crate) fn of_graph(
    pipeline: &Pipeline,
    runs: &[RunView],
    options: LensOptions,
    add: &mut impl FnMut(String, Command),
) {
    let graph = || pipeline.name.clone();
    let mut live = runs
        .iter()
        .filter(|run| run.graph == pipeline.name && run.state.is_live())
        .peekable();
    if live.peek().is_none() {
        add("▶ Run pipeline".into(), run(graph(), RunMode::Run, None));
        add("▶ Dry run".into(), run(graph(), RunMode::DryRun, None));
        if let Some(last) = current(runs, &pipeline.name).filter(|run| run.resumable) {
            add(
                resume_title(last),
                Command::Resume {
                    run: last.run.clone(),
                },
            );
        }
    }
    for run in live {
        add(
            "■ Cancel".into(),
            Command::Cancel {
                run: run.run.clone(),
            },
        );
        let node = run.current.clone().unwrap_or_default();
        let title = format!(
            "{} {node} · {}/{}{}",
            NodeState::Running.sign(),
            run.done,
            run.total,
            run.mark()
        );
        add(
            title,
            Command::Log {
                run: run.run.clone(),
                node,
            },
        );
    }
    if options.preview {
        add("◫ Preview".into(), Command::Preview { graph: graph() });
    }
}

fn of_nodes(pipeline: &Pipeline, runs: &[RunView], options: LensOptions, lenses: &mut Vec<Lens>) {
    let run_of_graph = current(runs, &pipeline.name);
    let mut add = |node: &str, title: String, command| {
        if let Some(node) = pipeline.node_by_id(node) {
            lenses.push(Lens {
                range: node.range,
                title,
                command: Some(command),
            });
        }
    };
    if let Some(view) = run_of_graph.filter(|_| options.status) {
        for node in view
            .nodes
            .iter()
            .filter(|node| node.state != NodeState::Waiting)
        {
            let command = Command::Log {
                run: view.run.clone(),
                node: node.id.clone(),
            };
            add(&node.id, status_title(view, node), command);
            if node.changed_files {
                let command = Command::Diff {
                    run: view.run.clone(),
                    node: node.id.clone(),
                };
                add(&node.id, "± Show changes".into(), command);
            }
        }
    }
    for view in runs
        .iter()
        .filter(|run| run.graph == pipeline.name && run.state.is_live())
    {
        for question in &view.questions {
            for (title, command) in answers(view, question) {
                add(&question.node, title, command);
            }
        }
    }
    if options.run_from_here && !run_of_graph.is_some_and(|run| run.state.is_live()) {
        for node in &pipeline.nodes {
            let command = run(
                pipeline.name.clone(),
                RunMode::Run,
                Some(node.id.to_string()),
            );
            add(&node.id, "▶ Run from here".into(), command);
        }
    }
}

/// The ways to answer a question, each with a title: one per choice, and one for what has to be typed.
pub(crate) fn answers<'r>(
    run: &'r RunView,
    question: &'r QuestionView,
) -> impl Iterator<Item = (String, Command)> + 'r {
    let command = |answer: Option<&str>| Command::Answer {
        run: run.run.clone(),
        question: question.id.clone(),
        answer: answer.map(ToOwned::to_owned),
    };
    let options = question
        .options
        .iter()
        .filter(|_| question.kind.takes_one_option());
    let choices = options.map(move |option| (choice_title(option), command(Some(&option.key))));
    let typed = question
        .kind
        .takes_input()
        .then(|| ("✎ answer…".to_owned(), command(None)));
    choices.chain(typed)
}

pub(crate) fn resume_title(run: &RunView) -> String {
    match &run.current {
        Some(node) => format!("⟲ Resume from {node} ({}/{})", run.done, run.total),
        None => format!("⟲ Resume ({}/{})", run.done, run.total),
    }
}

fn choice_title(option: &OptionView) -> String {
    format!("[{}] {}", option.key, option.label)
}

fn status_title(run: &RunView, node: &NodeView) -> String {
    let title = format!("{} {}", node.state.sign(), node.summary);
    let log = match node.state {
        NodeState::Fail => " — show log",
        _ => "",
    };
    format!("{}{}{log}", title.trim_end(), run.mark_of(node))
}

fn run(graph: String, mode: RunMode, from: Option<String>) -> Command {
    Command::Run { graph, mode, from }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{doc, draw};
    use crate::runs::{QuestionKind, Reality, RunState};

    const TEXT: &str = "digraph ship {\n  goal=x\n  build -> gate\n  gate [shape=hexagon]\n  gate -> done [label=\"[A] Approve\"]\n}\ngraph plain { a -- b }\n";

    #[track_caller]
    fn check(runs: &[RunView], options: LensOptions, expect: Expect) {
        let doc = doc(TEXT);
        let lenses = lenses(&doc, runs, options);
        let shown = lenses.iter().map(|lens| {
            let command = lens.command.as_ref().unwrap();
            let arguments: Vec<String> = command
                .arguments()
                .into_iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            (
                lens.range,
                format!(
                    "{}   {}({})",
                    lens.title,
                    command.name(),
                    arguments.join(", ")
                ),
            )
        });
        expect.assert_eq(&draw(&doc, shown));
    }

    fn run(state: RunState, nodes: Vec<NodeView>, questions: Vec<QuestionView>) -> RunView {
        RunView {
            run: "r1".into(),
            graph: "ship".into(),
            state,
            resumable: matches!(state, RunState::Fail | RunState::Interrupted),
            reality: Reality::Real,
            current: Some("gate".into()),
            done: 1,
            total: 3,
            nodes,
            questions,
            report: None,
        }
    }

    fn node(id: &str, state: NodeState, summary: &str) -> NodeView {
        NodeView {
            id: id.into(),
            state,
            summary: summary.into(),
            simulated: false,
            output: String::new(),
            changed_files: false,
        }
    }

    #[test]
    fn a_pipeline_can_be_run_and_a_plain_graph_only_be_seen() {
        check(
            &[],
            LensOptions::default(),
            expect![[r#"
                1 | digraph ship {
                  | ^^^^^^^^^^^^ ▶ Dry run   attractor.run(graph=ship, mode=dryRun)
                  | ^^^^^^^^^^^^ ▶ Run pipeline   attractor.run(graph=ship, mode=run)
            "#]],
        );
        check(
            &[],
            LensOptions {
                preview: true,
                ..LensOptions::default()
            },
            expect![[r#"
                1 | digraph ship {
                  | ^^^^^^^^^^^^ ▶ Dry run   attractor.run(graph=ship, mode=dryRun)
                  | ^^^^^^^^^^^^ ▶ Run pipeline   attractor.run(graph=ship, mode=run)
                  | ^^^^^^^^^^^^ ◫ Preview   attractor.preview(graph=ship)
                7 | graph plain { a -- b }
                  | ^^^^^^^^^^^ ◫ Preview   attractor.preview(graph=plain)
            "#]],
        );
        check(
            &[],
            LensOptions {
                run_from_here: true,
                ..LensOptions::default()
            },
            expect![[r#"
                1 | digraph ship {
                  | ^^^^^^^^^^^^ ▶ Dry run   attractor.run(graph=ship, mode=dryRun)
                  | ^^^^^^^^^^^^ ▶ Run pipeline   attractor.run(graph=ship, mode=run)
                3 |   build -> gate
                  |   ^^^^^ ▶ Run from here   attractor.run(graph=ship, mode=run, from=build)
                4 |   gate [shape=hexagon]
                  |   ^^^^ ▶ Run from here   attractor.run(graph=ship, mode=run, from=gate)
                5 |   gate -> done [label="[A] Approve"]
                  |           ^^^^ ▶ Run from here   attractor.run(graph=ship, mode=run, from=done)
            "#]],
        );
    }

    #[test]
    fn a_live_run_can_be_cancelled_and_its_gate_answered() {
        let option = |key: &str, label: &str| OptionView {
            key: key.into(),
            label: label.into(),
        };
        let question = QuestionView {
            id: "q1".into(),
            node: "gate".into(),
            kind: QuestionKind::ChoiceOrText,
            text: "Ship?".into(),
            options: vec![option("A", "Approve"), option("R", "Revise")],
        };
        let nodes = vec![
            node("build", NodeState::Success, "2.3 s"),
            node("gate", NodeState::Waiting, ""),
        ];
        check(
            &[run(RunState::Waiting, nodes, vec![question])],
            LensOptions::default(),
            expect![[r#"
                1 | digraph ship {
                  | ^^^^^^^^^^^^ ■ Cancel   attractor.cancel(run=r1)
                  | ^^^^^^^^^^^^ ● gate · 1/3   attractor.log(run=r1, node=gate)
                3 |   build -> gate
                  |   ^^^^^ ✓ 2.3 s   attractor.log(run=r1, node=build)
                4 |   gate [shape=hexagon]
                  |   ^^^^ [A] Approve   attractor.answer(run=r1, question=q1, answer=A)
                  |   ^^^^ [R] Revise   attractor.answer(run=r1, question=q1, answer=R)
                  |   ^^^^ ✎ answer…   attractor.answer(run=r1, question=q1)
            "#]],
        );
    }

    #[test]
    fn an_unfinished_run_can_be_resumed() {
        let nodes = vec![node("build", NodeState::Fail, "exit code 2")];
        check(
            &[run(RunState::Fail, nodes, Vec::new())],
            LensOptions::default(),
            expect![[r#"
                1 | digraph ship {
                  | ^^^^^^^^^^^^ ▶ Dry run   attractor.run(graph=ship, mode=dryRun)
                  | ^^^^^^^^^^^^ ▶ Run pipeline   attractor.run(graph=ship, mode=run)
                  | ^^^^^^^^^^^^ ⟲ Resume from gate (1/3)   attractor.resume(run=r1)
                3 |   build -> gate
                  |   ^^^^^ ✗ exit code 2 — show log   attractor.log(run=r1, node=build)
            "#]],
        );
    }

    #[test]
    fn a_simulated_run_is_marked() {
        let nodes = vec![
            node("build", NodeState::Success, "2.3 s"),
            node("gate", NodeState::Fail, "no answer"),
        ];
        let simulated = RunView {
            reality: Reality::Simulated,
            ..run(RunState::Running, nodes, Vec::new())
        };
        check(
            &[simulated],
            LensOptions::default(),
            expect![[r#"
            1 | digraph ship {
              | ^^^^^^^^^^^^ ■ Cancel   attractor.cancel(run=r1)
              | ^^^^^^^^^^^^ ● gate · 1/3 · simulated   attractor.log(run=r1, node=gate)
            3 |   build -> gate
              |   ^^^^^ ✓ 2.3 s · simulated   attractor.log(run=r1, node=build)
            4 |   gate [shape=hexagon]
              |   ^^^^ ✗ no answer · simulated — show log   attractor.log(run=r1, node=gate)
        "#]],
        );
    }

    #[test]
    fn a_node_whose_model_was_simulated_is_marked_alone() {
        let build = NodeView {
            simulated: true,
            ..node("build", NodeState::Success, "2.3 s")
        };
        let nodes = vec![build, node("gate", NodeState::Success, "approved")];
        check(
            &[run(RunState::Success, nodes, Vec::new())],
            LensOptions::default(),
            expect![[r#"
                1 | digraph ship {
                  | ^^^^^^^^^^^^ ▶ Dry run   attractor.run(graph=ship, mode=dryRun)
                  | ^^^^^^^^^^^^ ▶ Run pipeline   attractor.run(graph=ship, mode=run)
                3 |   build -> gate
                  |   ^^^^^ ✓ 2.3 s · simulated   attractor.log(run=r1, node=build)
                4 |   gate [shape=hexagon]
                  |   ^^^^ ✓ approved   attractor.log(run=r1, node=gate)
            "#]],
        );
    }
}
