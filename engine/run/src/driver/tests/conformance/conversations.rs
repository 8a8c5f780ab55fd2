//! What a model sees of the conversation: by its node, by the edge that leads to it, by the graph.

use std::sync::Mutex;

use futures::future::BoxFuture;

use super::*;
use crate::backend::{
    BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse, Progress,
};
use crate::driver::resume::resume_run;
use crate::launch::Resume;

/// Writes down what it was reported.
#[derive(Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl CodergenBackend for Listener {
    fn name(&self) -> &'static str {
        "listener"
    }

    fn run(
        &self,
        request: CodergenRequest,
        _progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        let options = ["fidelity", "thread_id"].map(|name| {
            let option = request.options.iter().find(|(known, _)| known == name);
            option.map_or("-", |(_, value)| value).to_owned()
        });
        let line = format!("{} {}", request.node, options.join(" "));
        self.0.lock().unwrap().push(line);
        Box::pin(async { Ok(CodergenResponse::default()) })
    }
}

#[tokio::test]
async fn edges_set_the_fidelity_and_thread_of_their_target() {
    for (says, statements, expected) in [
        ("nobody says anything", "a [prompt=x]; s -> a -> e", "a - -"),
        (
            "the graph",
            "default_fidelity=compact; default_thread_id=t; a [prompt=x]; s -> a -> e",
            "a compact t",
        ),
        (
            "the node before the graph",
            "default_fidelity=compact; default_thread_id=t; a [prompt=x, fidelity=full, thread_id=own]; s -> a -> e",
            "a full own",
        ),
        (
            "the edge before the node, but for the node's own thread",
            "a [prompt=x, fidelity=full, thread_id=own]; s -> a [fidelity=truncate, thread_id=edge]; a -> e",
            "a truncate own",
        ),
        (
            "the edge's thread before the graph's",
            "default_thread_id=t; a [prompt=x]; s -> a [thread_id=edge]; a -> e",
            "a - edge",
        ),
        (
            "and only for the node it leads to",
            "a [prompt=x]; b [prompt=x]; s -> a [fidelity=full]; a -> b -> e",
            "a full -; b - -",
        ),
        (
            "an edge to a branch too",
            "f [shape=component, max_parallel=1]; a [prompt=x]; b [prompt=x]; j [shape=tripleoctagon]; s -> f; f -> a [fidelity=full]; a -> j; f -> b -> j; j -> e",
            "a full -; b - -",
        ),
    ] {
        let bench = Harness::new();
        let mut launch = bench.launch(&file(statements));
        let listener = Listener::default();
        let heard = listener.0.clone();
        launch.mode = Mode::Run;
        launch.backends = BackendRegistry::of(listener);
        run(launch).await;
        assert_eq!(heard.lock().unwrap().join("; "), expected, "{says}");
    }
}

/// Answers with the conversation it was given.
struct Recalls;

impl CodergenBackend for Recalls {
    fn name(&self) -> &'static str {
        "recalls"
    }

    fn run(
        &self,
        request: CodergenRequest,
        _: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        let turns = request.conversation.iter();
        let turns: Vec<String> = turns
            .map(|turn| format!("{} {};", turn.prompt, turn.answer.len()))
            .collect();
        Box::pin(async move {
            Ok(CodergenResponse {
                text: format!("[{}]", turns.concat()),
                ..CodergenResponse::default()
            })
        })
    }
}

/// The process dies after any event; the model of each node is given the same conversation.
#[tokio::test(flavor = "multi_thread")]
async fn a_thread_outlives_its_process() {
    let dot = file(
        "default_fidelity=full; a [prompt=one]; b [prompt=two, thread_id=own]; c [prompt=three]; d [prompt=four]
         s -> a -> b -> c -> d -> e",
    );
    let bench = Harness::new();
    let launch = |bench: &Harness| {
        let mut launch = bench.launch(&dot);
        launch.mode = Mode::Run;
        launch.backends = BackendRegistry::of(Recalls);
        launch
    };
    let answers = |report: &RunReport| {
        let answer = |node| {
            value(report, &format!("response.{node}"))
                .as_str()
                .map(str::to_owned)
        };
        ["a", "b", "c", "d"]
            .map(answer)
            .map(Option::unwrap_or_default)
            .join(" ")
    };
    let (whole, handle) = finish(launch(&bench)).await;
    let expected = "[] [] [one 2;] [one 2;three 8;]";
    assert_eq!(answers(&whole), expected);
    let journal = std::fs::read_to_string(handle.directory().join("journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    for end in 1..lines.len() - 1 {
        let bench = Harness::new();
        let directory = bench.path().join("run");
        std::fs::create_dir(&directory).unwrap();
        for name in ["manifest.json", "pipeline.dot"] {
            std::fs::copy(handle.directory().join(name), directory.join(name)).unwrap();
        }
        let kept = lines[..end].join("\n") + "\n";
        std::fs::write(directory.join("journal.jsonl"), kept).unwrap();
        let resume = Resume::new(launch(&bench));
        let again = resume_run(&directory, resume, Arc::new(attractor_exec::RealDisk)).unwrap();
        let report = again.wait().await;
        assert_eq!(answers(&report), expected, "after line {end}");
    }
}
