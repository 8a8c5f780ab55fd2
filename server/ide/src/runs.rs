//! What the editor knows about runs: plain data that the language server fills from the engine's events.
//!
//! Lenses, code actions and run diagnostics are computed from these views. The views are a snapshot;
//! nothing here follows a run, and no wording of a view is parsed again.

pub use attractor_model::{NodeState, Reality, RunState};

/// One run of one graph of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunView {
    /// The run's id.
    pub run: String,
    /// The name of the graph it runs.
    pub graph: String,
    /// Its state.
    pub state: RunState,
    /// Whether resuming it can help.
    pub resumable: bool,
    /// How real it is.
    pub reality: Reality,
    /// The node being worked on, or the node to resume at when the run was interrupted.
    pub current: Option<String>,
    /// Nodes completed so far.
    pub done: usize,
    /// Nodes of the pipeline.
    pub total: usize,
    /// What is known of each node that was reached, in no particular order.
    pub nodes: Vec<NodeView>,
    /// Questions that wait for a user, oldest first.
    pub questions: Vec<QuestionView>,
    /// Its status report in lines, for hovers; `None` where it was not asked for.
    pub report: Option<String>,
}

impl RunView {
    /// The suffix of a status of the run that marks simulated work.
    pub(crate) fn mark(&self) -> String {
        suffix(self.reality)
    }

    /// The same behind the status of one of its nodes.
    pub(crate) fn mark_of(&self, node: &NodeView) -> String {
        suffix(match self.reality {
            Reality::Real | Reality::Mixed => Reality::of_models(1, usize::from(node.simulated)),
            all => all,
        })
    }
}

/// ` · simulated`
fn suffix(reality: Reality) -> String {
    reality
        .mark()
        .map_or_else(String::new, |mark| format!(" · {mark}"))
}

/// What one node did in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// The node's id.
    pub id: String,
    /// Its state.
    pub state: NodeState,
    /// A few words: `2.3 s · 1.2 k tokens`, or for a failure its reason (`exit code 2`).
    pub summary: String,
    /// Whether its model was simulated.
    pub simulated: bool,
    /// The tail of its output, shown with a failure; empty when there is none.
    pub output: String,
    /// Whether it changed files that can be shown and reverted.
    pub changed_files: bool,
}

/// A question of a human gate that is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionView {
    /// The question's id within its run.
    pub id: String,
    /// The gate's node.
    pub node: String,
    /// What kind of answer it takes.
    pub kind: QuestionKind,
    /// The question itself.
    pub text: String,
    /// The choices, in the order to show them.
    pub options: Vec<OptionView>,
}

/// The answers a question takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// One of the options.
    Choice,
    /// Yes or no.
    Confirm,
    /// A text.
    Freeform,
    /// Several of the options.
    Multi,
    /// One of the options, or a text.
    ChoiceOrText,
}

impl QuestionKind {
    /// Whether picking one option is a whole answer.
    pub fn takes_one_option(self) -> bool {
        matches!(self, Self::Choice | Self::Confirm | Self::ChoiceOrText)
    }

    /// Whether the answer is, or may be, something the user has to type or pick together.
    pub fn takes_input(self) -> bool {
        matches!(self, Self::Freeform | Self::Multi | Self::ChoiceOrText)
    }
}

/// One choice of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionView {
    /// The accelerator: `A`.
    pub key: String,
    /// The label without its accelerator: `Approve`.
    pub label: String,
}
