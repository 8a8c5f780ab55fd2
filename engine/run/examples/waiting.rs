//! The memory of runs that wait for a person, all in one process.
//!
//! `cargo run --release -p attractor-run --example waiting -- [RUNS]` (1000). Each run has done a step and waits at a
//! gate that nobody answers. Prints what the process grew by, per run. Linux only.

use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use attractor_model::Pipeline;
use attractor_run::{AnswerPolicy, Launch, RunHandle, Source, start};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const DOT: &str = r#"digraph waiting {
  start  [shape=Mdiamond]
  check  [shape=diamond]
  gate   [shape=hexagon, prompt="Release it?"]
  done   [shape=Msquare]
  start -> check -> gate
  gate -> done  [label="[Y] Yes"]
  gate -> check [label="[N] No"]
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let runs: usize = match std::env::args().nth(1) {
        Some(word) => word.parse()?,
        None => 1000,
    };
    // A run holds two files open: its journal and its lock.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            ..limit
        },
    )?;
    let folder = std::env::current_dir()?
        .join("target")
        .join("waiting-example");
    // The root of a project: a run compares the files of its project at a gate.
    fs::create_dir_all(folder.join(".attractor"))?;
    let runtime = tokio::runtime::Runtime::new()?;
    let result = runtime.block_on(measure(&folder, runs));
    fs::remove_dir_all(&folder)?;
    result
}

async fn measure(folder: &std::path::Path, runs: usize) -> Result<(), Box<dyn Error>> {
    let pipelines = Pipeline::from_text(DOT);
    let pipeline = pipelines.into_iter().next().ok_or("no pipeline")?;
    let source = Source {
        path: folder.join("waiting.dot"),
        text: DOT.into(),
    };
    let mut launch = Launch::new(pipeline, source);
    launch.answers = AnswerPolicy::Ask;
    // The first run loads what all of them use.
    let mut handles = vec![waiting(&launch).await?];
    let before = resident()?;
    let begun = Instant::now();
    for _ in 0..runs {
        handles.push(waiting(&launch).await?);
    }
    let took = begun.elapsed();
    let grown = resident()?.saturating_sub(before);
    println!(
        "{runs} waiting runs: {:.1} MB more, {:.1} KB a run; started in {:.2} s",
        megabytes(grown),
        megabytes(grown) * 1000.0 / f64::from(u32::try_from(runs)?),
        took.as_secs_f64()
    );
    for handle in &handles {
        handle.cancel("the example");
        handle.wait().await;
    }
    Ok(())
}

/// Starts a run and returns when it asks.
async fn waiting(launch: &Launch) -> Result<RunHandle, Box<dyn Error>> {
    let handle = start(launch.clone()).await?;
    while handle.questions().is_empty() {
        tokio::time::sleep(Duration::from_micros(100)).await;
    }
    Ok(handle)
}

/// Bytes of this process in memory.
fn resident() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next());
    Ok(kilobytes.ok_or("no VmRSS")?.parse::<u64>()? * 1024)
}

fn megabytes(bytes: u64) -> f64 {
    u32::try_from(bytes / 1000).map_or(f64::MAX, f64::from) / 1000.0
}
