//! What has changed since a run began: the pipeline, the pipelines it calls, in its file or another, and the
//! files it names. Of pipelines nodes, edges and their attributes matter; layout, comments and order do not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use attractor_exec::sha256;
use attractor_lint::analyze;
use attractor_machine::plan::Plan;
use attractor_model::{Attributes, Files, Pipeline};

use crate::error::RunError;
use crate::launch::bundle::PipelineBundle;
use crate::launch::{Changes, Launch};
use crate::store::artifacts::Artifacts;
use crate::store::{Layout, Manifest, SourceEntry};

/// Attributes that only change the picture.
const LOOKS: &[&str] = &[
    "color",
    "fillcolor",
    "fontcolor",
    "fontname",
    "fontsize",
    "style",
    "rankdir",
    "ranksep",
    "nodesep",
    "penwidth",
    "width",
    "height",
    "pos",
    "tooltip",
    "bgcolor",
    "splines",
];

/// A pipeline whose texts are not what they were.
pub(crate) struct Change {
    /// What was walked until now.
    pub(crate) before: Plan,
    /// The difference, a line each: `- ` what was, `+ ` what is, `~ ` a file that is another. Empty when
    /// nothing matters.
    pub(crate) what: String,
}

/// What has changed since the run of `manifest` began; none when every text is what it was.
pub(crate) fn since(
    manifest: &Manifest,
    layout: &Layout,
    launch: &Launch,
) -> Result<Option<Change>, RunError> {
    if manifest.is_same(launch) {
        return Ok(None);
    }
    let (old, bundle) = as_it_was(manifest, layout)?;
    let before = Plan::new(old.clone(), bundle.library.clone());
    let before = before.knowing(Arc::new(Artifacts::new(layout.artifacts())));
    if manifest.is_about(launch) {
        // Options of the caller, such as another model, are no change of the pipeline.
        let what = String::new();
        return Ok(Some(Change { before, what }));
    }
    let mut lines = describe("", &old, &launch.pipeline);
    let (called_before, called_after) = (
        called(&old, &bundle.library),
        called(&launch.pipeline, &launch.library),
    );
    for (name, is) in &called_after {
        match called_before.get(name) {
            Some(was) => lines.extend(describe(&format!("pipeline {name}: "), was, is)),
            None => lines.push(format!("+ pipeline {name}")),
        }
    }
    let gone = called_before
        .keys()
        .filter(|name| !called_after.contains_key(*name));
    lines.extend(gone.map(|name| format!("- pipeline {name}")));
    lines.extend(files(&manifest.files, &launch.files));
    let what = lines.join("\n");
    Ok(Some(Change { before, what }))
}

/// Refuses a change that matters, unless it is accepted.
pub(crate) fn refuse(change: Option<&Change>, changes: Changes) -> Result<(), RunError> {
    match change {
        Some(change) if !change.what.is_empty() && changes == Changes::Refuse => {
            Err(RunError::Changed {
                diff: change.what.clone(),
            })
        }
        _ => Ok(()),
    }
}

/// What the run of `manifest` walks, from its own copies.
pub(crate) fn plan_of(manifest: &Manifest, layout: &Layout) -> Result<Plan, RunError> {
    let (pipeline, bundle) = as_it_was(manifest, layout)?;
    Ok(Plan::new(pipeline, bundle.library).knowing(Arc::new(Artifacts::new(layout.artifacts()))))
}

/// The pipeline and its bundle when the run began, from the run's own copies.
fn as_it_was(
    manifest: &Manifest,
    layout: &Layout,
) -> Result<(Arc<Pipeline>, PipelineBundle), RunError> {
    let path = layout.pipeline();
    let text = fs::read_to_string(&path).map_err(RunError::io("cannot read", &path))?;
    let text = Arc::from(text);
    let copies = Copies { manifest, layout };
    let parse = attractor_model::dot::parse(&text);
    let source = manifest.source.path.display().to_string();
    let options = manifest.reading.options(Some(source));
    let analysis = analyze(&text, &parse, &options, &copies);
    let pipelines: Vec<Arc<Pipeline>> = analysis
        .graphs
        .into_iter()
        .filter_map(|graph| graph.pipeline)
        .collect();
    let named = pipelines
        .iter()
        .find(|pipeline| pipeline.name == manifest.pipeline);
    let Some(old) = named.or(pipelines.first()) else {
        return Err(RunError::Format {
            path,
            expected: "the pipeline of the run",
            reason: "there is no pipeline in it".to_owned(),
        });
    };
    let bundle = PipelineBundle::collect(old, &pipelines, &options, &copies);
    Ok((Arc::clone(old), bundle))
}

