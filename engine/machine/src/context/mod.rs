//! The blackboard of a run: flat keys, in layers.
//!
//! Layer 0 is the run's own. A parallel branch writes to a layer of its own on top of its parent's,
//! which gives it a copy of the context without copying anything; the cost of a step grows with what
//! it writes. Values are JSON; keys may hold dots and are looked up as written.

pub mod json_text;
pub mod large_values;
pub mod text;

use std::collections::BTreeMap;

use attractor_lang::Lookup;
use attractor_model::Pipeline;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::large_values::{LargeValues, preview};

/// The layer of the run itself.
pub const ROOT: u32 = 0;

/// What the run was given, below it: a restart goes back to this.
const GIVEN: u32 = u32::MAX;

/// All layers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contexts {
    layers: BTreeMap<u32, Layer>,
    next: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Layer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    /// `None` hides a key of the parent.
    own: BTreeMap<String, Option<Value>>,
}

impl Contexts {
    /// The first layer, on top of what the run is given.
    pub fn new(given: BTreeMap<String, Value>) -> Self {
        let own = given.into_iter().map(|(key, value)| (key, Some(value)));
        let given = Layer {
            parent: None,
            own: own.collect(),
        };
        let root = Layer {
            parent: Some(GIVEN),
            own: BTreeMap::new(),
        };
        Self {
            layers: BTreeMap::from([(ROOT, root), (GIVEN, given)]),
            next: ROOT + 1,
        }
    }

    /// Adds to what the run is given.
    pub fn give(&mut self, key: &str, value: impl Into<Value>) {
        self.set(GIVEN, key, value);
    }

    /// Forgets what was written to a layer, but for some keys.
    pub(crate) fn begin_again(&mut self, scope: u32, kept: &[String]) {
        if let Some(layer) = self.layers.get_mut(&scope) {
            layer.own.retain(|key, _| kept.contains(key));
        }
    }

    /// Opens a layer on top of `parent`.
    pub(crate) fn open(&mut self, parent: u32) -> u32 {
        let id = self.next;
        self.next += 1;
        let layer = Layer {
            parent: Some(parent),
            own: BTreeMap::new(),
        };
        self.layers.insert(id, layer);
        id
    }

    /// Closes a layer and gives what was written to it.
    pub(crate) fn close(&mut self, scope: u32) -> impl Iterator<Item = (String, Value)> + use<> {
        let layer = self.layers.remove(&scope).unwrap_or_default();
        layer
            .own
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
    }

    /// The value of `key` as seen from `scope`.
    pub(crate) fn get(&self, scope: u32, key: &str) -> Option<&Value> {
        let mut at = Some(scope);
        while let Some(layer) = at.and_then(|id| self.layers.get(&id)) {
            if let Some(found) = layer.own.get(key) {
                return found.as_ref();
            }
            at = layer.parent;
        }
        None
    }

    /// The value of `key` that was set in `scope` itself.
    pub(crate) fn own(&self, scope: u32, key: &str) -> Option<&Value> {
        self.layers.get(&scope)?.own.get(key)?.as_ref()
    }

    /// Sets a key in `scope`.
    pub(crate) fn set(&mut self, scope: u32, key: impl Into<String>, value: impl Into<Value>) {
        if let Some(layer) = self.layers.get_mut(&scope) {
            layer.own.insert(key.into(), Some(value.into()));
        }
    }

    /// Removes a key as seen from `scope`.
    pub(crate) fn unset(&mut self, scope: u32, key: &str) {
        let Some(layer) = self.layers.get_mut(&scope) else {
            return;
        };
        layer.own.remove(key);
        // An outer value of the key must not become visible again.
        if self.get(scope, key).is_some()
            && let Some(layer) = self.layers.get_mut(&scope)
        {
            layer.own.insert(key.to_owned(), None);
        }
    }

    /// Everything visible from `scope`. Costs the size of the context: for reports and snapshots only.
    pub fn flatten(&self, scope: u32) -> BTreeMap<String, Value> {
        let mut chain = Vec::new();
        let mut at = Some(scope);
        while let Some(layer) = at.and_then(|id| self.layers.get(&id)) {
            chain.push(layer);
            at = layer.parent;
        }
        let mut all = BTreeMap::new();
        for layer in chain.into_iter().rev() {
            for (key, value) in &layer.own {
                match value {
                    Some(value) => all.insert(key.clone(), value.clone()),
                    None => all.remove(key),
                };
            }
        }
        all
    }

    /// What conditions and templates of `pipeline` see from `scope`.
    pub fn view<'c>(&'c self, scope: u32, pipeline: &'c Pipeline) -> View<'c> {
        View {
            contexts: self,
            scope,
            pipeline,
            secrets: None,
            large: None,
        }
    }
}

