//! Gates answered by a program: a function decides, its answers are recorded, and a second run plays them back.
//!
//! `cargo run -p attractor --example gates`

use attractor::{Answer, Callback, Engine, Pipeline, Question, Recording};

#[tokio::main]
async fn main() -> Result<(), attractor::Error> {
    let pipeline = Pipeline::builder("release")
        .node("start", &[("shape", "Mdiamond")])
        .node("draft", &[("command", "echo \"release notes\"")])
        .node(
            "review",
            &[("shape", "hexagon"), ("label", "Are the notes good?")],
        )
        .node("done", &[("shape", "Msquare")])
        .edge("start", "draft")
        .edge("draft", "review")
        .edge_with("review", "draft", &[("label", "[R] Revise")])
        .edge_with("review", "done", &[("label", "[A] Approve")])
        .build()?;

    let recording = Recording::of(Callback::new(decide));
    let engine = Engine::builder().interviewer(recording.clone()).build()?;
    let first = engine.run(&pipeline).start().await?.wait().await;
    println!("asked:    {}", first.path.join(" → "));
    for answer in recording.answers() {
        println!("  {}: {}", answer.question, answer.answer.choice);
    }

    let engine = Engine::builder()
        .interviewer(recording.playback())
        .build()?;
    let second = engine.run(&pipeline).start().await?.wait().await;
    println!("replayed: {}", second.path.join(" → "));
    Ok(())
}

/// Sends the first draft back.
async fn decide(question: Question) -> Option<Answer> {
    let is_first = question.id.ends_with(".1");
    Some(Answer::of(if is_first { "revise" } else { "approve" }))
}
