//! What a run refuses because of how a command is written, validation reports as an error, and the other way round.

use attractor_lint::analyze;
use attractor_machine::outcome::FailureClass;
use attractor_model::Severity;

use super::*;
use crate::driver::{DryRun, DryRuns};
use crate::error::RunError;

/// A tool with the attributes, after a launch with the key `x`.
fn tool(attributes: &str) -> String {
    format!(
        "digraph {{ vars=\"x\"; s [shape=Mdiamond]; e [shape=Msquare]; a [shape=parallelogram, {attributes}]; s -> a -> e }}"
    )
}

fn has_error(bench: &Harness, dot: &str) -> bool {
    let text: Arc<str> = dot.into();
    let parse = attractor_model::dot::parse(&text);
    let files = Folder(bench.path());
    let analysis = analyze(&text, &parse, &Options::default(), &files);
    let mut errors = analysis.diagnostics.iter();
    errors.any(|found| found.severity == Severity::Error)
}

#[tokio::test(flavor = "multi_thread")]
async fn validation_and_run_refuse_the_same_commands() {
    let bench = Harness::new();
    std::fs::write(bench.path().join("bad.sh"), "sh -c 'echo {x}'\n").unwrap();
    std::fs::write(bench.path().join("good.sh"), "echo {x}\n").unwrap();
    for (attributes, refused) in [
        ("command=\"echo {x} '{x}' \\\"$x\\\"\"", false),
        ("command=\"sh -c 'echo \\\"$1\\\"' sh {x}\"", false),
        ("command=\"cat <<EOF\n{x}\nEOF\n\"", false),
        ("command=\"@good.sh\"", false),
        (
            "language=python, command=\"import os; print(os.environ['X'])\", env.X=\"{x}\"",
            false,
        ),
        ("language=python, command=\"print('{x}')\"", true),
        ("command=\"sh -c 'echo {x}'\"", true),
        ("command=\"bash -c {x}\"", true),
        ("command=\"eval echo $x\"", true),
        ("command=\"cat <<'EOF'\n{x}\nEOF\n\"", true),
        ("command=\"python3 -c 'print({x})'\"", true),
        ("command=true, pre_hook=\"sh -c {x}\"", true),
        ("command=true, post_hook=\"eval {x}\"", true),
        ("command=\"@bad.sh\"", true),
        ("handler=nobody", true),
        ("command=\"\"", true),
        ("command=\"@missing.sh\"", true),
    ] {
        let dot = tool(attributes);
        assert_eq!(has_error(&bench, &dot), refused, "validation: {attributes}");
        let mut launch = bench.launch(&dot);
        launch.inputs.insert("x".to_owned(), "a b; id".into());
        // Whether the library refuses to start or the step fails, the command never ran.
        let class = match start(launch).await {
            Ok(handle) => handle
                .wait()
                .await
                .failure
                .as_ref()
                .map(|failure| failure.class),
            Err(_) => Some(FailureClass::Configuration),
        };
        let is_refused = class == Some(FailureClass::Configuration);
        assert_eq!(is_refused, refused, "the run: {attributes} ({class:?})");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dry_runs_of_one_pipeline_are_validated_together() {
    let bench = Harness::new();
    let invalid = DryRuns::of(bench.launch(&tool("handler=nobody")));
    assert!(matches!(invalid, Err(RunError::Invalid { .. })));
    let dry_runs = DryRuns::of(bench.launch(&tool("command=true"))).unwrap();
    for (status, expected) in [
        (Status::Success, RunState::Success),
        (Status::Fail, RunState::Fail),
    ] {
        let script = Script {
            models: crate::handlers::script::ScriptedModels::None,
            outcomes: [("a".to_owned(), vec![status.into()])].into(),
        };
        let run = dry_runs.start(DryRun {
            script,
            ..DryRun::default()
        });
        assert_eq!(run.unwrap().wait().await.status, expected);
    }
}