/// The files of a run as it found them.
struct Copies<'m> {
    manifest: &'m Manifest,
    layout: &'m Layout,
}

impl Files for Copies<'_> {
    fn read(&self, path: &str) -> Option<String> {
        let mut known = self.manifest.files.iter().chain(&self.manifest.sources);
        known.find(|entry| entry.path.as_os_str() == path)?;
        fs::read_to_string(self.layout.file(path)).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.read(path).is_some()
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The pipelines of `library` that `root` calls, directly or not, by name.
fn called<'p>(root: &'p Pipeline, library: &'p [Arc<Pipeline>]) -> BTreeMap<&'p str, &'p Pipeline> {
    let mut found: BTreeMap<&str, &Pipeline> = BTreeMap::new();
    let mut open = vec![root];
    while let Some(pipeline) = open.pop() {
        let nodes = pipeline.nodes.iter().map(|node| &node.attributes);
        let everywhere = nodes.chain([&pipeline.attributes]);
        let names = everywhere.flat_map(|attributes| {
            let names = ["sub_pipeline", "stack.child_dotfile"];
            names.map(|name| attributes.text(name))
        });
        for name in names.flatten() {
            let one = library.iter().find(|one| one.name == name.trim());
            if let Some(one) = one.filter(|one| !found.contains_key(one.name.as_str())) {
                found.insert(&one.name, one);
                open.push(one);
            }
        }
    }
    found
}

/// Compared by the sums of the manifest: the copies of a run hold no secrets.
fn files(before: &[SourceEntry], after: &[(String, String)]) -> Vec<String> {
    let sum = |entry: &SourceEntry| (entry.path.display().to_string(), entry.sha256.clone());
    let before: BTreeMap<String, String> = before.iter().map(sum).collect();
    let sum = |(path, text): &(String, String)| (path.clone(), sha256(text));
    let after: BTreeMap<String, String> = after.iter().map(sum).collect();
    let changed = before
        .iter()
        .filter_map(|(path, was)| match after.get(path) {
            Some(is) if is == was => None,
            Some(_) => Some(format!("~ file {path}")),
            None => Some(format!("- file {path}")),
        });
    let come = after.keys().filter(|path| !before.contains_key(*path));
    let come = come.map(|path| format!("+ file {path}"));
    changed.chain(come).collect()
}

/// The difference between two versions of one pipeline.
fn describe(prefix: &str, old: &Pipeline, new: &Pipeline) -> Vec<String> {
    let (before, after) = (lines(old), lines(new));
    let gone = before.difference(&after).map(|line| (line, '-'));
    let come = after.difference(&before).map(|line| (line, '+'));
    let mut all: Vec<(&String, char)> = gone.chain(come).collect();
    all.sort_by(|left, right| left.0.cmp(right.0).then(right.1.cmp(&left.1)));
    all.iter()
        .map(|(line, sign)| format!("{sign} {prefix}{line}"))
        .collect()
}

fn lines(pipeline: &Pipeline) -> BTreeSet<String> {
    let graph = written(&pipeline.attributes)
        .into_iter()
        .map(|attribute| format!("graph {attribute}"));
    let nodes = pipeline.nodes.iter().flat_map(|node| {
        let head = format!("node {} ({})", node.id, node.kind.name());
        let attributes = written(&node.attributes);
        std::iter::once(head.clone()).chain(
            attributes
                .into_iter()
                .map(move |attribute| format!("{head} {attribute}")),
        )
    });
    let edges = pipeline.edges.iter().map(|edge| {
        format!(
            "edge {} -> {} {}",
            pipeline.id(edge.from),
            pipeline.id(edge.to),
            written(&edge.attributes).join(" ")
        )
    });
    graph.chain(nodes).chain(edges).collect()
}

fn written(attributes: &Attributes) -> Vec<String> {
    attributes
        .iter()
        .filter(|attribute| !LOOKS.contains(&attribute.name()))
        .map(|attribute| format!("{}={:?}", attribute.name(), attribute.value()))
        .collect()
}
