//! Candidates for shell completion: names of the catalogue, and nodes of the pipeline on the command line. Runs are in
//! [`crate::project`].

use std::path::PathBuf;

use attractor_lint::LINTS;
use attractor_model::catalogue::{ATTRIBUTES, CONTEXT_KEYS, NODE_KINDS};
use attractor_model::templates::TEMPLATES;
use attractor_run::is_dot_file;
use clap_complete::CompletionCandidate;

use crate::analysis::analyze;
use crate::input::Source;
use attractor_lang::stylesheet::Stylesheet;

/// The templates.
pub fn templates() -> Vec<CompletionCandidate> {
    let candidate = |name: &str, about: &str| {
        CompletionCandidate::new(name.to_owned()).help(Some(about.to_owned().into()))
    };
    TEMPLATES
        .iter()
        .map(|one| candidate(one.name, one.summary))
        .collect()
}

/// The names that `explain` accepts.
pub fn names() -> Vec<CompletionCandidate> {
    let rules = LINTS.iter().map(|lint| lint.rule);
    let kinds = NODE_KINDS.iter().map(|row| row.name);
    let attributes = ATTRIBUTES.iter().map(|row| row.name);
    let keys = CONTEXT_KEYS.iter().map(|row| row.name);
    let names = rules.chain(kinds).chain(attributes).chain(keys);
    names.map(CompletionCandidate::new).collect()
}

/// The nodes of the first pipeline file on the command line.
pub fn nodes() -> Vec<CompletionCandidate> {
    let is_pipeline = |path: &PathBuf| path.is_file() && is_dot_file(path);
    let mut files = std::env::args_os().map(PathBuf::from).filter(is_pipeline);
    let Some(Ok(source)) = files.next().map(|path| Source::read(&path)) else {
        return Vec::new();
    };
    let analyzed = analyze(source, Stylesheet::default());
    let pipelines = analyzed.analysis.pipelines();
    let ids = pipelines.flat_map(|pipeline| pipeline.nodes.iter().map(|node| node.id.to_string()));
    ids.map(CompletionCandidate::new).collect()
}
