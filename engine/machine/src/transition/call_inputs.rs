//! What a sub-pipeline is given for its walk: its goal, its `inputs`, the defaults of its `vars`.
//!
//! It shares the context of the node that calls it. What was only set for the call is taken back when it is
//! over, unless it has changed: then it is a result.

use std::collections::BTreeMap;

use attractor_lang::lists::variables;
use attractor_model::Pipeline;
use serde_json::Value;

use super::state::ShadowedKey;
use super::{Frame, Transition};
use crate::context::text;
use crate::plan::NodeRef;

impl Transition<'_> {
    /// Sets what `called` needs in the context of the frame that calls it. Gives what is to be taken back, or
    /// the names it must be given and is not.
    pub(super) fn bind_inputs(
        &mut self,
        frame: &Frame,
        node_ref: NodeRef<'_>,
        called: &Pipeline,
    ) -> Result<BTreeMap<String, ShadowedKey>, Vec<String>> {
        let mut shadowed = BTreeMap::new();
        for pair in node_ref.node.attributes.list("inputs") {
            if let Some((name, key)) = pair.split_once('=')
                && let Some(value) = self.copied(frame, node_ref, key.trim())
            {
                self.set_for_call(frame, &mut shadowed, name.trim(), value);
            }
        }
        let declared = called.attributes.text("vars").unwrap_or_default();
        let mut missing = Vec::new();
        for variable in variables(declared).0 {
            if self.view(frame, node_ref).json(&variable.name).is_some() {
                continue;
            }
            match variable.default {
                Some(default) => {
                    let value = attractor_lang::Value::read(&default).to_json();
                    self.set_for_call(frame, &mut shadowed, &variable.name, value);
                }
                None => missing.push(variable.name),
            }
        }
        if !missing.is_empty() && !self.state.dry {
            self.restore_shadowed(frame, shadowed);
            return Err(missing);
        }
        let goal = called.attributes.text("goal").unwrap_or_default();
        if !goal.trim().is_empty() {
            let goal = text::plain(self.state.contexts.view(frame.scope, called), goal);
            self.set_for_call(frame, &mut shadowed, "graph.goal", Value::from(goal));
        }
        Ok(shadowed)
    }

    /// The call is over.
    pub(super) fn restore_shadowed(
        &mut self,
        frame: &Frame,
        shadowed: BTreeMap<String, ShadowedKey>,
    ) {
        let contexts = &mut self.state.contexts;
        for (key, ShadowedKey { before, given }) in shadowed {
            if contexts.get(frame.scope, &key) != Some(&given) {
                continue;
            }
            match before {
                Some(value) => contexts.set(frame.scope, key, value),
                None => contexts.unset(frame.scope, &key),
            }
        }
    }

    fn set_for_call(
        &mut self,
        frame: &Frame,
        shadowed: &mut BTreeMap<String, ShadowedKey>,
        key: &str,
        given: Value,
    ) {
        let contexts = &mut self.state.contexts;
        let before = contexts.get(frame.scope, key).cloned();
        contexts.set(frame.scope, key, given.clone());
        shadowed.insert(key.to_owned(), ShadowedKey { before, given });
    }

    /// The value of a key, to be set under another one: a large one stays where it is.
    fn copied(&self, frame: &Frame, node_ref: NodeRef<'_>, key: &str) -> Option<Value> {
        let view = self.view(frame, node_ref);
        view.stored(key).cloned().or_else(|| view.json(key))
    }
}
