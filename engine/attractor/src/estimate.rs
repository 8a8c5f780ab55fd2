//! What the prompts of a pipeline cost, before it runs. Pure.

use attractor_lang::referred_file;
use attractor_llm::{Client, estimate_tokens};
use attractor_models::TokenCounts;
use attractor_run::{CodergenRequest, Consent, ConsentStep, Launch};

use crate::native::model_of;
use crate::providers::Providers;

/// What the figures assume.
pub const ASSUMPTIONS: &str = "one call per node; a token is four bytes of prompt and system prompt, before values are filled in; list prices, \
     no cache; output, tools and what a node sees of the run are extra";

/// What one call of a node costs.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeEstimate {
    /// The node.
    pub node: String,
    /// Its model.
    pub model: String,
    /// Tokens of its prompt.
    pub input_tokens: u64,
    /// US dollars of these; absent without a known price.
    pub input_cost: Option<f64>,
    /// US dollars of 1,000 tokens of output; absent without a known price.
    pub output_cost_per_1000: Option<f64>,
}

/// An estimate for every node of a launch that calls a model. Nodes that are simulated cost nothing.
pub fn estimates(launch: &Launch, providers: &Providers) -> Vec<NodeEstimate> {
    let Ok(client) = providers.client() else {
        return Vec::new();
    };
    let consent = Consent::of(launch);
    let calls = consent
        .steps()
        .filter(|step| step.model && step.simulated.is_none());
    calls
        .filter_map(|step| estimate(step, &consent, client))
        .collect()
}

fn estimate(step: &ConsentStep, consent: &Consent, client: &Client) -> Option<NodeEstimate> {
    let setting = |name: &str| {
        let mut settings = step.settings.iter();
        settings
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let request = CodergenRequest {
        model: setting("model").map(str::to_owned),
        provider: setting("provider").map(str::to_owned),
        ..CodergenRequest::default()
    };
    let model = model_of(client, &request).ok()?;
    let texts = ["prompt", "system_prompt"].into_iter().filter_map(setting);
    let input_tokens = texts.map(|text| tokens(text, consent)).sum();
    let resolved = client.catalogue().resolve(&model, setting("provider"))?;
    let price = resolved.rules.price;
    let cost = |input, output| {
        let counts = TokenCounts {
            input,
            output,
            ..TokenCounts::default()
        };
        price.map(|price| price.cost(&counts))
    };
    Some(NodeEstimate {
        node: step.node.clone(),
        model: resolved.id.clone(),
        input_tokens,
        input_cost: cost(input_tokens, 0),
        output_cost_per_1000: cost(0, 1000),
    })
}

/// The tokens of a text, or of the file it names.
fn tokens(text: &str, consent: &Consent) -> u64 {
    let name = referred_file(text);
    let mut files = consent.files.iter();
    let file = name.and_then(|name| files.find(|(path, _)| path == name));
    estimate_tokens(file.map_or(text, |(_, content)| content))
}
