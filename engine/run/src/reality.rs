//! How real the run of a launch is, decided from its mode and from what can answer the model of each node.

use attractor_model::{Pipeline, Reality};

use crate::backend::Simulation;
use crate::context::{Contexts, ROOT};
use crate::handlers::codergen;
use crate::launch::{Launch, Mode};
use crate::machine::{NodeRef, Plan};
use crate::node_order::{calls_model, node_refs, reachable};

/// How real the run that `launch` starts is.
pub(crate) fn reality_of(launch: &Launch) -> Reality {
    if matches!(launch.mode, Mode::DryRun(_)) {
        return Reality::Dry;
    }
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let inputs = KnownInputs::of(launch);
    let (mut models, mut simulated) = (0, 0);
    for pipeline in reachable(&plan) {
        for node_ref in node_refs(pipeline).into_iter().filter(calls_model) {
            models += 1;
            simulated += usize::from(simulation(node_ref, launch, &inputs).is_some());
        }
    }
    Reality::of_models(models, simulated)
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
        crate::text::plain(self.0.view(ROOT, pipeline), text)
    }
}
