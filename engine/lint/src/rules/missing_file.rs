//! `missing_file`: files a pipeline reads are there.

use attractor_dot::TextRange;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::attribute_index::AttributeTarget;
use crate::outside_files::{is_outside, outside};
use crate::typos::did_you_mean;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::referred_file;
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::catalogue::{AttrType, nearest};
use attractor_model::sub_pipeline::{find_file, missing_folder};
use attractor_model::{Diagnostic, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: "missing_file",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Missing file.",
    doc: "`prompt_file` and values of the form `@path` name a file relative to this one, or to a folder \
above it. Without the file the run fails there. If not even the folder exists, the pipeline was probably written \
for another project or came without its files, which is one warning for the folder. A file outside of the project \
(the nearest folder upward with `.attractor` or `.git`; the open folder in an editor) is never read, whether \
through `..`, an absolute path or a symbolic link.",
    example: "review [prompt=\"@prompts/reveiw.md\"]",
    check: Check::Pipeline(check),
};

/// The maximum number of further uses of a missing folder that are shown.
const PLACES: usize = 10;

/// The files named in a folder that does not exist.
struct MissingFolder {
    first: TextRange,
    target: AttributeTarget,
    others: Vec<TextRange>,
}

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if !ctx.files.is_available() {
        return;
    }
    let mut seen = FxHashSet::default();
    let mut missing: IndexMap<&str, MissingFolder> = IndexMap::new();
    for site in &ctx.attributes().files {
        let Some(path) = named_file(site.attribute) else {
            continue;
        };
        if find_file(path, ctx.files).is_some() {
            continue;
        }
        let range = site.attribute.value_range();
        let Some(range) = range.filter(|range| seen.insert(*range)) else {
            continue;
        };
        if is_outside(path, ctx.files) {
            let found = outside(&LINT, sink, ctx.files, &format!("`{path}`"), range);
            sink.push(site.target.annotate(ctx.pipeline, found));
            continue;
        }
        let Some(folder) = missing_folder(path, ctx.files) else {
            let found = missing_file(ctx, sink, path, range);
            sink.push(site.target.annotate(ctx.pipeline, found));
            continue;
        };
        missing
            .entry(folder)
            .and_modify(|missing| missing.others.push(range))
            .or_insert(MissingFolder {
                first: range,
                target: site.target,
                others: Vec::new(),
            });
    }
    for (folder, missing) in missing {
        let place = missing.target;
        let found = missing_folder_diagnostic(sink, folder, missing);
        sink.push(place.annotate(ctx.pipeline, found));
    }
}

/// The file a value names and a run reads.
fn named_file(attribute: Attribute<'_>) -> Option<&str> {
    let value = attribute.value().trim();
    let path = match attribute.row()?.ty {
        AttrType::Path { must_exist: true } => value,
        AttrType::Template | AttrType::Command | AttrType::Schema | AttrType::Stylesheet => {
            referred_file(value)?
        }
        _ => return None,
    };
    (!path.is_empty() && !path.contains(['{', '$'])).then_some(path)
}

fn missing_file(
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    path: &str,
    range: TextRange,
) -> Diagnostic {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let neighbours = find_file(folder, ctx.files)
        .or_else(|| folder.is_empty().then(String::new))
        .map(|folder| ctx.files.list(&folder))
        .unwrap_or_default();
    let near = nearest(name, neighbours.iter().map(String::as_str));
    let message = format!(
        "file `{path}` not found next to this file or in a folder above{}",
        did_you_mean(near)
    );
    let diagnostic = sink.diagnostic(&LINT, range, message);
    let at = range.text(ctx.text).rfind(name).zip(near);
    diagnostic.maybe_fix(at.map(|(at, near)| {
        let start = range.start() + at;
        let edit = attractor_dot::Edit {
            range: TextRange::new(start, start + name.len()),
            text: near.to_owned(),
        };
        fix(format!("Replace with `{near}`"), edit).preferred()
    }))
}