/// What a command's texts carry instead of a secret value: by its name and what the context has in its place; none for
/// what is not a secret.
pub type SecretSigns<'c> = dyn Fn(&str, &Value) -> Option<Value> + Sync + 'c;

/// The context as conditions and templates see it.
#[derive(Clone, Copy)]
pub struct View<'c> {
    contexts: &'c Contexts,
    scope: u32,
    pipeline: &'c Pipeline,
    /// Known to commands only.
    secrets: Option<&'c SecretSigns<'c>>,
    /// Where large values are; without it their beginning has to do.
    large: Option<&'c dyn LargeValues>,
}

impl<'c> View<'c> {
    /// The same, with signs in the place of secrets.
    #[must_use]
    pub fn with_secrets(self, secrets: &'c SecretSigns<'c>) -> Self {
        Self {
            secrets: Some(secrets),
            ..self
        }
    }

    /// The same, with large values as a whole.
    #[must_use]
    pub fn with_large_values(self, large: &'c dyn LargeValues) -> Self {
        Self {
            large: Some(large),
            ..self
        }
    }

    /// Every key with its value, as far as values are kept in the context itself.
    pub fn all(&self) -> BTreeMap<String, Value> {
        let all = self.contexts.flatten(self.scope).into_iter();
        all.map(|(key, value)| {
            let value = self.read(&value);
            (key, value)
        })
        .collect()
    }

    /// What is set under `prefix.KEY`, by key, as it is stored.
    pub fn below(&self, prefix: &str) -> Vec<(String, Value)> {
        let prefix = format!("{prefix}.");
        let all = self.contexts.flatten(self.scope).into_iter();
        all.filter_map(|(key, value)| Some((key.strip_prefix(&prefix)?.to_owned(), value)))
            .collect()
    }

    /// The value set under this very name, as it is stored.
    pub fn stored(&self, key: &str) -> Option<&'c Value> {
        self.contexts.get(self.scope, key)
    }

    fn set(&self, key: &str) -> Option<Value> {
        let value = self.stored(key)?;
        let sign = self.secrets.and_then(|sign| sign(key, value));
        Some(sign.unwrap_or_else(|| self.read(value)))
    }

    /// A stored value as it is to be seen.
    pub(crate) fn read(&self, value: &Value) -> Value {
        let large = match self.large {
            Some(large) => large.whole(value),
            None => preview(value),
        };
        large.unwrap_or_else(|| value.clone())
    }

    /// The value of a key: as set; `graph.NAME` from the graph; `a.b` inside the table `a`.
    pub fn json(&self, key: &str) -> Option<Value> {
        if let Some(value) = self.set(key) {
            return Some(value);
        }
        // Only attributes set in the file: `$max_steps` in a script may be the script's own.
        if let Some(name) = key.strip_prefix("graph.")
            && let Some(written) = self.pipeline.attributes.get(name)
        {
            return Some(Value::from(written.value()));
        }
        if let Some(name) = key.strip_prefix("inputs.") {
            return self.set(name);
        }
        self.inside(key)
    }

    /// `report.score` is the `score` of the table `report`, unless a key of that very name is set.
    fn inside(&self, key: &str) -> Option<Value> {
        key.match_indices('.').rev().find_map(|(dot, _)| {
            let (head, tail) = (key.get(..dot)?, key.get(dot + 1..)?);
            let stored = self.stored(head)?;
            let large = self.large.and_then(|large| large.whole(stored));
            let stored = large.as_ref().unwrap_or(stored);
            let parsed = json_of_output(head, stored);
            let mut value = parsed.as_ref().unwrap_or(stored);
            for part in tail.split('.') {
                value = match value {
                    Value::Object(table) => table.get(part)?,
                    Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                    _ => return None,
                };
            }
            Some(self.read(value))
        })
    }

    /// The text form of a key's value.
    pub fn text(&self, key: &str) -> Option<String> {
        self.json(key)
            .map(|value| attractor_lang::Value::from(&value).to_string())
    }
}

/// What a node gave out as JSON: `output.fix.score` is the `score` in the output of `fix`.
fn json_of_output(key: &str, value: &Value) -> Option<Value> {
    let is_output = key.starts_with("output.") || key.starts_with("response.");
    let text = value.as_str().filter(|_| is_output)?;
    crate::context::json_text::parsed(text)
}

impl Lookup for View<'_> {
    fn get(&self, key: &str) -> Option<attractor_lang::Value> {
        self.json(key)
            .map(|value| attractor_lang::Value::from(&value))
    }
}
