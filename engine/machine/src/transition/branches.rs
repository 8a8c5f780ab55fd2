//! Which branches a parallel node has: those it lists, else its edges; for each item of a list.

use serde_json::Value;

use super::state::{Branch, BranchProgress};
use super::{Frame, Transition};
use crate::plan::NodeRef;
use crate::transition::reasons;

impl Transition<'_> {
    /// The branches of a parallel node: its first nodes, times the items of `for_each`.
    pub(super) fn branches(
        &self,
        frame: &Frame,
        node_ref: NodeRef<'_>,
    ) -> Result<Vec<Branch>, String> {
        let nodes = first_nodes(node_ref);
        if let Some(unknown) = nodes
            .iter()
            .find(|node| node_ref.pipeline.by_id(node).is_none())
        {
            return Err(reasons::no_such_branch(&frame.node, unknown));
        }
        if nodes.is_empty() {
            return Err(reasons::no_branches(&frame.node));
        }
        let branch = |name: String, node: &String, item: Option<Value>| Branch {
            name,
            node: node.clone(),
            item,
            progress: BranchProgress::Queued,
        };
        let Some(key) = node_ref.written("for_each") else {
            return Ok(nodes
                .iter()
                .map(|node| branch(node.clone(), node, None))
                .collect());
        };
        let items = match self.whole_view(frame, node_ref).json(key) {
            Some(Value::Array(items)) => items,
            Some(Value::String(text)) => listed_items(&text),
            _ => return Err(reasons::no_list(&frame.node, key)),
        };
        Ok(items
            .iter()
            .enumerate()
            .flat_map(|(index, item)| {
                nodes
                    .iter()
                    .map(move |node| branch(format!("{node}_{index}"), node, Some(item.clone())))
            })
            .collect())
    }
}

/// Where the branches of a parallel node begin: `branches`, else its edges in the order they are written, unless
/// priority or weight says otherwise.
pub(super) fn first_nodes(node_ref: NodeRef<'_>) -> Vec<String> {
    let listed = node_ref.node.attributes.list("branches");
    if !listed.is_empty() {
        return listed;
    }
    let mut targets: Vec<String> = Vec::new();
    for edge in node_ref.outgoing_as_written() {
        let target = node_ref.pipeline.id(edge.to);
        if !targets.iter().any(|known| known == target) {
            targets.push(target.to_owned());
        }
    }
    targets
}

/// `["a","b"]`, else lines, else commas.
fn listed_items(text: &str) -> Vec<Value> {
    if let Ok(Value::Array(items)) = serde_json::from_str(text) {
        return items;
    }
    let separator = if text.trim().contains('\n') {
        '\n'
    } else {
        ','
    };
    text.split(separator)
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(Value::from)
        .collect()
}
