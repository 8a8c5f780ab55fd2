//! "Fix all" changes no run but back to what was meant: after a typo somewhere in a pipeline that still validates, dry
//! runs take the same path before and after it, or the path of the pipeline without the typo, whichever node fails. A
//! second time it finds nothing to do.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "../../../engine/lint/tests/support/mutations.rs"]
mod mutations;

use std::path::Path;

use attractor_dot::{TextRange, apply};
use attractor_ide::code_action::{ActionKind, actions};
use attractor_ide::document::Document;
use attractor_model::{NoFiles, Options};
use attractor_run::{
    AnswerPolicy, Launch, Limits, Mode, PipelineBundle, RunState, Script, Source, Status, start,
};

fn read(text: &str) -> Document {
    Document::new(text, 1, Options::default(), &NoFiles)
}

/// The text after "fix all", if there is anything to fix.
fn fix_all(doc: &Document) -> Option<String> {
    let actions = actions(doc, TextRange::empty(0), &[], &NoFiles);
    let action = actions
        .into_iter()
        .find(|action| action.kind == ActionKind::FixAll)?;
    Some(apply(&doc.text, &action.edits))
}

/// How a dry run of the first pipeline ends, and the nodes on its way. `failing` fails at its first attempt.
async fn dry_run(doc: &Document, failing: Option<&str>) -> (RunState, Vec<String>) {
    let pipelines: Vec<_> = doc.analysis.pipelines().cloned().collect();
    let pipeline = pipelines.first().unwrap().clone();
    let bundle = PipelineBundle::collect(&pipeline, &pipelines, &doc.options, &NoFiles);
    let source = Source {
        path: "pipeline.dot".into(),
        text: doc.text.clone(),
    };
    let outcomes = failing.map(|node| {
        (
            node.to_owned(),
            vec![Status::Fail.into(), Status::Success.into()],
        )
    });
    let launch = Launch {
        mode: Mode::DryRun(Script {
            outcomes: outcomes.into_iter().collect(),
            ..Script::default()
        }),
        answers: AnswerPolicy::AutoApprove,
        limits: Limits {
            max_steps: Some(200),
            ..Limits::default()
        },
        ..Launch::new(pipeline, source).with_bundle(bundle, doc.options.clone())
    };
    match start(launch).await {
        Ok(handle) => {
            let report = handle.wait().await;
            (report.status, report.path.clone())
        }
        Err(_) => (RunState::Invalid, Vec::new()),
    }
}

/// What "fix all" broke in one text, and how many dry runs were compared; `None` where it does not apply. `meant` is
/// the text without its typo.
async fn broken(text: &str, meant: &str) -> Option<(Vec<String>, usize)> {
    let (before, meant) = (read(text), read(meant));
    let fixed = fix_all(&before)?;
    let after = read(&fixed);
    let mut broken = Vec::new();
    if let Some(again) = fix_all(&after) {
        broken.push(format!("a second time:\n{}", difference(&fixed, &again)));
    }
    let Some(pipeline) = before.analysis.pipelines().next() else {
        return Some((broken, 0));
    };
    if before.analysis.has_errors() {
        return Some((broken, 0));
    }
    let mut compared = 0;
    let nodes = pipeline.nodes.iter().map(|node| Some(node.id.as_str()));
    for failing in std::iter::once(None).chain(nodes) {
        let (old, new) = (
            dry_run(&before, failing).await,
            dry_run(&after, failing).await,
        );
        compared += 1;
        if old != new && dry_run(&meant, failing).await != new {
            let change = difference(text, &fixed);
            broken.push(format!(
                "{failing:?} fails: {old:?}, then {new:?}\n{change}"
            ));
        }
    }
    Some((broken, compared))
}

/// The lines that differ.
fn difference(before: &str, after: &str) -> String {
    let pairs = before.lines().zip(after.lines());
    let changed = pairs.filter(|(old, new)| old != new);
    let lines: Vec<_> = changed
        .map(|(old, new)| format!("- {old}\n+ {new}"))
        .collect();
    lines.join("\n")
}

/// Checks the texts and their mutations, `rounds` times with other mutations.
fn check(texts: &[String], rounds: usize, at_least: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (mut seed, mut tried, mut compared) = (11, 0, 0);
    let mut all = Vec::new();
    for text in texts {
        let mutated = (0..rounds).flat_map(|_| mutations::of(text, &mut seed));
        for typed in std::iter::once(text.clone()).chain(mutated) {
            if let Some((broken, runs)) = runtime.block_on(broken(&typed, text)) {
                tried += 1;
                compared += runs;
                all.extend(broken);
            }
        }
    }
    println!(
        "{tried} texts fixed, {compared} dry runs compared, {} differ",
        all.len()
    );
    assert!(
        compared >= at_least,
        "only {compared} dry runs of {tried} texts"
    );
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn fixing_all_changes_no_run_of_the_own_pipelines() {
    let mut texts = mutations::texts(Path::new("../../examples"));
    texts.extend(mutations::texts(Path::new("../../templates")));
    check(&texts, 1, 100);
}

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn fixing_all_changes_no_run_of_real_pipelines() {
    let corpus = std::env::var_os("ATTRACTOR_CORPUS").unwrap();
    check(&mutations::texts(Path::new(&corpus)), 1, 1000);
}
