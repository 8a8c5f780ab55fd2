//! Everything beside its own graph that decides what a pipeline does: the pipelines it calls, and the files
//! it names by `@path` or `prompt_file`.
//!
//! Read once, before the run, so that what runs is what was looked at (and trusted), whatever happens to
//! the files meanwhile. Opens nothing itself: [`Files`] does, and a file that is not there is left out here,
//! for the lints have spoken about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_lang::referred_file;
use attractor_lint::analyze;
use attractor_model::sub_pipeline::{self, SubPipeline};
use attractor_model::{Attributes, Files, Options, Pipeline};

/// Pipelines that call each other in a circle of files end somewhere.
const MOST_FILES: usize = 64;

/// What is around a pipeline.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The pipelines it calls and those they call, each under the name it is called by: its
    /// [`Pipeline::name`] is the value of `sub_pipeline`.
    pub library: Vec<Arc<Pipeline>>,
    /// Files named by `@path` and `prompt_file`: path as written, and text.
    pub files: Vec<(String, String)>,
    /// The DOT files of the pipelines of other files: path relative to the DOT file, and text.
    pub sources: Vec<(String, String)>,
}

/// Gathers the surroundings of `pipeline`. `siblings` are the pipelines of its own file; names and paths are
/// looked up as the lints do ([`sub_pipeline::find`], [`sub_pipeline::find_file`]).
pub fn gather(
    pipeline: &Pipeline,
    siblings: &[Arc<Pipeline>],
    options: &Options,
    files: &dyn Files,
) -> Surroundings {
    let mut gathered = Surroundings::default();
    let mut named = BTreeMap::new();
    let mut pending: Vec<String> = read_names(pipeline, files, &mut named);
    while let Some(name) = pending.pop() {
        if gathered.library.len() >= MOST_FILES
            || gathered.library.iter().any(|known| known.name == name)
        {
            continue;
        }
        let Some(called) = find(&name, siblings, options, files, &mut gathered.sources) else {
            continue;
        };
        pending.extend(read_names(&called, files, &mut named));
        gathered.library.push(called);
    }
    gathered.files = named.into_iter().collect();
    gathered
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
    fn what_a_pipeline_calls_and_names_is_gathered_once() {
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
        let gathered = gather(main, &pipelines, &Options::default(), &folder);
        let mut library: Vec<_> = gathered
            .library
            .iter()
            .map(|pipeline| pipeline.name.as_str())
            .collect();
        library.sort_unstable();
        expect![[r#"["child", "sibling"]"#]].assert_eq(&format!("{library:?}"));
        expect![[r#"[("plan.md", "Plan it."), ("work.md", "Work.")]"#]]
            .assert_eq(&format!("{:?}", gathered.files));
        let sources: Vec<_> = gathered
            .sources
            .iter()
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(sources, ["child.dot"]);
    }
}
