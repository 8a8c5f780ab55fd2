//! Graphviz as judge: `nop -p` says whether a text is accepted, `gvpr` what it means.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use attractor_dot::Parse;
use attractor_dot::graph::{self, AttributeList, Graph, IdSyntax};

/// Whether Graphviz is installed.
pub(crate) fn available() -> bool {
    let found = |program| {
        Command::new(program)
            .arg("-?")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
    };
    found("nop") && found("gvpr")
}

/// What Graphviz says of the file: its model, or the message it rejects it with.
pub(crate) fn graphviz(file: &Path) -> Result<Vec<String>, String> {
    let verdict = Command::new("nop")
        .arg("-p")
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    if !verdict.status.success() {
        return Err(String::from_utf8_lossy(&verdict.stderr).into_owned());
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/model.gvpr");
    let model = Command::new("gvpr")
        .arg("-f")
        .arg(program)
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut records: Vec<String> = String::from_utf8_lossy(&model.stdout)
        .split_terminator("\u{1e}\n")
        .map(str::to_owned)
        .collect();
    records.sort_unstable();
    Ok(records)
}

/// The same of ours: the model, or the first message.
pub(crate) fn ours(text: &str) -> Result<Vec<String>, String> {
    let parse = attractor_dot::parse(text);
    if let Some(rejected) = rejected(&parse, text) {
        return Err(rejected);
    }
    let text = Arc::from(text);
    let graphs = parse.file.graphs.iter();
    let mut records: Vec<String> = graphs
        .flat_map(|graph| records(&graph::resolve_as(graph, &text, IdSyntax::Graphviz)))
        .collect();
    records.sort_unstable();
    Ok(records)
}

fn rejected(parse: &Parse, text: &str) -> Option<String> {
    let error = parse
        .errors
        .first()
        .map(|error| format!("{:?} {}", error.range, error.message));
    let extended = parse.file.graphs.iter().find_map(|graph| {
        attractor_dot::graphviz_compat::rejected(graph, text)
            .first()
            .map(|finding| format!("{:?} is not portable", finding.id.range))
    });
    error.or(extended)
}

fn string(text: &str) -> String {
    format!("{}:{text}", text.len())
}

fn named(name: Option<&str>) -> String {
    string(name.filter(|name| !name.starts_with('%')).unwrap_or("%"))
}

fn attributes<'a>(attributes: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut sorted: Vec<(&str, &str)> = attributes.filter(|(_, value)| !value.is_empty()).collect();
    sorted.sort_unstable();
    sorted.iter().fold(String::new(), |mut out, (name, value)| {
        write!(out, " {}={}", string(name), string(value)).unwrap();
        out
    })
}

fn pairs(graph: &Graph, list: AttributeList) -> impl Iterator<Item = (&str, &str)> {
    let attributes = graph.list(list).iter();
    attributes.map(|one| (graph.name_of(one).as_str(), graph.value_of(one)))
}

/// A graph in the records of `model.gvpr`.
fn records(graph: &Graph) -> Vec<String> {
    let (directed, strict) = (u8::from(graph.directed), u8::from(graph.strict));
    let own = attributes(pairs(graph, graph.attributes));
    let mut out = vec![format!(
        "G {} {directed} {strict}{own}",
        named(graph.name.as_deref())
    )];
    for node in &graph.nodes {
        out.push(format!(
            "N {}{}",
            string(&node.id),
            attributes(pairs(graph, node.attributes))
        ));
    }
    for edge in &graph.edges {
        let port = |name, port: Option<&str>| {
            let unsaid = graph.find(edge.attributes, name).is_none();
            port.filter(|_| unsaid).map(|port| (name, port.to_owned()))
        };
        let ports: Vec<(&str, String)> = [
            port("tailport", edge.from_port()),
            port("headport", edge.to_port()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let own = pairs(graph, edge.attributes).filter(|(name, _)| *name != "key");
        let all = attributes(own.chain(ports.iter().map(|(name, port)| (*name, &**port))));
        out.push(format!(
            "E {} {}{all}",
            string(&graph.nodes[edge.from()].id),
            string(&graph.nodes[edge.to()].id)
        ));
    }
    let mut paths: Vec<String> = Vec::new();
    for subgraph in &graph.subgraphs {
        let parent = subgraph.parent.map_or("", |parent| paths[parent].as_str());
        let path = format!("{parent}{}", named(subgraph.name.as_deref()));
        out.push(format!(
            "S {path}{}",
            attributes(pairs(graph, subgraph.attributes))
        ));
        for &node in &subgraph.nodes {
            out.push(format!("M {path} {}", string(&graph.nodes[node].id)));
        }
        paths.push(path);
    }
    out
}

/// What differs, in a few lines; `None` when nothing does.
pub(crate) fn difference(text: &str, file: &Path) -> Option<String> {
    match (ours(text), graphviz(file)) {
        (Ok(ours), Ok(theirs)) if ours == theirs => None,
        (Ok(ours), Ok(theirs)) => {
            let mut out = String::new();
            let missing = theirs
                .iter()
                .filter(|record| !ours.contains(record))
                .take(3);
            missing.for_each(|record| writeln!(out, "  Graphviz only: {record}").unwrap());
            let surplus = ours
                .iter()
                .filter(|record| !theirs.contains(record))
                .take(3);
            surplus.for_each(|record| writeln!(out, "  ours only:     {record}").unwrap());
            if out.is_empty() {
                writeln!(out, "  {} records here, {} there", ours.len(), theirs.len()).unwrap();
            }
            Some(out)
        }
        (Err(_), Err(_)) => None,
        (Err(ours), Ok(_)) => Some(format!("  Graphviz accepts, we say: {ours}\n")),
        (Ok(_), Err(theirs)) => Some(format!("  we accept, Graphviz says: {theirs}")),
    }
}
