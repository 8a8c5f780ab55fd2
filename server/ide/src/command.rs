//! Commands that lenses and code actions carry: a name and arguments of plain text.
//!
//! The language server adds the document's `uri` to every argument object and runs the command; this
//! crate only says which command with which arguments.

/// The command of a lens or a code action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Run a graph of the document, from a node when one is given.
    Run {
        /// The graph's name.
        graph: String,
        /// Whether nodes do their work.
        mode: RunMode,
        /// The node to begin with instead of the start node.
        from: Option<String>,
    },
    /// Take up an unfinished run again.
    Resume {
        /// The run's id.
        run: String,
    },
    /// Stop a run at a checkpoint.
    Cancel {
        /// The run's id.
        run: String,
    },
    /// Answer a human gate.
    Answer {
        /// The run's id.
        run: String,
        /// The question's id.
        question: String,
        /// The key of the chosen option; `None` lets the client ask for a text first.
        answer: Option<String>,
    },
    /// Open what a node of a run wrote.
    Log {
        /// The run's id.
        run: String,
        /// The node's id.
        node: String,
    },
    /// Show what a node of a run changed in the files.
    Diff {
        /// The run's id.
        run: String,
        /// The node's id.
        node: String,
    },
    /// Undo what a node of a run changed in the files.
    Revert {
        /// The run's id.
        run: String,
        /// The node's id.
        node: String,
    },
    /// Show a preview of a graph.
    Preview {
        /// The graph's name.
        graph: String,
    },
}

/// Whether a run does its work or only walks the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// Everything is real.
    Run,
    /// No command, no model: outcomes come from a script.
    DryRun,
}

impl Command {
    /// The command's name, as a client sends it back (`attractor.run`).
    pub fn name(&self) -> &'static str {
        match self {
            Self::Run { .. } => "attractor.run",
            Self::Resume { .. } => "attractor.resume",
            Self::Cancel { .. } => "attractor.cancel",
            Self::Answer { .. } => "attractor.answer",
            Self::Log { .. } => "attractor.log",
            Self::Diff { .. } => "attractor.diff",
            Self::Revert { .. } => "attractor.revert",
            Self::Preview { .. } => "attractor.preview",
        }
    }

    /// The fields of the command's argument object, without the document's `uri`.
    pub fn arguments(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Run { graph, mode, from } => {
                let mode = match mode {
                    RunMode::Run => "run",
                    RunMode::DryRun => "dryRun",
                };
                let from = from.as_deref().map(|from| ("from", from));
                [("graph", graph.as_str()), ("mode", mode)]
                    .into_iter()
                    .chain(from)
                    .collect()
            }
            Self::Resume { run } | Self::Cancel { run } => vec![("run", run)],
            Self::Answer {
                run,
                question,
                answer,
            } => {
                let answer = answer.as_deref().map(|answer| ("answer", answer));
                [("run", run.as_str()), ("question", question)]
                    .into_iter()
                    .chain(answer)
                    .collect()
            }
            Self::Log { run, node } | Self::Diff { run, node } | Self::Revert { run, node } => {
                vec![("run", run), ("node", node)]
            }
            Self::Preview { graph } => vec![("graph", graph)],
        }
    }
}
