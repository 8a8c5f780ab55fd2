//! Which of several true conditions of one node goes first, before priority, weight and name are looked at.
//!
//! The one place that decides it: edges are sorted by it when a pipeline is built, so the engine, the lints and the
//! editor all see the same order.

use crate::catalogue::values;
use crate::pipeline::Node;
use attractor_lang::condition::{Condition, Keyword};

/// The rank of an edge of `node` among those that hold; a lower one goes first.
///
/// `always` is what is left when nothing else holds. Of `on_fail` and `on_exhaust`, which hold together, a node with
/// retries goes by `on_exhaust` and a node without by `on_fail`.
pub fn precedence(node: &Node, condition: Option<&Condition>) -> u8 {
    let Some(condition) = condition else {
        return 0;
    };
    let has = |wanted| condition.keywords().any(|keyword| keyword == wanted);
    if has(Keyword::Always) {
        return 2;
    }
    let after = if has_retries(node) {
        Keyword::OnFail
    } else {
        Keyword::OnExhaust
    };
    u8::from(has(after))
}

/// Whether a node may be run more than once: by `max_retries`, else by `retry_policy`.
fn has_retries(node: &Node) -> bool {
    let written = |name| {
        let attribute = node.attributes.get(name)?;
        Some(attribute.value().trim()).filter(|value| !value.is_empty())
    };
    match (written("max_retries"), written("retry_policy")) {
        (Some(count), _) => values::integer(count).is_some_and(|count| count > 0),
        (None, Some(policy)) => !policy.eq_ignore_ascii_case("none"),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::Pipeline;

    /// The targets of `n` in routing order.
    fn order(node: &str, edges: &str) -> String {
        let text = format!("digraph {{ start -> n; n [prompt=x, {node}]; {edges} }}");
        let pipeline = Pipeline::from_text(&text).remove(0);
        let ids = pipeline.outgoing(pipeline.by_id("n").unwrap()).iter();
        let ids = ids.map(|ix| pipeline.id(pipeline.edge(*ix).unwrap().to));
        ids.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn always_comes_last_whatever_its_target_is_called() {
        let edges =
            "n -> a [condition=always]; n -> z [condition=on_fail]; n -> m [condition=\"x=1\"]";
        assert_eq!(order("", edges), "m z a");
        let edges = "n -> a [condition=always, priority=-5]; n -> z [condition=on_fail]";
        assert_eq!(order("", edges), "z a");
    }

    #[test]
    fn retries_decide_between_failure_and_exhaustion() {
        let edges = "n -> a [condition=on_fail]; n -> b [condition=on_exhaust]";
        assert_eq!(order("", edges), "a b");
        assert_eq!(order("max_retries=0, retry_policy=standard", edges), "a b");
        assert_eq!(order("max_retries=2", edges), "b a");
        assert_eq!(order("retry_policy=linear", edges), "b a");
        let edges = "n -> b [condition=on_fail]; n -> a [condition=on_exhaust]";
        assert_eq!(order("", edges), "b a");
        assert_eq!(order("max_retries=2", edges), "a b");
    }
}
