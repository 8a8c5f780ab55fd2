//! Which handler does the work of a node: the handlers of a run, by the name nodes write in `handler`.
//!
//! Built-in handlers are registered like those of a program that embeds the engine, so `register` may replace
//! `tool` or `codergen`. What the executor does itself (asking people, waiting, running branches and
//! sub-pipelines) cannot be replaced: it is part of the durable state of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use attractor_model::catalogue::{NODE_KINDS, NodeWork};
use attractor_model::{CustomHandler, NodeKind, Options};

use super::execution::Execution;
use super::handler::NodeHandler;
use super::input::NodeInput;
use super::work::{Prepared, Work};
use super::{codergen, fan_in, loops, quiet, tool};

/// Handlers by type.
///
/// ```
/// use attractor_run::HandlerRegistry;
///
/// let registry = HandlerRegistry::default();
/// assert!(registry.has("tool"));
/// assert!(registry.get("deploy").is_none());
/// assert!(registry.registered_types().any(|name| name == "human_gate"));
/// ```
#[derive(Clone)]
pub struct HandlerRegistry {
    handlers: BTreeMap<String, Arc<dyn NodeHandler>>,
}

/// A handler type that cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandlerError {
    /// The executor does the work of these nodes itself.
    #[error(
        "the handler `{name}` cannot be replaced: the executor does its work; use another name"
    )]
    Reserved {
        /// The handler type.
        name: String,
    },
    /// Not a name that a node can write.
    #[error("`{name}` is not a handler name; expected letters, digits, `_`, `-` and `.`")]
    Name {
        /// The name.
        name: String,
    },
}

/// What works on the nodes of a kind. Those that the executor works on itself get here only in a dry run.
fn built_in(kind: NodeKind) -> Prepare {
    match kind.work() {
        NodeWork::Model => codergen::prepare,
        NodeWork::Commands => tool::prepare,
        NodeWork::Join => fan_in::prepare,
        NodeWork::Nothing if kind == NodeKind::Loop => loops::prepare,
        NodeWork::Nothing
        | NodeWork::Optional
        | NodeWork::Question
        | NodeWork::Branches
        | NodeWork::SubPipeline
        | NodeWork::Time
        | NodeWork::Escalation => quiet::prepare,
    }
}

type Prepare = fn(Work<'_>) -> Prepared;

struct BuiltIn(Prepare);

impl NodeHandler for BuiltIn {
    fn execute(&self, input: NodeInput<'_>) -> Execution {
        Execution::built_in((self.0)(input.work()))
    }
}

impl Default for HandlerRegistry {
    /// The built-in handlers.
    fn default() -> Self {
        let handlers = NODE_KINDS.iter().map(|row| {
            let handler: Arc<dyn NodeHandler> = Arc::new(BuiltIn(built_in(row.kind)));
            (row.name.to_owned(), handler)
        });
        Self {
            handlers: handlers.collect(),
        }
    }
}

impl HandlerRegistry {
    /// The built-in handlers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a handler for the nodes that write `handler=name`, in the place of one of that name.
    ///
    /// # Errors
    /// The name cannot be written in a pipeline, or the executor does that work itself.
    pub fn register(
        &mut self,
        name: impl Into<String>,
        handler: impl NodeHandler + 'static,
    ) -> Result<(), HandlerError> {
        let name = name.into();
        let is_word = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        if name.is_empty() || !name.chars().all(is_word) {
            return Err(HandlerError::Name { name });
        }
        let kind = NodeKind::from_name(&name);
        if kind.is_some_and(|kind| kind.work().is_of_executor()) {
            return Err(HandlerError::Reserved { name });
        }
        // `handler=agent` is another name of `codergen`.
        let name = kind.map_or(name, |kind| kind.name().to_owned());
        self.handlers.insert(name, Arc::new(handler));
        Ok(())
    }

    /// The handler of that type.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn NodeHandler>> {
        self.handlers.get(name)
    }

    /// Whether there is a handler of that type.
    pub fn has(&self, name: &str) -> bool {
        self.handlers.contains_key(name)
    }

    /// All types, by name.
    pub fn registered_types(&self) -> impl Iterator<Item = &str> {
        self.handlers.keys().map(String::as_str)
    }

    /// Options by which a pipeline may use these handlers: those that are not built in are declared.
    #[must_use]
    pub fn declared_in(&self, mut options: Options) -> Options {
        let own = self
            .handlers
            .iter()
            .filter(|(name, _)| NODE_KINDS.iter().all(|row| row.name != **name));
        for (name, handler) in own {
            let known = &mut options.custom_handlers;
            if known.iter().all(|declared| declared.name != *name) {
                known.push(CustomHandler {
                    name: name.clone(),
                    attributes: handler.attributes(),
                    sets: handler.sets(),
                    ..CustomHandler::default()
                });
            }
        }
        options
    }

    /// The same with the handlers that the configuration declares by a command.
    pub(crate) fn with_configured(mut self, declared: &[CustomHandler]) -> Self {
        for handler in declared {
            let configured = || -> Arc<dyn NodeHandler> { Arc::new(BuiltIn(tool::prepare)) };
            if !handler.command.is_empty() {
                self.handlers
                    .entry(handler.name.clone())
                    .or_insert_with(configured);
            }
        }
        self
    }
}

impl fmt::Debug for HandlerRegistry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.handlers.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    struct Done;

    impl NodeHandler for Done {
        fn execute(&self, _: NodeInput<'_>) -> Execution {
            Execution::done(Outcome::success())
        }
    }

    #[test]
    fn what_the_executor_does_cannot_be_replaced() {
        let mut registry = HandlerRegistry::new();
        let error = |name: &str| HandlerRegistry::new().register(name, Done).unwrap_err();
        assert_eq!(
            error("human_gate").to_string(),
            "the handler `human_gate` cannot be replaced: the executor does its work; use another name"
        );
        assert_eq!(
            error("a b").to_string(),
            "`a b` is not a handler name; expected letters, digits, `_`, `-` and `.`"
        );
        registry.register("deploy", Done).unwrap();
        // Another name of `codergen`.
        registry.register("agent", Done).unwrap();
        assert!(registry.has("deploy") && !registry.has("agent"));
        let options = registry.declared_in(Options::default());
        let declared: Vec<_> = options
            .custom_handlers
            .iter()
            .map(|one| &one.name)
            .collect();
        assert_eq!(declared, ["deploy"]);
    }
}
