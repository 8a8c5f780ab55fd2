//! A run that is followed: its events as they come, its context while it runs, an answer to its question.
//!
//! `cargo run -p attractor --example follow [-- PIPELINE.dot]`

use attractor::{Engine, EventKind, OnMissingInterviewer, Pipeline, parse_dot_file};
use futures::StreamExt;

#[tokio::main]
async fn main() -> Result<(), attractor::Error> {
    let pipeline = match std::env::args_os().nth(1) {
        Some(path) => parse_dot_file(path)?,
        None => example()?,
    };
    let engine = Engine::builder()
        .on_missing_interviewer(OnMissingInterviewer::Wait)
        .build()?;
    let run = engine.run(&pipeline).start().await?;

    let mut events = run.events(0);
    while let Some(event) = events.next().await {
        match &event.kind {
            EventKind::StageOutput { at, text, .. } => print!("{}: {text}", at.node),
            EventKind::StageCompleted { at, status, .. } => println!("{}: {status}", at.node),
            EventKind::InterviewStarted { question, .. } => {
                let context = run.context().await;
                let output = context.get("stdout").cloned().unwrap_or_default();
                println!("{} (after {output})", question.text);
                let answered = run.answer(&question.id, "yes").await;
                println!("accepted: {}", answered.accepted);
            }
            _ => {}
        }
    }
    let report = run.wait().await;
    println!("{:?} after {} steps", report.status, report.steps);
    Ok(())
}

fn example() -> Result<Pipeline, attractor::ParseError> {
    Pipeline::builder("release")
        .node("start", &[("shape", "Mdiamond")])
        .node("test", &[("command", "echo 12 passed")])
        .node("review", &[("shape", "hexagon"), ("label", "Release?")])
        .node("done", &[("shape", "Msquare")])
        .edge("start", "test")
        .edge("test", "review")
        .edge("review", "done")
        .build()
}
