//! `unknown_sub_pipeline`: the pipeline a node runs is there.

use attractor_dot::TextRange;

use crate::outside_files::{is_outside, outside};
use crate::sub_pipelines::{callers, is_own_file};
use crate::typos::did_you_mean;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext, SubPipelineError};
use attractor_dot::graph_edits::fix;
use attractor_model::catalogue::nearest;
use attractor_model::sub_pipeline::{self, SubPipeline};
use attractor_model::{Diagnostic, Severity};
use attractor_model::{Level, Options};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_sub_pipeline",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Missing or invalid sub-pipeline.",
    doc: "`sub_pipeline` names another digraph of this file, a file next to it (with or without its \
extension), or a path relative to this file or a folder above it. A file must contain a pipeline without errors.",
    example: "polish [shape=house, sub_pipeline=reveiw]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (node, called) in callers(ctx.pipeline) {
        let name = called.value().trim();
        let range = called
            .value_range()
            .filter(|_| called.is_own())
            .unwrap_or(node.range);
        match sub_pipeline::find(name, ctx.siblings, ctx.files) {
            Some(SubPipeline::Sibling(_)) => {}
            Some(SubPipeline::File(file)) if is_own_file(ctx, &file) => {}
            Some(SubPipeline::File(file)) => {
                if let Some(message) = check_sub_pipeline(ctx, &file) {
                    sink.push(sink.diagnostic(&LINT, range, message).node(&*node.id));
                }
            }
            None => {
                if let Some(missing) = missing(ctx, sink, name, range) {
                    sink.push(missing.node(&*node.id));
                }
            }
        }
    }
}

/// Nothing has that name; `None` when other files cannot be seen and might.
fn missing(
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    name: &str,
    range: TextRange,
) -> Option<Diagnostic> {
    let near = nearest(
        name,
        ctx.siblings.iter().map(|sibling| sibling.name.as_str()),
    );
    if !ctx.files.is_available() && near.is_none() {
        return None;
    }
    if is_outside(name, ctx.files) {
        let what = format!("sub-pipeline `{name}`");
        return Some(outside(&LINT, sink, ctx.files, &what, range));
    }
    if let Some(folder) = sub_pipeline::missing_folder(name, ctx.files) {
        let message = format!(
            "folder `{folder}` not found next to this file or above it: sub-pipeline `{name}` is missing, and a run would fail there"
        );
        let mut diagnostic = sink.diagnostic(&LINT, range, message);
        diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
        return Some(diagnostic);
    }
    let mut message = format!(
        "sub-pipeline `{name}` not found: neither a digraph in this file nor an existing file"
    );
    message.push_str(&did_you_mean(near));
    let diagnostic = sink.diagnostic(&LINT, range, message);
    Some(diagnostic.maybe_fix(near.map(|near| {
        let edit = ctx.edits().replace_value(range, near);
        fix(format!("Replace with `{near}`"), edit).preferred()
    })))
}

