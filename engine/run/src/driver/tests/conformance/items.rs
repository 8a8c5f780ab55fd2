//! Branches for the items of a list, branches inside branches, and branches that are dropped.

use super::*;

/// One branch for each item of a list, one after the other.
macro_rules! each {
    ($items:literal, $fork:literal, $rest:literal) => {
        concat!(
            "w0 [prompt=x, var.items=\"",
            $items,
            "\"]; f [shape=component, max_parallel=1, for_each=items ",
            $fork,
            "]; s -> w0 -> f; ",
            $rest
        )
    };
}

#[tokio::test]
async fn a_branch_for_each_item() {
    walk_all(&[
        (
            "each has its item",
            each!("x,y,z", ", item_key=n", "w [prompt=\"{n}\"]; j [shape=tripleoctagon]; f -> w -> j; j -> e"),
            &[],
            "s w0 w w w f j e; w_0.n=x; w_2.n=z; n=null; parallel_results={\"w_0\":\"would ask the model: x\",\"w_1\":\"would ask the model: y\",\"w_2\":\"would ask the model: z\"}",
        ),
        (
            "without items nothing is done, and the run continues where they would have met",
            each!("", "", "w [prompt=x]; j [shape=tripleoctagon]; f -> w -> j; j -> e"),
            &[],
            "s w0 f j e; parallel_results={}",
        ),
        (
            "or on the way that is not a branch",
            each!("[]", ", branches=w", "w [prompt=x]; z [prompt=x]; f -> z -> e"),
            &[],
            "s w0 f z e",
        ),
        (
            "or at the end",
            each!("[]", "", "w [prompt=x]; f -> w"),
            &[],
            "s w0 f",
        ),
        (
            "every item has its own tries",
            each!("x,y", "", "w [prompt=x, max_retries=1, allow_partial=false]; j [shape=tripleoctagon]; f -> w -> j; j -> e"),
            &[("w", &["fail", "success", "fail", "success"])],
            "s w0 w w f j e; parallel.fail_count=0",
        ),
        (
            "and its own rounds of a loop",
            each!("x,y", ", max_parallel=2", "l [shape=trapezium, loop_id=l, loop_max=2]; w [prompt=x]; m [shape=invtrapezium, loop_id=l]; j [shape=tripleoctagon]; f -> l -> w -> m -> j; j -> e"),
            &[],
            "s w0 l l w w m m l l w w m m f j e",
        ),
    ])
    .await;
}

#[tokio::test]
async fn forks_inside_forks() {
    walk_all(&[
        (
            "an inner fork whose branches all fail still leads to its own fan-in",
            "o [shape=component, max_parallel=1]; i [shape=component, max_parallel=1, error_policy=ignore]; x [prompt=p]; y [prompt=p]; \
             inj [shape=tripleoctagon, on_failure=continue]; b [prompt=p]; outj [shape=tripleoctagon]; \
             s -> o; o -> i; i -> x -> inj; i -> y -> inj; inj -> outj; o -> b -> outj; outj -> e",
            &[("x", &["fail"]), ("y", &["fail"])],
            "s x y i inj b o outj e; i.parallel.fail_count=2; parallel.fail_count=0",
        ),
        (
            "branches that arrive at two places continue at the one that leads to the other, in any order of arrival",
            "f [shape=component, max_parallel=1]; a [prompt=x]; b [prompt=x]; j [shape=tripleoctagon]; k [shape=tripleoctagon]; \
             s -> f; f -> a -> k; f -> b -> j; j -> k -> e",
            &[],
            "s a b f j k e",
        ),
        (
            "the names of branches inside branches follow each other",
            "o [shape=component, max_parallel=1]; i [shape=component, max_parallel=1]; x [prompt=p, var.k=1]; y [prompt=p]; \
             inj [shape=tripleoctagon]; b [prompt=p]; outj [shape=tripleoctagon]; \
             s -> o; o -> i; i -> x -> inj; i -> y -> inj; inj -> outj; o -> b -> outj; outj -> e",
            &[],
            "s x y i inj b o outj e; i.x.k=1; x.k=null; k=null",
        ),
    ])
    .await;
}

/// A branch that is dropped leaves nothing behind, however deep it was: no walker, no layer of the context.
#[tokio::test(start_paused = true)]
async fn what_is_dropped_is_gone() {
    let bench = Harness::new();
    let dot = file(
        "o [shape=component, join_policy=first_success]; i [shape=component]; x [duration=1s]; y [duration=1h]; \
         inj [shape=tripleoctagon]; b [duration=1m]; outj [shape=tripleoctagon]; \
         s -> o; o -> i; i -> x -> inj; i -> y -> inj; inj -> outj; o -> b -> outj; outj -> e",
    );
    let (report, handle) = finish(bench.launch(&dot)).await;
    assert_eq!(
        shown(&report, "; parallel_results="),
        "s x b o outj e; parallel_results={\"b\":null}"
    );
    let kept = Snapshot::load(&Layout::new(handle.directory().to_owned()).checkpoint()).unwrap();
    assert!(kept.state.frames.is_empty());
    let state = serde_json::to_value(&kept.state).unwrap();
    let layers = state["contexts"]["layers"].as_object().unwrap();
    assert_eq!(layers.len(), 2, "what was given, and the run's own");
}
