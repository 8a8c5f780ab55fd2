//! How often completion offers what a user wrote: every name, value, edge target and word of the languages
//! inside strings is deleted in turn, completion is asked at its place, and the list is searched for it.
//!
//! ```text
//! cargo run --release -p attractor-ide --example completion_quality -- [--half tune|held] [--misses KIND] [FILE…]
//! ```
//!
//! Without files, reads every pipeline of the folder in `ATTRACTOR_CORPUS`; the files of each folder in it are one
//! workspace, whose words complete in its other files. Files named are each alone. `--half` takes one half of the folders,
//! so that a rule that is made with one half in view can be judged by the other. `--misses KIND` lists what is not
//! among the first five.
#![expect(
    clippy::print_stdout,
    reason = "a program that prints its measurements"
)]

mod client;
mod quality;
mod sites;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attractor_ide::document::Document;
use attractor_ide::workspace_words::WorkspaceWords;
use attractor_model::{NoFiles, Options};
use quality::Report;

fn main() -> ExitCode {
    let mut half = None;
    let mut misses = None;
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--half" => half = arguments.next(),
            "--misses" => misses = arguments.next(),
            path => paths.push(path.into()),
        }
    }
    let workspaces = if paths.is_empty() {
        let Some(folder) = std::env::var_os("ATTRACTOR_CORPUS") else {
            println!("no files: name some, or set ATTRACTOR_CORPUS to a folder of pipelines");
            return ExitCode::from(2);
        };
        workspaces(Path::new(&folder))
    } else {
        paths.into_iter().map(|path| vec![path]).collect()
    };
    let mut report = Report::of_every(1);
    let mut seen = HashSet::new();
    for paths in workspaces {
        let files = read_all(&paths);
        for (path, text, _) in &files {
            // Copies of a file would count twice.
            if is_in_half(path, half.as_deref()) && seen.insert(text.clone()) {
                let others = files.iter().filter(|(_, other, _)| other != text);
                let words = WorkspaceWords::merged(others.map(|(.., words)| words));
                report.read(&path.display().to_string(), text, &words);
            }
        }
    }
    println!("{} files\n\n{}", seen.len(), report.table());
    if let Some(kind) = misses {
        match report.kind(&kind) {
            Some(_) => println!("\n{}", report.misses(&kind)),
            None => println!("\nunknown kind `{kind}`; the first column names those there are"),
        }
    }
    ExitCode::SUCCESS
}

/// The pipelines of each folder in a folder.
fn workspaces(folder: &Path) -> Vec<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut roots: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    roots.sort();
    let collected = roots.iter().map(|root| {
        let mut paths = Vec::new();
        collect(root, &mut paths);
        paths.sort();
        paths
    });
    collected.collect()
}

/// The files that can be read, with their text and words.
fn read_all(paths: &[PathBuf]) -> Vec<(PathBuf, String, WorkspaceWords)> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        let doc = Document::new(&text, 1, Options::default(), &NoFiles);
        let words = WorkspaceWords::of(&doc);
        Some((path.clone(), text, words))
    };
    paths.iter().filter_map(read).collect()
}

/// Whether a file is in the half that was asked for: by its folder, as files of a folder resemble each other.
fn is_in_half(path: &Path, half: Option<&str>) -> bool {
    let folder = path.parent().map(Path::to_string_lossy).unwrap_or_default();
    let hash = folder
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
    match half {
        Some("tune") => (hash >> 32) & 1 == 0,
        Some("held") => (hash >> 32) & 1 == 1,
        _ => true,
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if matches!(
            path.extension().and_then(std::ffi::OsStr::to_str),
            Some("dot" | "gv" | "attractor" | "fabro")
        ) {
            paths.push(path);
        }
    }
}
