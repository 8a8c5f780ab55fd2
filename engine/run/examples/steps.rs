//! How fast a run goes when its nodes do nothing: steps per second of a line of no-op nodes, against bare
//! append + `fdatasync` of as many bytes to the same disk, in turns.
//!
//! `cargo run --release -p attractor-run --example steps -- [NODES] [ROUNDS]` (1000 and 5). Prints one line
//! per round and the medians; then how much longer ten times as many nodes take. Processor time is that of all
//! threads, on Linux only; what the appends alone take is part of both.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use attractor_model::Pipeline;
use attractor_run::{Launch, RunState, Source, start};

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
    let (mut ratios, mut processor, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=rounds {
        let run = runtime.block_on(run(&folder, nodes))?;
        let (steps, size) = (count(nodes) / run.seconds, run.bytes / nodes);
        let bare = append(&folder, nodes, size)?;
        let ratio = steps * bare.seconds / count(nodes);
        let per_step = run.processor * 1e6 / count(nodes);
        println!(
            "round {round}: {steps:.0} steps/s; bare append+fdatasync {:.0}/s; {ratio:.2} of bare; \
             {per_step:.0} µs of processor a step, {:.0} µs an append; {size} bytes/step",
            count(nodes) / bare.seconds,
            bare.processor * 1e6 / count(nodes),
        );
        ratios.push(ratio);
        processor.push(per_step);
        seconds.push(run.seconds);
    }
    println!(
        "{nodes} nodes, median of {rounds}: {:.2} of bare append+fdatasync, {:.0} µs of processor a step",
        median(&mut ratios),
        median(&mut processor)
    );
    let long = runtime.block_on(run(&folder, nodes * 10))?;
    println!(
        "{} nodes take {:.1} times as long as {nodes}",
        nodes * 10,
        long.seconds / median(&mut seconds)
    );
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// What one measurement took.
struct Cost {
    seconds: f64,
    /// Processor time of all threads, seconds.
    processor: f64,
    bytes: usize,
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Nanoseconds that all threads of this process have run for.
fn processor_time() -> u64 {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let times = threads.filter_map(|thread| {
        let statistics = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        statistics.split_whitespace().next()?.parse::<u64>().ok()
    });
    times.sum()
}

/// Measures from now on.
fn measure() -> impl FnOnce(usize) -> Cost {
    let (begun, processor) = (Instant::now(), processor_time());
    move |bytes| Cost {
        seconds: begun.elapsed().as_secs_f64(),
        processor: Duration::from_nanos(processor_time().saturating_sub(processor)).as_secs_f64(),
        bytes,
    }
}

/// A run of so many nodes, and the size of its journal.
async fn run(folder: &Path, nodes: usize) -> Result<Cost, Box<dyn Error>> {
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
    let cost = measure();
    let handle = start(launch).await?;
    let report = handle.wait().await;
    let cost = cost(0);
    if report.status != RunState::Success {
        return Err(format!("{:?}", report.failure).into());
    }
    let journal = fs::metadata(handle.directory().join("journal.jsonl"))?.len();
    Ok(Cost {
        bytes: usize::try_from(journal)?,
        ..cost
    })
}

/// So many appends of this size.
fn append(folder: &Path, times: usize, size: usize) -> Result<Cost, Box<dyn Error>> {
    let path = folder.join("bare.log");
    let mut file = File::create(&path)?;
    let line = vec![b'x'; size];
    let cost = measure();
    for _ in 0..times {
        file.write_all(&line)?;
        file.sync_data()?;
    }
    Ok(cost(times * size))
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}
