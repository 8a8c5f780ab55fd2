//! The context of a run: what nodes share.

use std::collections::BTreeMap;

use attractor_lang::Lookup;
use serde_json::Value;

/// Keys and values that nodes read and write. Keys are flat and may contain dots.
///
/// ```
/// use attractor::PipelineContext;
///
/// let mut context = PipelineContext::new();
/// context.set("tests.failed", 2);
/// let mut branch = context.create_scope();
/// branch.set("score", 0.5);
/// context.merge_scope(branch, "fast");
/// assert_eq!(context.get("fast.score"), Some(&0.5.into()));
/// assert!(context.has("tests.failed"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PipelineContext {
    values: BTreeMap<String, Value>,
}

impl PipelineContext {
    /// An empty context.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// Sets a key.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.values.insert(key.into(), value.into());
    }

    /// Whether a key is set.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// Removes a key, if it is set.
    pub fn delete(&mut self, key: &str) {
        self.values.remove(key);
    }

    /// Sets several keys.
    pub fn update<K: Into<String>>(&mut self, values: impl IntoIterator<Item = (K, Value)>) {
        let values = values.into_iter();
        self.values
            .extend(values.map(|(key, value)| (key.into(), value)));
    }

    /// A copy of all keys and values.
    pub fn to_map(&self) -> BTreeMap<String, Value> {
        self.values.clone()
    }

    /// All keys and values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// An empty context, for a branch.
    #[must_use]
    pub fn create_scope(&self) -> Self {
        Self::default()
    }

    /// Takes what a branch has set: `KEY` of the branch becomes `PREFIX.KEY`.
    pub fn merge_scope(&mut self, scope: Self, prefix: &str) {
        let values = scope.values.into_iter();
        self.update(values.map(|(key, value)| (format!("{prefix}.{key}"), value)));
    }
}

impl From<BTreeMap<String, Value>> for PipelineContext {
    fn from(values: BTreeMap<String, Value>) -> Self {
        Self { values }
    }
}

impl From<PipelineContext> for BTreeMap<String, Value> {
    fn from(context: PipelineContext) -> Self {
        context.values
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for PipelineContext {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(values: I) -> Self {
        let values = values.into_iter();
        Self {
            values: values
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
        }
    }
}

impl Lookup for PipelineContext {
    /// The value of a key; `a.b` also inside the table `a`.
    fn get(&self, key: &str) -> Option<attractor_lang::Value> {
        let inside = || {
            key.rmatch_indices('.').find_map(|(dot, _)| {
                let (table, rest) = (key.get(..dot)?, key.get(dot + 1..)?);
                let pointer = format!("/{}", rest.replace('.', "/"));
                self.values.get(table)?.pointer(&pointer)
            })
        };
        let value = self.values.get(key).or_else(inside)?;
        Some(attractor_lang::Value::from(value))
    }
}