fn missing_folder_diagnostic(
    sink: &DiagnosticSink<'_>,
    folder: &str,
    missing: MissingFolder,
) -> Diagnostic {
    let files = match missing.others.len() {
        0 => "the file named here is".to_owned(),
        others => format!("the {} files named in it are", others + 1),
    };
    let message = format!(
        "folder `{folder}` not found next to this file or above it: {files} missing, and a run would fail there"
    );
    let mut diagnostic = sink.diagnostic(&LINT, missing.first, message);
    diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
    missing
        .others
        .into_iter()
        .take(PLACES)
        .fold(diagnostic, |diagnostic, range| {
            diagnostic.related(range, "also in that folder")
        })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with;
    use attractor_model::{Files, Options};
    use expect_test::expect;

    /// These files and the folders they are in.
    struct FakeFiles(&'static [&'static str]);

    impl Files for FakeFiles {
        fn is_outside(&self, path: &str) -> bool {
            path.starts_with('/')
        }

        fn read(&self, path: &str) -> Option<String> {
            self.0.contains(&path).then(String::new)
        }

        fn exists(&self, path: &str) -> bool {
            let is_inside = |file: &str| {
                file.strip_prefix(path)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            self.0.iter().any(|file| is_inside(file))
        }

        fn list(&self, dir: &str) -> Vec<String> {
            let names = self.0.iter().filter_map(|file| file.strip_prefix(dir));
            names
                .map(|name| name.trim_start_matches('/').to_owned())
                .collect()
        }
    }

    #[test]
    fn next_to_or_above() {
        let text = r#"digraph {
    start -> a -> b -> c
    a [prompt="@prompts/a.md"]
    b [prompt="@prompts/b.md"]
    c [prompt="@bob please look at this."]
}"#;
        check_with(
            "missing_file",
            text,
            &Options::default(),
            &FakeFiles(&["../prompts/a.md"]),
            expect![[r#"
                b [prompt="@prompts/b.md"]
                          ^^^^^^^^^^^^^^^ error: file `prompts/b.md` not found next to this file or in a folder above; did you mean `a.md`?
                  fix: Replace with `a.md`
                    + b [prompt="@prompts/a.md"]
            "#]],
        );
    }

    #[test]
    fn outside_of_the_project() {
        let text = r#"digraph {
    start -> a
    a [prompt="@/etc/hostname"]
}"#;
        check_with(
            "missing_file",
            text,
            &Options::default(),
            &FakeFiles(&[]),
            expect![[r#"
                a [prompt="@/etc/hostname"]
                          ^^^^^^^^^^^^^^^^ error: `/etc/hostname` is outside of the project; files must be below the project root (the nearest folder with `.attractor` or `.git`)
            "#]],
        );
    }

    #[test]
    fn a_typo_in_the_name() {
        let text = r#"digraph {
    start -> a
    a [prompt="@prompts/reveiw.md"]
}"#;
        check_with(
            "missing_file",
            text,
            &Options::default(),
            &FakeFiles(&["prompts/review.md"]),
            expect![[r#"
                a [prompt="@prompts/reveiw.md"]
                          ^^^^^^^^^^^^^^^^^^^^ error: file `prompts/reveiw.md` not found next to this file or in a folder above; did you mean `review.md`?
                  fix: Replace with `review.md`
                    + a [prompt="@prompts/review.md"]
            "#]],
        );
    }

    #[test]
    fn a_folder_that_is_nowhere_is_one_warning() {
        let text = r#"digraph {
    start -> a -> b -> c
    a [prompt="@prompts/a.md"]
    b [prompt="@prompts/deep/b.md"]
    c [prompt_file="../common/c.md"]
}"#;
        check_with(
            "missing_file",
            text,
            &Options::default(),
            &FakeFiles(&["other/a.md"]),
            expect![[r#"
                a [prompt="@prompts/a.md"]
                          ^^^^^^^^^^^^^^^ warning: folder `prompts` not found next to this file or above it: the 2 files named in it are missing, and a run would fail there
                b [prompt="@prompts/deep/b.md"]
                          ^^^^^^^^^^^^^^^^^^^^ note: also in that folder
                c [prompt_file="../common/c.md"]
                               ^^^^^^^^^^^^^^^^ warning: folder `../common` not found next to this file or above it: the file named here is missing, and a run would fail there
            "#]],
        );
    }
}
