//! Runs a pipeline from a program of your own and follows its events.
//!
//! `cargo run -p attractor-run --example embed -- examples/hello.dot`

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use attractor_model::Pipeline;
use attractor_run::{AnswerPolicy, EventKind, Launch, Source, start};
use futures::StreamExt as _;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let path: PathBuf = std::env::args_os()
        .nth(1)
        .ok_or("usage: embed PIPELINE.dot")?
        .into();
    let text: Arc<str> = std::fs::read_to_string(&path)?.into();
    let pipelines = Pipeline::from_text(&text);
    let pipeline = pipelines.into_iter().next().ok_or("no digraph")?;

    // A pipeline with errors is refused here. Without another backend, models are simulated.
    let mut launch = Launch::new(pipeline, Source { path, text });
    launch.answers = AnswerPolicy::AutoApprove;
    let run = start(launch).await?;

    let mut events = Box::pin(run.subscribe(0));
    while let Some(event) = events.next().await {
        if let EventKind::StageCompleted { at, status, .. } = &event.kind {
            println!("{}: {status}", at.node);
        }
    }
    let report = run.wait().await;
    println!("{:?} after {} steps", report.status, report.steps);
    Ok(())
}
