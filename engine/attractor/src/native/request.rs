//! From what a node wants to a request of the client. Pure.

use attractor_exec::Redactor;
use attractor_llm::{
    Client, Error, ErrorKind, FinishReason, Message, ObjectSchema, OnRateLimit, ReasoningEffort,
    Request, Response, Warning,
};
use attractor_models::ResolvedModel;
use attractor_run::{Agency, CodergenRequest, RemainingBudget, RetriedBy};
use serde_json::Value;

/// The least output that is worth a call, in tokens; some APIs refuse less.
const LEAST_OUTPUT: u64 = 16;

/// How often a model is asked to correct an answer that does not fit its schema, unless the node says so.
const OUTPUT_RETRIES: u32 = 2;

/// How often a model is asked for the rest of an answer that was cut off at its own output limit.
const CONTINUATIONS: u32 = 2;

/// How often an answer that the provider paused is sent back.
const PAUSES: u32 = 10;

/// A call for one node.
pub(super) struct Call {
    pub(super) request: Request,
    /// The form of the answer.
    pub(super) schema: Option<ObjectSchema>,
    /// The most output that the budget allows, where that is less than what the model could write.
    pub(super) budget_limit: Option<u64>,
    /// What of the node could not be used.
    pub(super) warnings: Vec<Warning>,
    /// The beginning of an answer that was cut off and is continued.
    pub(super) beginning: String,
    /// How often the model may still be asked to correct its answer.
    corrections: u32,
    /// How often it may still be asked for the rest of an answer.
    continuations: u32,
    /// How often its answer may still be paused.
    pauses: u32,
}

/// The model a node means: its own, else the newest one of its provider, else that of the first configured provider.
pub(super) fn model(client: &Client, input: &CodergenRequest) -> Result<String, String> {
    let written = input.model.as_deref().map(str::trim);
    if let Some(model) = written.filter(|model| !model.is_empty()) {
        return Ok(model.to_owned());
    }
    let newest = |provider: &str| client.catalogue().provider(provider)?.newest.clone();
    match input.provider.as_deref() {
        Some(provider) => newest(provider)
            .ok_or_else(|| format!("the provider `{provider}` has no default model; set `model`")),
        None => client
            .providers()
            .into_iter()
            .find_map(newest)
            .ok_or_else(|| "no configured provider has a default model; set `model`".to_owned()),
    }
}

/// The call for a node; an error when the budget does not allow it. `fallback` are the configured models to call instead
/// of one that is not available.
pub(super) fn call(
    client: &Client,
    input: &CodergenRequest,
    model: String,
    fallback: Vec<String>,
) -> Result<Call, Error> {
    let mut warnings = Vec::new();
    let mut messages = Vec::new();
    for turn in &input.conversation {
        messages.push(Message::user(turn.prompt.clone()));
        messages.push(Message::assistant(turn.answer.clone()));
    }
    messages.push(Message::user(format!("{}{}", input.preamble, input.prompt)));
    let mut request = Request {
        messages,
        system_prompt: input.system_prompt.clone().unwrap_or_default(),
        ..base(input, model, fallback, &mut warnings)
    };
    let schema = schema(input.option("output_schema"), &mut warnings);
    if let Some(schema) = &schema {
        request = schema.apply(request);
    }
    let budget = budget(input);
    let resolved = client
        .catalogue()
        .resolve(&request.model, request.provider.as_deref());
    let budget_limit = limit_output(
        client,
        &mut request,
        budget,
        resolved.as_ref(),
        &mut warnings,
    )?;
    Ok(Call {
        request,
        schema,
        budget_limit,
        warnings,
        beginning: String::new(),
        corrections: corrections(input),
        continuations: CONTINUATIONS,
        pauses: PAUSES,
    })
}

/// What all requests for a node have in common.
pub(super) fn base(
    input: &CodergenRequest,
    model: String,
    fallback: Vec<String>,
    warnings: &mut Vec<Warning>,
) -> Request {
    let named = input.option("fallback_models");
    let mut fallback_models = named.map_or(fallback, list);
    fallback_models.retain(|other| *other != model);
    Request {
        model,
        provider: input.provider.clone(),
        reasoning_effort: effort(input.option("reasoning_effort"), warnings),
        temperature: number(input, "temperature", warnings),
        top_p: number(input, "top_p", warnings),
        max_tokens: number(input, "max_tokens", warnings),
        fallback_models,
        cache_key: Some(cache_key(input)),
        show_reasoning: true,
        on_rate_limit: input.option("on_rate_limit").and_then(on_rate_limit),
        max_retries: match (input.retries, input.agency) {
            // Another attempt of an agent begins its work again: what was paid for would be asked again.
            (RetriedBy::Backend, _) | (RetriedBy::Executor, Agency::Agent) => None,
            (RetriedBy::Executor, _) => Some(0),
        },
        ..Request::default()
    }
}

/// What the client does at a limit of the rate. A long wait of a node is the executor's: it survives a restart.
fn on_rate_limit(word: &str) -> Option<OnRateLimit> {
    match word.trim().to_ascii_lowercase().as_str() {
        "fail" => Some(OnRateLimit::Fail),
        "retry" | "wait" => Some(OnRateLimit::Retry),
        _ => None,
    }
}

/// The key of a session for the provider's cache: requests that share a prefix. APIs take 64 characters.
fn cache_key(input: &CodergenRequest) -> String {
    let key = format!("{}/{}", input.run, input.node);
    key.chars().take(64).collect()
}

