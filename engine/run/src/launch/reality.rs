//! How real the run of a launch is, decided from its mode and from what can answer the model of each node.

use attractor_machine::context::{Contexts, ROOT};
use attractor_machine::plan::node_order::{ahead, calls_model, node_refs, reachable};
use attractor_machine::plan::{NodeRef, Plan};
use attractor_machine::snapshot::RunSnapshot;
use attractor_machine::transition::State;
use attractor_model::{Pipeline, Reality};

use crate::backend::Simulation;
use crate::handlers::codergen;
use crate::launch::{Launch, Mode};

/// How real the run that `launch` starts is.
pub(crate) fn reality_of(launch: &Launch) -> Reality {
    if matches!(launch.mode, Mode::DryRun(_)) {
        return Reality::Dry;
    }
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let all = reachable(&plan).into_iter().flat_map(node_refs);
    of_nodes(launch, all).unwrap_or_default()
}

/// How real the rest of a run is that is at nodes of the pipeline of `launch`; none where nothing asks a model any more.
pub(crate) fn reality_ahead(launch: &Launch, at: &[&str]) -> Option<Reality> {
    if matches!(launch.mode, Mode::DryRun(_)) {
        return Some(Reality::Dry);
    }
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    of_nodes(launch, ahead(&plan, at))
}

/// The same for a run whose machine is in a state. Where it is at no node, because the run had ended, it may go anywhere.
pub(crate) fn reality_after(launch: &Launch, state: &State) -> Option<Reality> {
    let ended = state.end.as_ref();
    let frames = ended.map_or(&state.frames, |end| &end.frames);
    let root = frames.values().filter(|frame| frame.graph.is_none());
    let nodes: Vec<&str> = root.map(|frame| frame.node.as_str()).collect();
    if nodes.is_empty() {
        return Some(reality_of(launch));
    }
    reality_ahead(launch, &nodes)
}

/// How real a run is that continues with `launch`, with what it has done until now.
pub fn reality_continued(before: &RunSnapshot, launch: &Launch) -> Reality {
    let open = before
        .nodes
        .iter()
        .filter(|(_, node)| node.ended_at.is_none());
    let failed = before
        .failure
        .iter()
        .filter_map(|failure| failure.node.as_ref());
    let at = open.map(|(id, _)| id).chain(failed).chain(&before.current);
    let at: Vec<&str> = at.map(String::as_str).collect();
    before.continued(reality_ahead(launch, &at))
}

/// How real nodes are; none where none asks a model.
fn of_nodes<'n>(launch: &Launch, nodes: impl IntoIterator<Item = NodeRef<'n>>) -> Option<Reality> {
    let inputs = KnownInputs::of(launch);
    let models: Vec<NodeRef<'n>> = nodes.into_iter().filter(calls_model).collect();
    let is_simulated = |one: &&NodeRef<'n>| simulation(**one, launch, &inputs).is_some();
    let simulated = models.iter().filter(is_simulated).count();
    (!models.is_empty()).then(|| Reality::of_models(models.len(), simulated))
}

/// Why the answer of a node's model will be simulated.
pub(crate) fn simulation(
    node_ref: NodeRef<'_>,
    launch: &Launch,
    inputs: &KnownInputs,
) -> Option<Simulation> {
    match launch.mode {
        Mode::Run => {
            let fill = |text: &str| inputs.fill(node_ref.pipeline, text);
            codergen::simulated(node_ref, &launch.backends, fill)
        }
        Mode::Simulate => Some(Simulation::requested(
            "this run simulates models".to_owned(),
        )),
        Mode::DryRun(_) => Some(Simulation::requested("this is a dry run".to_owned())),
    }
}

/// What is known of the context before the first step.
pub(crate) struct KnownInputs(Contexts);

impl KnownInputs {
    /// The inputs of a launch, and the defaults that its pipeline declares.
    pub(crate) fn of(launch: &Launch) -> Self {
        let declared = launch.pipeline.attributes.text("vars").unwrap_or_default();
        let defaults = attractor_lang::lists::variables(declared).0.into_iter();
        let defaults = defaults.filter_map(|variable| {
            let value = attractor_lang::Value::read(&variable.default?).to_json();
            Some((variable.name, value))
        });
        let given = launch
            .inputs
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()));
        Self(Contexts::new(defaults.chain(given).collect()))
    }

    fn fill(&self, pipeline: &Pipeline, text: &str) -> String {
        attractor_machine::context::text::plain(self.0.view(ROOT, pipeline), text)
    }
}
