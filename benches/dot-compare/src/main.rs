//! Bytes per second and peak memory of DOT parsers on the same files, in one run, as Markdown.
//!
//! ```text
//! cargo run --release --manifest-path benches/dot-compare/Cargo.toml -- [FILE..]
//! ```
//! Without files: the corpora named by `ATTRACTOR_CORPUS` and `GRAPHVIZ_CORPUS`, each joined to one
//! text, generated pipelines of 1, 10 and 100 MB, and texts that are hard in one way. Each parser runs
//! in a process of its own, they take turns, and the best turn counts. Memory is the peak of the process
//! less what it needs for an empty graph, per byte of text, the text itself not counted. A parser that
//! would take long at a size, as its last size shows, is left out of it, saying so.
//! Graphviz needs a C compiler and libgraphviz-dev, those from npm need node.

mod degenerate;
mod parsers;
mod texts;

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use parsers::{Outcome, Parser};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Maximum time of one measurement, in seconds.
const MAX_SECONDS: f64 = 10.0;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, parser, file, runs] = arguments.as_slice()
        && mode == "one"
    {
        return parsers::one(parser, file, runs.parse()?);
    }
    let scratch = std::env::temp_dir().join("dot-compare");
    fs::create_dir_all(&scratch)?;
    let parsers = parsers::all(&scratch)?;
    let base = base(&parsers, &scratch)?;
    let files = if arguments.is_empty() {
        texts::usual(&scratch)?
    } else {
        arguments.iter().map(PathBuf::from).collect()
    };
    // Nanoseconds a byte at the last size read, and megabytes a second at all of them.
    let mut pace: HashMap<&str, f64> = HashMap::new();
    let mut speeds: HashMap<&str, Vec<String>> = HashMap::new();
    for file in &files {
        compare(file, &parsers, &base, &mut pace, &mut speeds)?;
    }
    println!("### MB/s by text\n");
    let names: Vec<_> = files
        .iter()
        .map(|file| file.file_stem().unwrap_or_default().to_string_lossy())
        .collect();
    println!(
        "| | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for parser in &parsers {
        println!(
            "| {} | {} |",
            parser.name,
            speeds.remove(parser.name).unwrap_or_default().join(" | ")
        );
    }
    if arguments.is_empty() {
        degenerate::growth();
    }
    Ok(())
}

/// What each needs for an empty graph, in KiB.
fn base<'a>(parsers: &'a [Parser], scratch: &Path) -> Result<HashMap<&'a str, f64>> {
    let empty = scratch.join("empty.gv");
    fs::write(&empty, "digraph { a }")?;
    let mut base = HashMap::new();
    for parser in parsers {
        if let Outcome::Read { peak_kib, .. } = parser.read(&empty, 1)? {
            base.insert(parser.name, peak_kib);
        }
    }
    Ok(base)
}

/// All of them on one file, in turns.
fn compare<'a>(
    file: &Path,
    parsers: &'a [Parser],
    base: &HashMap<&str, f64>,
    pace: &mut HashMap<&'a str, f64>,
    speeds: &mut HashMap<&'a str, Vec<String>>,
) -> Result<()> {
    let bytes = fs::metadata(file)?.len() as f64;
    let (rounds, runs) = if bytes < 4e6 { (5, 5) } else { (5, 3) };
    let mut best: HashMap<&str, (f64, f64)> = HashMap::new();
    let mut failed: HashMap<&str, String> = HashMap::new();
    for round in 0..rounds {
        for parser in parsers {
            let expected = pace.get(parser.name).copied().unwrap_or(0.0) * bytes / 1e9;
            if expected > MAX_SECONDS {
                failed.insert(parser.name, format!("left out: some {expected:.0} s"));
            }
            // The slow ones need no second turn: it would not make them fast.
            if failed.contains_key(parser.name) || round > 0 && expected > 2.0 {
                continue;
            }
            match parser.read(file, if expected > 0.5 { 1 } else { runs })? {
                Outcome::Read {
                    nanoseconds,
                    peak_kib,
                } => {
                    let (time, peak) = best.entry(parser.name).or_insert((nanoseconds, peak_kib));
                    (*time, *peak) = (time.min(nanoseconds), peak.min(peak_kib));
                }
                Outcome::Refused => drop(failed.insert(parser.name, "does not read it".to_owned())),
                Outcome::TooLong(time) => {
                    drop(failed.insert(parser.name, format!("not done after {} s", time.as_secs())))
                }
            }
        }
    }
    println!(
        "### {} ({:.2} MB)\n",
        file.file_name().unwrap_or_default().to_string_lossy(),
        bytes / 1e6
    );
    println!("| | MB/s | × Graphviz | × lexing alone | peak B/byte |\n|---|---|---|---|---|");
    let speed = |name: &str| best.get(name).map(|(time, _)| bytes * 1e3 / time);
    let ratio = |own: f64, other: &str| {
        speed(other).map_or_else(|| "–".to_owned(), |other| format!("{:.2}", own / other))
    };
    for parser in parsers {
        let (Some(own), Some((time, peak))) = (speed(parser.name), best.get(parser.name)) else {
            let why = failed.remove(parser.name).unwrap_or_default();
            println!("| {} | {why} | | | |", parser.name);
            speeds.entry(parser.name).or_default().push("–".to_owned());
            continue;
        };
        pace.insert(parser.name, time / bytes);
        speeds
            .entry(parser.name)
            .or_default()
            .push(format!("{own:.0}"));
        let text = if parser.holds_text { 1.0 } else { 0.0 };
        let memory = (peak - base.get(parser.name).unwrap_or(&0.0)) * 1024.0 / bytes - text;
        println!(
            "| {} | {own:.1} | {} | {} | {:.1} |",
            parser.name,
            ratio(own, "Graphviz"),
            ratio(own, "lexing alone"),
            memory.max(0.0)
        );
    }
    println!();
    Ok(())
}
