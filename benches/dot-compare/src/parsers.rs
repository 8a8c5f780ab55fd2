//! Who reads: parsers of this program, each in a process of its own, and those in other languages.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Result;

/// A parser as a program: `command FILE RUNS` prints nanoseconds of the best run and peak KiB.
pub struct Parser {
    pub name: &'static str,
    command: Vec<String>,
    /// Whether the text is in its memory, too.
    pub holds_text: bool,
}

/// What became of one reading.
#[derive(Clone, Copy)]
pub enum Outcome {
    Read { nanoseconds: f64, peak_kib: f64 },
    Refused,
    TooLong(Duration),
}

/// Maximum time for a parser.
const READ_TIMEOUT: Duration = Duration::from_secs(15);

/// Parsers from npm, by the names that `npm.mjs` knows.
const NPM: [&str; 2] = ["ts-graphviz", "dot-language-support"];

const OURS: [(&str, fn(&str) -> bool); 7] = [
    ("lexing alone", |text| attractor_dot::lex(text).len() > 0),
    ("attractor parse", |text| {
        !attractor_dot::parse(text).file.graphs.is_empty()
    }),
    ("attractor graph", |text| {
        let parse = attractor_dot::parse(text);
        let text = Arc::from(text);
        parse
            .file
            .graphs
            .iter()
            .map(|graph| attractor_dot::graph::resolve(graph, &text).nodes.len())
            .sum::<usize>()
            > 0
    }),
    ("attractor format", |text| {
        attractor_dot::format::format(text, &attractor_dot::format::Options::default()).len() > 1
    }),
    ("tree-sitter-dot", tree_sitter),
    ("dot-parser", |text| {
        dot_parser::ast::Graphs::try_from(text).is_ok()
    }),
    ("graphviz-rust", |text| graphviz_rust::parse(text).is_ok()),
];

fn tree_sitter(text: &str) -> bool {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(tree_sitter_dot::language()).is_ok()
        && parser
            .parse(text, None)
            .is_some_and(|tree| !tree.root_node().has_error())
}

impl Parser {
    /// Reads `file` so many times, in a process of its own.
    pub fn read(&self, file: &Path, runs: u32) -> Result<Outcome> {
        let (program, arguments) = self.command.split_first().ok_or("no program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .arg(file)
            .arg(runs.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let from = Instant::now();
        while child.try_wait()?.is_none() {
            if from.elapsed() > READ_TIMEOUT * runs {
                child.kill()?;
                child.wait()?;
                return Ok(Outcome::TooLong(from.elapsed()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let text = String::from_utf8(child.wait_with_output()?.stdout)?;
        let mut numbers = text.split_whitespace().map(str::parse::<f64>);
        Ok(match (numbers.next(), numbers.next()) {
            (Some(Ok(nanoseconds)), Some(Ok(peak_kib))) => Outcome::Read {
                nanoseconds,
                peak_kib,
            },
            _ => Outcome::Refused,
        })
    }
}

/// Everyone who is at hand.
pub fn all(scratch: &Path) -> Result<Vec<Parser>> {
    let this = std::env::current_exe()?.display().to_string();
    let own = OURS.iter().map(|(name, _)| Parser {
        name,
        command: vec![this.clone(), "one".to_owned(), (*name).to_owned()],
        holds_text: true,
    });
    Ok(own.chain(others(scratch)).collect())
}

/// One parser of this program on one file, as a child of it.
pub fn one(parser: &str, file: &str, runs: u32) -> Result<()> {
    let (_, parse) = OURS
        .iter()
        .find(|(name, _)| *name == parser)
        .ok_or("no such parser")?;
    let text = fs::read_to_string(file)?;
    let mut best = u128::MAX;
    for _ in 0..runs {
        let from = Instant::now();
        let accepted = parse(&text);
        best = best.min(from.elapsed().as_nanos());
        if !accepted {
            return Err("rejected".into());
        }
    }
    println!("{best} {}", peak()?);
    Ok(())
}

fn peak() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Parsers in other languages, built or installed here.
fn others(scratch: &Path) -> Vec<Parser> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut others = Vec::new();
    let program = scratch.join("cgraph");
    let built = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(here.join("cgraph.c"))
        .args(["-lcgraph"])
        .stderr(Stdio::null())
        .status();
    if built.is_ok_and(|status| status.success()) {
        others.push(Parser {
            name: "Graphviz",
            command: vec![program.display().to_string()],
            holds_text: false,
        });
    } else {
        println!("left out: Graphviz (needs cc and libgraphviz-dev)\n");
    }
    let installed = Command::new("npm")
        .args(["install", "--silent", "--no-audit"])
        .current_dir(here)
        .status()
        .is_ok_and(|status| status.success());
    if installed {
        let script = here.join("npm.mjs").display().to_string();
        others.extend(NPM.map(|name| Parser {
            name,
            command: vec!["node".to_owned(), script.clone(), name.to_owned()],
            holds_text: true,
        }));
    } else {
        println!("left out: {} (they need node and npm)\n", NPM.join(", "));
    }
    others
}
