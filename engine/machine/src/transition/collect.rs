//! What branches bring back when their split is decided.
//!
//! Nothing a branch writes is seen by another one; its keys come back as `BRANCH.KEY`, in the order of the
//! branches, whatever order they finished in.

use serde_json::{Map, Value};

use super::state::{BranchProgress, Split};
use super::{Frame, Transition};
use crate::outcome::Outcome;
use crate::transition::reasons;

/// Keys that carry the name of their node and come back under it; with `for_each`, where branches share
/// their nodes, under the name of the branch too.
const SHARED: &[&str] = &["output.", "response.", "node."];

/// Keys that mean nothing outside the branch; a dot at the end represents all that begin so.
const PRIVATE: &[&str] = &["internal.", "graph.", "current_node", "retries"];

impl Transition<'_> {
    /// Brings what the branches wrote back to the frame of the split.
    pub(super) fn gather(
        &mut self,
        frame: &Frame,
        split: &Split,
        failed: usize,
        succeeded: usize,
    ) -> Outcome {
        let mut outcome = Outcome::success();
        let mut outputs = Map::new();
        let mut details = Vec::new();
        for branch in &split.branches {
            let BranchProgress::Done {
                status,
                scope,
                output,
            } = &branch.progress
            else {
                continue;
            };
            outputs.insert(branch.name.clone(), output.clone());
            let mut detail = Map::new();
            detail.insert("id".to_owned(), branch.name.as_str().into());
            detail.insert("node".to_owned(), branch.node.as_str().into());
            detail.insert("status".to_owned(), status.name().into());
            detail.insert("output".to_owned(), output.clone());
            let written: Vec<(String, Value)> = self.state.contexts.close(*scope).collect();
            for (key, value) in written {
                if is_private(&key) {
                    continue;
                }
                if key.rsplit('.').next() == Some("score") {
                    detail.insert("score".to_owned(), value.clone());
                }
                if SHARED.iter().any(|shared| key.starts_with(shared)) {
                    self.state
                        .contexts
                        .set(frame.scope, key.as_str(), value.clone());
                    if branch.item.is_none() {
                        continue;
                    }
                }
                let key = format!("{}.{key}", branch.name);
                self.state.contexts.set(frame.scope, key, value);
            }
            details.push(Value::Object(detail));
        }
        let set = &mut outcome.context_updates;
        set.insert("parallel.branches".to_owned(), details.into());
        set.insert("parallel.fail_count".to_owned(), failed.into());
        set.insert("parallel.success_count".to_owned(), succeeded.into());
        set.insert("parallel.results".to_owned(), outputs.clone().into());
        set.insert("parallel_results".to_owned(), outputs.clone().into());
        outcome.output = outputs.into();
        outcome.notes = reasons::branches_done(succeeded, split.branches.len());
        outcome
    }
}

fn is_private(key: &str) -> bool {
    PRIVATE.iter().any(|private| {
        let all_of = private.ends_with('.') && key.starts_with(private);
        all_of || key == *private
    })
}
