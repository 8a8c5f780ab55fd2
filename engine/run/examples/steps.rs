//! How fast a run goes when its nodes do nothing: steps per second of a line of no-op nodes, against bare
//! append + `fdatasync` of as many bytes to the same disk, in turns.
//!
//! `cargo run --release -p attractor-run --example steps -- [NODES] [ROUNDS]` (1000 and 5). Prints one line
//! per round and the medians.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use attractor_model::Pipeline;
use attractor_run::{Launch, RunStatus, Source, start};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse::<usize>().ok());
    let nodes = arguments.next().unwrap_or(1000);
    let rounds = arguments.next().unwrap_or(5).max(1);
    let folder = std::env::current_dir()?
        .join("target")
        .join("steps-example");
    fs::create_dir_all(&folder)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let mut ratios = Vec::new();
    for round in 1..=rounds {
        let (steps, bytes) = runtime.block_on(run(&folder, nodes))?;
        let bare = append(&folder, nodes, bytes / nodes)?;
        let ratio = steps / bare;
        println!(
            "round {round}: {steps:.0} steps/s; bare append+fdatasync {bare:.0}/s; {ratio:.2} of bare; {} bytes/step",
            bytes / nodes
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    println!("{nodes} nodes, median of {rounds}: {median:.2} of bare append+fdatasync");
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Steps per second, and the size of the journal.
async fn run(folder: &Path, nodes: usize) -> Result<(f64, usize), Box<dyn Error>> {
    let mut dot = format!(
        "digraph steps {{ max_steps={}; n0 [shape=Mdiamond];",
        nodes + 2
    );
    for node in 1..nodes {
        write!(dot, " n{node} [shape=diamond]; n{} -> n{node};", node - 1)?;
    }
    dot.push('}');
    let pipelines = Pipeline::from_text(&dot);
    let pipeline = pipelines.into_iter().next().ok_or("no pipeline")?;
    let source = Source {
        path: folder.join("steps.dot"),
        text: dot.into(),
    };
    let launch = Launch::new(pipeline, source);
    let begun = Instant::now();
    let handle = start(launch).await?;
    let report = handle.wait().await;
    let seconds = begun.elapsed().as_secs_f64();
    if report.status != RunStatus::Success {
        return Err(format!("{:?}", report.failure).into());
    }
    let journal = fs::metadata(handle.directory().join("journal.jsonl"))?.len();
    Ok((count(nodes) / seconds, usize::try_from(journal)?))
}

/// Appends per second.
fn append(folder: &Path, times: usize, size: usize) -> Result<f64, Box<dyn Error>> {
    let path = folder.join("bare.log");
    let mut file = File::create(&path)?;
    let line = vec![b'x'; size];
    let begun = Instant::now();
    for _ in 0..times {
        file.write_all(&line)?;
        file.sync_data()?;
    }
    Ok(count(times) / begun.elapsed().as_secs_f64())
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}