/// Why a file that is there cannot be run as a pipeline: it holds none, or the one it holds has errors.
fn check_sub_pipeline(ctx: &LintContext<'_>, file: &str) -> Option<String> {
    let text = ctx.files.read(file)?;
    let options = Options {
        path: Some(file.to_owned()),
        ..ctx.options.clone()
    };
    match (ctx.check_sub_pipeline)(text, &options)? {
        SubPipelineError::NoPipeline => Some(format!("no pipeline in `{file}`")),
        SubPipelineError::Error { line, message } => Some(format!(
            "sub-pipeline in `{file}` has errors: line {line}, {message}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with};
    use attractor_model::{Files, Options};
    use expect_test::expect;

    #[test]
    fn a_typo_in_the_name() {
        check(
            "unknown_sub_pipeline",
            "digraph Review { goal=x; start -> a }
digraph Main {
    start -> s -> exit
    s [shape=house, sub_pipeline=Reveiw]
}",
            expect![[r#"
                s [shape=house, sub_pipeline=Reveiw]
                                             ^^^^^^ error: sub-pipeline `Reveiw` not found: neither a digraph in this file nor an existing file; did you mean `Review`?
                  fix: Replace with `Review`
                    + s [shape=house, sub_pipeline=Review]
            "#]],
        );
    }

    /// A part of a repository: `..` cannot be read, and nothing marks a root.
    struct Part {
        has_root: bool,
    }

    impl Files for Part {
        fn read(&self, _path: &str) -> Option<String> {
            None
        }

        fn exists(&self, path: &str) -> bool {
            path.ends_with("library")
        }

        fn list(&self, _dir: &str) -> Vec<String> {
            Vec::new()
        }

        fn is_outside(&self, path: &str) -> bool {
            path == "../library/there.dot"
        }

        fn has_root(&self) -> bool {
            self.has_root
        }
    }

    #[test]
    fn outside_of_what_is_open() {
        let text = r#"digraph {
    start -> a -> b
    node [shape=folder]
    a [sub_pipeline="../library/there.dot"]
    b [sub_pipeline="../gone.dot"]
}"#;
        let check = |has_root, expected| {
            let files = Part { has_root };
            let options = Options::default();
            check_with("unknown_sub_pipeline", text, &options, &files, expected);
        };
        check(
            false,
            expect![[r#"
            a [sub_pipeline="../library/there.dot"]
                            ^^^^^^^^^^^^^^^^^^^^^^ warning: sub-pipeline `../library/there.dot` is outside of this folder, and a run would fail there; open the repository (the folder with `.attractor` or `.git`)
            b [sub_pipeline="../gone.dot"]
                            ^^^^^^^^^^^^^ warning: sub-pipeline `../gone.dot` is outside of this folder, and a run would fail there; open the repository (the folder with `.attractor` or `.git`)
        "#]],
        );
        check(
            true,
            expect![[r#"
            a [sub_pipeline="../library/there.dot"]
                            ^^^^^^^^^^^^^^^^^^^^^^ error: sub-pipeline `../library/there.dot` is outside of the project; files must be below the project root (the nearest folder with `.attractor` or `.git`)
            b [sub_pipeline="../gone.dot"]
                            ^^^^^^^^^^^^^ error: sub-pipeline `../gone.dot` not found: neither a digraph in this file nor an existing file
        "#]],
        );
    }

    struct Library;

    impl Files for Library {
        fn read(&self, path: &str) -> Option<String> {
            Some(match path {
                "good.dot" => "digraph { goal=x; start -> a -> exit; a [prompt=x] }".to_owned(),
                "plain.dot" => "digraph { a -> b }".to_owned(),
                "broken.dot" => "digraph {
    goal=x
    a -> b
    b -> a
}"
                .to_owned(),
                _ => return None,
            })
        }

        fn exists(&self, path: &str) -> bool {
            self.read(path).is_some()
        }

        fn list(&self, _dir: &str) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn what_is_in_another_file_must_run_too() {
        let text = r#"digraph {
    start -> a -> b -> c -> d -> e
    node [shape=folder]
    a [sub_pipeline=good]
    b [sub_pipeline="plain.dot"]
    c [sub_pipeline=broken]
    d [sub_pipeline=nowhere]
    e [sub_pipeline="library/nowhere.dot"]
}"#;
        check_with(
            "unknown_sub_pipeline",
            text,
            &Options::default(),
            &Library,
            expect![[r#"
                b [sub_pipeline="plain.dot"]
                                ^^^^^^^^^^^ error: no pipeline in `plain.dot`
                c [sub_pipeline=broken]
                                ^^^^^^ error: sub-pipeline in `broken.dot` has errors: line 1, no start node: expected a node with `start=true`, shape `Mdiamond` or the name `start`
                d [sub_pipeline=nowhere]
                                ^^^^^^^ error: sub-pipeline `nowhere` not found: neither a digraph in this file nor an existing file
                e [sub_pipeline="library/nowhere.dot"]
                                ^^^^^^^^^^^^^^^^^^^^^ warning: folder `library` not found next to this file or above it: sub-pipeline `library/nowhere.dot` is missing, and a run would fail there
            "#]],
        );
    }
}
