//! `attractor explain`: the reference page of a name, or the effective attributes of a node of a file.

use std::path::Path;

use attractor_lang::stylesheet::Stylesheet;
use attractor_lint::LINTS;
use attractor_model::catalogue::{self, ATTRIBUTES, CONTEXT_KEYS, GRAPHVIZ_ATTRIBUTES, NODE_KINDS};

use attractor_model::fidelity_preview::{Preview, preview};
use attractor_model::workflow_block::{Progress, is_wanted, workflow_block};
use attractor_model::{NodeKind, Origin, Pipeline, resolve};

use attractor_run::{EventKind, load_events, stage_directory};
use clap_complete::ArgValueCandidates;

use super::stats::FileStatistics;
use crate::analysis::analyze;
use crate::columns::shortened;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;
use crate::outer_stylesheet::StylesheetOption;
use crate::project::{RunFilter, find};
use crate::render::markdown;
use crate::render::table;
use crate::shell_completion;
use crate::style::{STRONG, paint};

/// Longer values of a node are cut.
const MAX_VALUE: usize = 60;

/// Explain a rule, attribute, handler, context key, or node (`FILE:NODE`)
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor explain condition_syntax      a lint rule
  attractor explain human_gate            a node kind
  attractor explain release.dot:review    what a node does, with its resolved attributes")]
pub struct Explain {
    /// A name, such as `condition_syntax`, `max_retries`, `human_gate`, `tool.output`, `release.dot:review`
    #[arg(add = ArgValueCandidates::new(shell_completion::names))]
    name: String,
    /// Print what the model of the node saw in this run: id, unique prefix or folder
    #[arg(long, value_name = "RUN", add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
    run: Option<String>,
    #[command(flatten)]
    stylesheet: StylesheetOption,
}

impl Explain {
    /// Prints the page.
    pub fn run(self) -> Result<Exit, Error> {
        let name = self.name.trim();
        let file = name.rsplit_once(':');
        if let Some((file, node)) = file.filter(|(file, _)| Path::new(file).is_file()) {
            if let Some(run) = &self.run {
                return explain_run(run, node);
            }
            return explain_node(Path::new(file), node, self.stylesheet.accepted()?);
        }
        let page = attractor_lint::explain(name).ok_or_else(|| Error::UnknownName {
            name: name.to_owned(),
            near: catalogue::nearest(name, names()).map(str::to_owned),
        })?;
        let text = markdown::render(page.trim_end(), console::width(), console::styles());
        console::print(&text)?;
        Ok(Exit::Success)
    }
}

/// The effective attributes of a node, and the source of each.
fn explain_node(file: &Path, id: &str, stylesheet: Stylesheet) -> Result<Exit, Error> {
    let analyzed = analyze(Source::read(file)?, stylesheet);
    let lines = analyzed.lines();
    let pipelines = || analyzed.analysis.pipelines();
    let found = pipelines().find_map(|pipeline| Some((pipeline, pipeline.by_id(id)?)));
    let Some((pipeline, ix)) = found else {
        let ids = pipelines().flat_map(|pipeline| pipeline.nodes.iter().map(|node| &*node.id));
        return Err(Error::UnknownNode {
            path: file.display().to_string(),
            node: id.to_owned(),
            near: catalogue::nearest(id, ids).map(str::to_owned),
        });
    };
    let heading = console::plain(&format!("{id} in {}", pipeline.name)).into_owned();
    console::line(&paint(STRONG, heading))?;
    let rows = resolve(pipeline, ix).into_iter().map(|one| {
        let place = one.origin.range().map(|range| lines.span(range).start.line);
        let place = match (&one.origin, place) {
            (Origin::Catalogue, _) | (_, None) => String::new(),
            (_, Some(line)) => format!(", line {line}"),
        };
        let value = shortened(&one.value.replace('\n', " "), MAX_VALUE);
        vec![
            one.name.into_owned(),
            value,
            format!("{}{place}", one.origin.sentence()),
        ]
    });
    console::print(&table::draw(&["ATTRIBUTE", "VALUE", "SOURCE"], rows))?;
    if let Some(hint) = figures_of_runs(file, pipeline, id, &analyzed.source.text) {
        console::line(&format!("\nin runs: {}", console::plain(&hint)))?;
    }
    let calls_agent = pipeline
        .node(ix)
        .is_some_and(|node| node.kind == NodeKind::Codergen);
    if calls_agent && is_wanted(pipeline) {
        let block = workflow_block(pipeline, ix, &Progress::default());
        console::print(&console::plain(&format!(
            "\nThe prompt begins with:\n\n{block}"
        )))?;
    }
    if let Some(Preview { sentence, text }) = preview(pipeline, ix) {
        let text = markdown::render(
            &format!("\n{sentence}\n"),
            console::width(),
            console::styles(),
        ) + &console::plain(&format!("\n{text}"));
        console::print(&text)?;
    }
    Ok(Exit::Success)
}

/// What the node took in runs; nothing before there are enough, or where that cannot be read.
fn figures_of_runs(file: &Path, pipeline: &Pipeline, id: &str, text: &str) -> Option<String> {
    let statistics = FileStatistics::read(file).ok()?;
    let statistics = statistics.of_pipeline(&pipeline.name, text);
    let mut nodes = statistics.nodes.iter();
    let node = nodes.find(|node| node.graph.is_none() && node.node == id)?;
    node.hint()
}

/// What the model of a node saw in a run, the last time it was called.
fn explain_run(run: &str, id: &str) -> Result<Exit, Error> {
    let directory = find(Some(run), RunFilter::Any)?;
    let events = load_events(&directory)?;
    let last = events.iter().rev().find_map(|event| match &event.kind {
        EventKind::StageStarted { at, .. } if at.node == id => Some(at),
        _ => None,
    });
    let prompt = last.map(|at| stage_directory(&directory, at).join("prompt.md"));
    let prompt = prompt.filter(|prompt| prompt.is_file());
    let Some(prompt) = prompt else {
        return Err(Error::NoPrompt {
            node: id.to_owned(),
            run: run.to_owned(),
        });
    };
    let text = std::fs::read_to_string(&prompt)
        .map_err(|cause| Error::unreadable(prompt.display().to_string(), cause))?;
    console::print(&console::plain(text.trim_end()))?;
    console::line("")?;
    Ok(Exit::Success)
}

fn names() -> impl Iterator<Item = &'static str> {
    let kinds = NODE_KINDS
        .iter()
        .flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
    let attributes = ATTRIBUTES
        .iter()
        .flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
    let keys = CONTEXT_KEYS.iter().map(|row| row.name);
    let lints = LINTS.iter().map(|lint| lint.rule);
    let graphviz = GRAPHVIZ_ATTRIBUTES.iter().map(|row| row.name);
    lints
        .chain(kinds)
        .chain(attributes)
        .chain(keys)
        .chain(graphviz)
}