/// What the node may use: the rest of the run's budget, and its own `max_cost`.
pub(super) fn budget(input: &CodergenRequest) -> RemainingBudget {
    let own_cost = input
        .option("max_cost")
        .and_then(|text| text.trim_start_matches('$').parse::<f64>().ok());
    RemainingBudget {
        cost: lower(input.budget.cost, own_cost),
        ..input.budget
    }
}

/// How often the model may be asked to correct an answer that does not fit the schema.
pub(super) fn corrections(input: &CodergenRequest) -> u32 {
    number(input, "output_retries", &mut Vec::new()).unwrap_or(OUTPUT_RETRIES)
}

impl Call {
    /// The call, recorded without the secrets of its run.
    pub(super) fn masked_by(mut self, redactor: &Redactor) -> Self {
        self.request.redactor = redactor.clone();
        self
    }

    /// The models that may have answered.
    pub(super) fn requested(&self) -> Vec<&str> {
        let fallback = self.request.fallback_models.iter();
        std::iter::once(&self.request.model)
            .chain(fallback)
            .map(String::as_str)
            .collect()
    }

    /// Whether the rest of an answer is asked for: the provider paused it, or it ended at the limit of the model, not at
    /// one that was set.
    pub(super) fn continues(&self, response: &Response) -> bool {
        response.finish.is_paused() && self.pauses > 0
            || self.is_cut_by_the_model(response) && self.continuations > 0
    }

    /// Whether an answer is a part although nobody limited it.
    pub(super) fn is_cut_by_the_model(&self, response: &Response) -> bool {
        response.finish.reason == FinishReason::Length
            && self.request.max_tokens.is_none()
            && self.schema.is_none()
    }

    /// Prepares another call after an answer that was paused or cut off.
    pub(super) fn ask_for_the_rest(&mut self, answer: Response) {
        let text = answer.text();
        self.beginning.push_str(&text);
        if answer.finish.is_paused() {
            self.pauses -= 1;
            self.request.messages.push(answer.message);
            return;
        }
        self.continuations -= 1;
        self.request.messages.extend([
            Message::assistant(text),
            Message::user(
                "Your last message was cut off at the limit of its length. Continue it exactly where it ends, without \
                 repeating any of it.",
            ),
        ]);
    }

    /// Prepares another call after an answer that does not fit the schema: the model sees its answer and the problem.
    pub(super) fn ask_again(&mut self, error: &Error) -> bool {
        let answer = error.data().raw.as_ref().and_then(Value::as_str);
        let (ErrorKind::NoObjectGenerated, Some(answer)) = (error.kind(), answer) else {
            return false;
        };
        if self.corrections == 0 || answer.is_empty() {
            return false;
        }
        self.corrections -= 1;
        let problem = &error.data().message;
        self.request.messages.extend([
            Message::assistant(answer),
            Message::user(format!(
                "That answer cannot be used: {problem}. Answer again with JSON that fits the schema, and nothing else."
            )),
        ]);
        true
    }
}

/// Limits the output to what the budget allows. Gives that limit where it is the one that applies.
fn limit_output(
    client: &Client,
    request: &mut Request,
    budget: RemainingBudget,
    model: Option<&ResolvedModel>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<u64>, Error> {
    let price = model.and_then(|model| model.rules.price);
    if budget.cost.is_some() && price.is_none() {
        let message = format!(
            "the price of `{}` is not known, so that its calls do not count towards `max_cost`",
            request.model
        );
        warnings.push(Warning::new("price", message));
    }
    let Some(affordable) = client.affordable_output(request, budget.tokens, budget.cost) else {
        return Ok(None);
    };
    if affordable < LEAST_OUTPUT {
        let message = format!(
            "the rest of the budget does not cover a call of `{}` with about {} tokens of input; raise `max_cost` or \
             `max_tokens_total`",
            request.model,
            request.estimated_tokens()
        );
        return Err(Error::new(ErrorKind::BudgetExceeded, message));
    }
    let own = request
        .max_tokens
        .or_else(|| model.and_then(|model| model.rules.max_output));
    if own.is_some_and(|own| own <= affordable) {
        return Ok(None);
    }
    request.max_tokens = Some(affordable);
    Ok(Some(affordable))
}

/// Names separated by commas.
pub(in crate::native) fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn lower<T: PartialOrd>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one < other { one } else { other }),
        (one, other) => one.or(other),
    }
}

fn effort(text: Option<&str>, warnings: &mut Vec<Warning>) -> Option<ReasoningEffort> {
    let text = text?.to_ascii_lowercase();
    let known = ReasoningEffort::ALL
        .into_iter()
        .find(|effort| effort.as_str() == text);
    if known.is_none() {
        let message = format!("`{text}` is not a reasoning effort; it is left out");
        warnings.push(Warning::new("reasoning_effort", message));
    }
    known
}

pub(super) fn number<T: std::str::FromStr>(
    input: &CodergenRequest,
    name: &'static str,
    warnings: &mut Vec<Warning>,
) -> Option<T> {
    let text = input.option(name)?;
    let number = text.parse().ok();
    if number.is_none() {
        let message = format!("`{text}` is not a number; `{name}` is left out");
        warnings.push(Warning::new(name, message));
    }
    number
}

/// The schema of an answer. The word `routing` and texts that are no JSON object are left to the text of the prompt.
pub(super) fn schema(text: Option<&str>, warnings: &mut Vec<Warning>) -> Option<ObjectSchema> {
    let text = text.filter(|text| *text != "routing")?;
    match serde_json::from_str::<Value>(text) {
        Ok(schema) if schema.is_object() => Some(ObjectSchema::new(schema)),
        _ => {
            let message = "`output_schema` is not a JSON object; it is left out";
            warnings.push(Warning::new("output_schema", message));
            None
        }
    }
}
