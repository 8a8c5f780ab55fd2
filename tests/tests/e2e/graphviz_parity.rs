//! The program compared with Graphviz: `attractor graph` reports what `gvpr` reports, and what
//! `fmt --portable` and `graph --format dot` write means to Graphviz what the file meant to us.
//!
//! The examples of this repository, and a sample of the corpora that `ATTRACTOR_CORPUS` and
//! `GRAPHVIZ_CORPUS` name; `EVERY_FILE=1` takes all of them (`just parity`). Skipped, saying so, where
//! Graphviz is not installed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use attractor_tests::{Project, repository};
use serde_json::Value;

/// In a sample, one file of so many.
const SAMPLE: usize = 16;
/// In a sample, files up to this many bytes.
const SMALL: usize = 100_000;

#[test]
fn graph_matches_graphviz() {
    if Command::new("gvpr").arg("-?").output().is_err() {
        return attractor_tests::skip("parity with Graphviz", "it is not installed");
    }
    let files = files();
    let mut differences = Vec::new();
    for file in &files {
        differences.extend(compare(file).map(|found| format!("{}\n{found}", file.display())));
    }
    eprintln!("{} files, {} different", files.len(), differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// What differs between Graphviz and us on one file.
fn compare(file: &Path) -> Option<String> {
    let bytes = fs::read(file).expect("a file");
    let text = String::from_utf8_lossy(&bytes);
    let project = Project::with("file.gv", text.trim_start_matches('\u{feff}'));
    let json = |path: &str| project.run(["graph", path]).json();
    let ours = json("file.gv");
    let reads = ours["portable"] == true;
    if reads != graphviz_reads(&project.file("file.gv")) {
        return Some(format!(
            "portable is {reads}, and Graphviz thinks otherwise"
        ));
    }
    if reads && let Some(found) = difference(&ours, &project.file("file.gv")) {
        return Some(format!("graph --format json: {found}"));
    }
    if ours["valid"] != true {
        return None;
    }
    let portable = project.run(["fmt", "--portable", "file.gv"]).expect_code(0);
    assert_eq!(portable.stderr, "");
    let dot = project.run(["graph", "--format", "dot", "file.gv"]);
    project.write("dot.gv", dot.expect_code(0).stdout);
    let rewritten = [
        ("fmt --portable", "file.gv"),
        ("graph --format dot", "dot.gv"),
    ];
    rewritten.into_iter().find_map(|(how, path)| {
        let path = project.file(path);
        if !graphviz_reads(&path) {
            return Some(format!("{how}: Graphviz rejects it"));
        }
        difference(&ours, &path).map(|found| format!("{how}: {found}"))
    })
}

fn graphviz_reads(file: &Path) -> bool {
    let nop = Command::new("nop")
        .arg("-p")
        .arg(file)
        .stdin(Stdio::null())
        .output();
    nop.expect("nop starts").status.success()
}

/// The first records only one side has.
fn difference(ours: &Value, file: &Path) -> Option<String> {
    let program = repository().join("engine/dot/tests/it/model.gvpr");
    let gvpr = Command::new("gvpr")
        .arg("-f")
        .arg(program)
        .arg(file)
        .stdin(Stdio::null())
        .output();
    let stdout = gvpr.expect("gvpr starts").stdout;
    let theirs = String::from_utf8_lossy(&stdout);
    let mut theirs: Vec<String> = theirs
        .split_terminator("\u{1e}\n")
        .map(str::to_owned)
        .collect();
    let mut ours: Vec<String> = ours["graphs"]
        .as_array()?
        .iter()
        .flat_map(records)
        .collect();
    theirs.sort_unstable();
    ours.sort_unstable();
    if ours == theirs {
        return None;
    }
    let only = |these: &[String], others: &[String]| {
        let found = these
            .iter()
            .filter(|record| others.binary_search(record).is_err());
        found
            .take(3)
            .fold(String::new(), |text, record| text + "\n    " + record)
    };
    let (here, there) = (only(&ours, &theirs), only(&theirs, &ours));
    Some(format!(
        "{} records, not {}\n  ours only:{here}\n  Graphviz only:{there}",
        ours.len(),
        theirs.len()
    ))
}

/// A graph of our JSON in the records of `model.gvpr`.
fn records(graph: &Value) -> Vec<String> {
    let nodes = graph["nodes"].as_array().expect("nodes");
    let (directed, strict) = (
        u8::from(graph["directed"] == true),
        u8::from(graph["strict"] == true),
    );
    let mut out = vec![format!(
        "G {} {directed} {strict}{}",
        named(&graph["name"]),
        attributes(graph, &[])
    )];
    out.extend(
        nodes
            .iter()
            .map(|node| format!("N {}{}", string(text(&node["id"])), attributes(node, &[]))),
    );
    for edge in graph["edges"].as_array().expect("edges") {
        let ports = [
            ("tailport", &edge["from_port"]),
            ("headport", &edge["to_port"]),
        ];
        let ends = format!(
            "{} {}",
            string(text(&edge["from"])),
            string(text(&edge["to"]))
        );
        out.push(format!("E {ends}{}", attributes(edge, &ports)));
    }
    let mut paths: Vec<String> = Vec::new();
    for one in graph["subgraphs"].as_array().expect("subgraphs") {
        let parent = one["parent"]
            .as_u64()
            .and_then(|parent| usize::try_from(parent).ok());
        let path = format!(
            "{}{}",
            parent.map_or("", |parent| &paths[parent]),
            named(&one["name"])
        );
        out.push(format!("S {path}{}", attributes(one, &[])));
        let members = one["nodes"].as_array().expect("members");
        out.extend(
            members
                .iter()
                .map(|node| format!("M {path} {}", string(text(node)))),
        );
        paths.push(path);
    }
    out
}

/// Attributes by name, without the empty ones; an edge's key and its ports as Graphviz prints them.
fn attributes(object: &Value, ports: &[(&str, &Value)]) -> String {
    let own = object["attributes"].as_object().expect("attributes");
    let own = own.iter().map(|(name, value)| (name.as_str(), text(value)));
    let is_edge = !ports.is_empty();
    let ports = ports
        .iter()
        .filter_map(|(name, port)| Some((*name, port.as_str()?)));
    let mut all: BTreeMap<&str, &str> = ports.collect();
    all.extend(own.filter(|(name, _)| !(is_edge && *name == "key")));
    all.retain(|_, value| !value.is_empty());
    all.iter().fold(String::new(), |mut out, (name, value)| {
        write!(out, " {}={}", string(name), string(value)).expect("a string takes all");
        out
    })
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn string(text: &str) -> String {
    format!("{}:{text}", text.len())
}

/// Names of graphs without one are Graphviz' own and begin with `%`.
fn named(name: &Value) -> String {
    string(
        name.as_str()
            .filter(|name| !name.starts_with('%'))
            .unwrap_or("%"),
    )
}

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    under(&repository().join("examples"), &mut files);
    let mut corpora = Vec::new();
    for name in ["ATTRACTOR_CORPUS", "GRAPHVIZ_CORPUS"] {
        match std::env::var_os(name) {
            Some(folder) => under(Path::new(&folder), &mut corpora),
            None => eprintln!("left out: {name} is not set"),
        }
    }
    corpora.sort();
    if std::env::var_os("EVERY_FILE").is_none() {
        corpora.retain(|file| fs::metadata(file).is_ok_and(|about| about.len() <= SMALL as u64));
        corpora = corpora.into_iter().step_by(SAMPLE).collect();
    }
    files.extend(corpora);
    files
}

fn under(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            under(&path, files);
        } else if matches!(ending, Some("gv" | "dot" | "fabro")) {
            files.push(path);
        }
    }
}
