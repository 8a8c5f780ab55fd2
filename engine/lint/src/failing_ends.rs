//! Ends that say by their name that things went wrong.

use attractor_model::Node;

/// Parts of the names and labels of such ends.
const WORDS: [&str; 8] = [
    "fail", "abort", "error", "reject", "escalat", "cancel", "gave up", "stop",
];

/// Whether the name or the label of a node says that things went wrong.
pub(crate) fn is_failing_end(node: &Node) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        WORDS.iter().any(|word| text.contains(word))
    };
    says(&node.id) || says(node.label())
}
