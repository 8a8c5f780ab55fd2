//! What a pipeline depends on outside of its own graph: the pipelines it calls, and the files it names by
//! `@path` or `prompt_file`.
//!
//! Read once, before the run, so that a run executes what was shown and trusted, even when the files change
//! meanwhile. [`Files`] does the reading. Missing files are left out; the lints report them.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_lang::referred_file;
use attractor_lint::analyze;
use attractor_model::sub_pipeline::{self, SubPipeline};
use attractor_model::{Attributes, Files, Options, Pipeline};

/// The number of called pipelines is bounded, as they may call each other across files.
const MAX_PIPELINES: usize = 64;

/// The dependencies of a pipeline.
#[derive(Debug, Clone, Default)]
pub struct PipelineBundle {
    /// The pipelines it calls and those they call, each under the name it is called by: its
    /// [`Pipeline::name`] is the value of `sub_pipeline`.
    pub library: Vec<Arc<Pipeline>>,
    /// Files named by `@path` and `prompt_file`: path as written, and text.
    pub files: Vec<(String, String)>,
    /// The DOT files of the pipelines of other files: path relative to the DOT file, and text.
    pub sources: Vec<(String, String)>,
}

impl PipelineBundle {
    /// Collects what `pipeline` depends on. `siblings` are the pipelines of its own file; names and paths are
    /// resolved as the lints do ([`sub_pipeline::find`], [`sub_pipeline::find_file`]).
    pub fn collect(
        pipeline: &Pipeline,
        siblings: &[Arc<Pipeline>],
        options: &Options,
        files: &dyn Files,
    ) -> Self {
        let mut bundle = Self::default();
        let mut named = BTreeMap::new();
        let mut pending: Vec<String> = read_names(pipeline, files, &mut named);
        while let Some(name) = pending.pop() {
            if bundle.library.len() >= MAX_PIPELINES
                || bundle.library.iter().any(|known| known.name == name)
            {
                continue;
            }
            let Some(called) = find(&name, siblings, options, files, &mut bundle.sources) else {
                continue;
            };
            pending.extend(read_names(&called, files, &mut named));
            bundle.library.push(called);
        }
        bundle.files = named.into_iter().collect();
        bundle
    }
}

/// Reads the files a pipeline names, and gives the names of the pipelines it calls.
fn read_names(
    pipeline: &Pipeline,
    files: &dyn Files,
    named: &mut BTreeMap<String, String>,
) -> Vec<String> {
    let mut called = Vec::new();
    for attributes in everywhere(pipeline) {
        for attribute in attributes.iter() {
            let value = attribute.value().trim();
            let path = match attribute.name() {
                "sub_pipeline" => {
                    called.push(value.to_owned());
                    continue;
                }
                "prompt_file" => Some(value),
                _ => referred_file(value),
            };
            let path = path.filter(|path| !path.is_empty() && !named.contains_key(*path));
            let read = path.and_then(|path| Some((path, sub_pipeline::read_file(path, files)?)));
            if let Some((path, text)) = read {
                named.insert(path.to_owned(), text);
            }
        }
    }
    called
}

fn everywhere(pipeline: &Pipeline) -> impl Iterator<Item = &Attributes> {
    let nodes = pipeline.nodes.iter().map(|node| &node.attributes);
    let edges = pipeline.edges.iter().map(|edge| &edge.attributes);
    std::iter::once(&pipeline.attributes)
        .chain(nodes)
        .chain(edges)
}

fn find(
    name: &str,
    siblings: &[Arc<Pipeline>],
    options: &Options,
    files: &dyn Files,
    sources: &mut Vec<(String, String)>,
) -> Option<Arc<Pipeline>> {
    let path = match sub_pipeline::find(name, siblings, files)? {
        SubPipeline::Sibling(sibling) => return Some(sibling),
        SubPipeline::File(path) => path,
    };
    let text = files.read(&path)?;
    let shared = Arc::from(&*text);
    let parse = attractor_model::dot::parse(&shared);
    let options = Options {
        path: Some(path.clone()),
        ..options.clone()
    };
    let analysis = analyze(&shared, &parse, &options, files);
    let first = analysis
        .graphs
        .into_iter()
        .find_map(|graph| graph.pipeline)?;
    sources.push((path, text));
    let mut called = Arc::unwrap_or_clone(first);
    name.clone_into(&mut called.name);
    Some(Arc::new(called))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    struct Folder(&'static [(&'static str, &'static str)]);

    impl Files for Folder {
        fn read(&self, path: &str) -> Option<String> {
            self.0
                .iter()
                .find(|(name, _)| *name == path)
                .map(|(_, text)| (*text).to_owned())
        }

        fn exists(&self, path: &str) -> bool {
            self.read(path).is_some()
        }

        fn list(&self, _: &str) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn called_pipelines_and_named_files_are_collected_once() {
        let folder = Folder(&[
            ("plan.md", "Plan it."),
            (
                "child.dot",
                "digraph inner { s [shape=Mdiamond]; e [shape=Msquare]; s -> work -> e; work [prompt=\"@work.md\"]; work -> again; again [type=pipeline, sub_pipeline=\"child\"] }",
            ),
            ("work.md", "Work."),
        ]);
        let text = "digraph main { s [shape=Mdiamond]; e [shape=Msquare]; s -> a -> b -> c -> e
            a [prompt=\"@plan.md\"] b [type=pipeline, sub_pipeline=child] c [type=pipeline, sub_pipeline=sibling] }
            digraph sibling { s [shape=Mdiamond]; e [shape=Msquare]; s -> e; s -> x [label=\"@missing.md\"] }";
        let pipelines = Pipeline::from_text(text);
        let main = pipelines.first().expect("main is a pipeline");
        let bundle = PipelineBundle::collect(main, &pipelines, &Options::default(), &folder);
        let mut library: Vec<_> = bundle
            .library
            .iter()
            .map(|pipeline| pipeline.name.as_str())
            .collect();
        library.sort_unstable();
        expect![[r#"["child", "sibling"]"#]].assert_eq(&format!("{library:?}"));
        expect![[r#"[("plan.md", "Plan it."), ("work.md", "Work.")]"#]]
            .assert_eq(&format!("{:?}", bundle.files));
        let sources: Vec<_> = bundle
            .sources
            .iter()
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(sources, ["child.dot"]);
    }
}
