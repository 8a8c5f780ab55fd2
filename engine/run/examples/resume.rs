//! How long it takes to take a run up again: from its last checkpoint, from the checkpoint a crash leaves,
//! and from the journal alone.
//!
//! `cargo run --release -p attractor-run --example resume -- [NODES]…` (100 1000 10000). Each run is a line of
//! no-op nodes before a gate that nobody answers. The time is that of `resume` until the run is owned; the best of
//! five. The size is what was read.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attractor_model::Pipeline;
use attractor_run::{AnswerPolicy, Launch, Resume, ResumeFrom, RunHandle, Source, resume, start};

fn main() -> Result<(), Box<dyn Error>> {
    let mut sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    if sizes.is_empty() {
        sizes = vec![100, 1000, 10_000];
    }
    let folder = std::env::current_dir()?
        .join("target")
        .join("resume-example");
    let runtime = tokio::runtime::Runtime::new()?;
    for nodes in sizes {
        fs::create_dir_all(&folder)?;
        runtime.block_on(measure(&folder, nodes))?;
        fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

async fn measure(folder: &Path, nodes: usize) -> Result<(), Box<dyn Error>> {
    let launch = launch(folder, nodes)?;
    let handle = start(launch.clone()).await?;
    waits(&handle).await;
    // What a crash leaves now: the checkpoint of some time ago.
    let run = handle.directory().to_owned();
    let (checkpoint, copy) = (run.join("checkpoint.json"), folder.join("left.json"));
    let left = fs::copy(&checkpoint, &copy);
    stop(&handle).await;
    let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len()) / 1024;
    println!(
        "{nodes} steps, {} KiB of journal",
        size(&run.join("journal.jsonl"))
    );
    let kept = fs::read(&checkpoint)?;
    let ways: [(&str, Option<Vec<u8>>); 3] = [
        ("stopped", Some(kept)),
        ("crashed", left.ok().and_then(|_| fs::read(&copy).ok())),
        ("journal alone", None),
    ];
    let journal = fs::read(run.join("journal.jsonl"))?;
    for (name, checkpoint_then) in ways {
        let mut best = Duration::MAX;
        for _ in 0..5 {
            fs::write(run.join("journal.jsonl"), &journal)?;
            match &checkpoint_then {
                Some(bytes) => fs::write(&checkpoint, bytes)?,
                None => fs::remove_file(&checkpoint)?,
            }
            best = best.min(again(run.clone(), launch.clone()).await?);
        }
        println!("  {name:<14} {:>8.2} ms", best.as_secs_f64() * 1000.0);
    }
    Ok(())
}

/// The time of one resume.
async fn again(run: PathBuf, launch: Launch) -> Result<Duration, Box<dyn Error>> {
    let how = Resume::new(launch);
    let begun = Instant::now();
    let handle = resume(ResumeFrom::Run(run), how).await?;
    let took = begun.elapsed();
    waits(&handle).await;
    stop(&handle).await;
    Ok(took)
}

async fn waits(handle: &RunHandle) {
    while handle.questions().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn stop(handle: &RunHandle) {
    handle.interrupt("the example");
    handle.wait().await;
}

fn launch(folder: &Path, nodes: usize) -> Result<Launch, Box<dyn Error>> {
    let mut dot = format!(
        "digraph steps {{ max_steps={}; n0 [shape=Mdiamond];",
        nodes + 9
    );
    for node in 1..nodes {
        write!(dot, " n{node} [shape=diamond]; n{} -> n{node};", node - 1)?;
    }
    write!(
        dot,
        " n{} -> gate; gate [shape=hexagon]; gate -> end; end [shape=Msquare] }}",
        nodes - 1
    )?;
    let pipelines = Pipeline::from_text(&dot);
    let pipeline = pipelines.into_iter().next().ok_or("no pipeline")?;
    let source = Source {
        path: folder.join("steps.dot"),
        text: dot.into(),
    };
    let mut launch = Launch::new(pipeline, source);
    launch.answers = AnswerPolicy::Ask;
    Ok(launch)
}
