//! What is in a text for a value, as a run fills it in.

use super::*;

#[tokio::test]
async fn values_come_from_the_context_and_the_graph() {
    walk_all(&[
        ("a key, with dots too", "w [prompt=x, var.a=1, var.b.c=two]; a [prompt=x, var.seen=\"{a} {b.c} $a ${b.c}\"]; s -> w -> a -> e", &[], "s w a e; seen=1 two 1 two"),
        ("a key that nobody set stays as it is written", "a [prompt=x, var.seen=\"{nobody} ${nobody} $nobody {nobody:-else}\"]; s -> a -> e", &[], "s a e; seen={nobody} ${nobody} $nobody else"),
        ("what is not a key stays", "a [prompt=x, var.seen=\"{ \\\"k\\\": 1 } {{k}} {print}\"]; s -> a -> e", &[], "s a e; seen={ \"k\": 1 } {{k}} {print}"),
        ("the goal, in each spelling", "goal=\"to $w\"; vars=\"w=win\"; a [prompt=x, var.seen=\"$goal {graph.goal} {{ goal }}\"]; s -> a -> e", &[], "s a e; seen=to win to win to win"),
        ("without a goal there is none to put in", "a [prompt=x, var.seen=\"$goal\"]; s -> a -> e", &[], "s a e; seen=$goal"),
        ("attributes of the graph that somebody wrote", "max_steps=50; a [prompt=x, var.seen=\"$max_steps $max_node_visits {graph.max_steps}\"]; s -> a -> e", &[], "s a e; seen=50 $max_node_visits 50"),
        ("inputs by their long name", "vars=\"w=win\"; a [prompt=x, var.seen=\"{inputs.w} {{ inputs.w }}\"]; s -> a -> e", &[], "s a e; seen=win win"),
        ("what a node is, was and does", "a [prompt=x]; b [prompt=x, var.seen=\"{current_node} {last_stage} {outcome} {node.a.outcome}\"]; s -> a -> b -> e", &[], "s a b e; seen=a a success success"),
        ("a value is put in once and not read again", "w [prompt=x, var.a=\"{{b}}\", var.b=no]; a [prompt=x, var.seen=\"{a}\"]; s -> w -> a -> e", &[], "s w a e; seen={{b}}"),
    ])
    .await;
}
