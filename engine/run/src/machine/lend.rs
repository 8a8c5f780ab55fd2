//! What a sub-pipeline is given for its walk: its goal, its `inputs`, the defaults of its `vars`.
//!
//! It shares the context of the node that calls it. What was only set for the call is taken back when it is
//! over, unless somebody has changed it: then it is a result.

use std::collections::BTreeMap;

use attractor_lang::lists::variables;
use attractor_model::Pipeline;
use serde_json::Value;

use super::plan::Site;
use super::state::Lent;
use super::{Lane, Turn};
use crate::text;

impl Turn<'_> {
    /// Sets what `called` needs in the context of the lane that calls it. Gives what is to be taken back, or
    /// the names it must be given and is not.
    pub(super) fn lend(
        &mut self,
        lane: &Lane,
        site: Site<'_>,
        called: &Pipeline,
    ) -> Result<BTreeMap<String, Lent>, Vec<String>> {
        let mut lent = BTreeMap::new();
        for pair in site.node.attributes.list("inputs") {
            if let Some((name, key)) = pair.split_once('=')
                && let Some(value) = self.copied(lane, site, key.trim())
            {
                self.set_for_call(lane, &mut lent, name.trim(), value);
            }
        }
        let declared = called.attributes.text("vars").unwrap_or_default();
        let mut missing = Vec::new();
        for variable in variables(declared).0 {
            if self.view(lane, site).json(&variable.name).is_some() {
                continue;
            }
            match variable.default {
                Some(default) => {
                    let value = attractor_lang::Value::read(&default).to_json();
                    self.set_for_call(lane, &mut lent, &variable.name, value);
                }
                None => missing.push(variable.name),
            }
        }
        if !missing.is_empty() && !self.state.dry {
            self.take_back(lane, lent);
            return Err(missing);
        }
        let goal = called.attributes.text("goal").unwrap_or_default();
        if !goal.trim().is_empty() {
            let goal = text::plain(self.state.contexts.view(lane.scope, called), goal);
            self.set_for_call(lane, &mut lent, "graph.goal", Value::from(goal));
        }
        Ok(lent)
    }

    /// The call is over.
    pub(super) fn take_back(&mut self, lane: &Lane, lent: BTreeMap<String, Lent>) {
        let contexts = &mut self.state.contexts;
        for (key, Lent { before, given }) in lent {
            if contexts.get(lane.scope, &key) != Some(&given) {
                continue;
            }
            match before {
                Some(value) => contexts.set(lane.scope, key, value),
                None => contexts.unset(lane.scope, &key),
            }
        }
    }

    fn set_for_call(
        &mut self,
        lane: &Lane,
        lent: &mut BTreeMap<String, Lent>,
        key: &str,
        given: Value,
    ) {
        let contexts = &mut self.state.contexts;
        let before = contexts.get(lane.scope, key).cloned();
        contexts.set(lane.scope, key, given.clone());
        lent.insert(key.to_owned(), Lent { before, given });
    }

    /// The value of a key, to be set under another one: a large one stays where it is.
    fn copied(&self, lane: &Lane, site: Site<'_>, key: &str) -> Option<Value> {
        let view = self.view(lane, site);
        view.stored(key).cloned().or_else(|| view.json(key))
    }
}
