//! Every example validates without a warning, runs, and produces its documented result.

use std::fs;
use std::path::PathBuf;

use attractor_tests::{ProcessOutput, Project, repository};

fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("examples")).expect("the examples");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "dot"))
        .collect();
    files.sort();
    files
}

fn run(project: &Project, name: &str, arguments: &[&str]) -> ProcessOutput {
    let file = repository().join("examples").join(format!("{name}.dot"));
    let mut all = vec![
        "run".to_owned(),
        file.display().to_string(),
        "--format".into(),
        "json".into(),
    ];
    all.extend(arguments.iter().map(|&argument| argument.to_owned()));
    project.run(all)
}

fn path_of(output: &ProcessOutput) -> String {
    let report = output.json();
    let nodes = report["path"].as_array().expect("a path").iter();
    nodes
        .filter_map(|node| node.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_example_has_a_test() {
    let source = include_str!("examples.rs");
    for file in examples() {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        assert!(
            source.contains(&format!("\"{name}\"")),
            "no test runs {name}"
        );
    }
}

#[test]
fn examples_validate_without_warnings() {
    let files = examples();
    assert!(files.len() >= 5, "{files:?}");
    let arguments = ["validate".into(), "--strict".into()]
        .into_iter()
        .chain(files);
    let output = Project::new().run(arguments).expect_code(0);
    assert!(!output.stdout.contains("warning"), "{output}");
}

#[test]
fn examples_are_valid_graphviz() {
    for file in examples() {
        let project = Project::new();
        let text = fs::read_to_string(&file).expect("an example");
        assert!(!text.contains('\t'), "{}: tabs", file.display());
        let dot = project.run([
            "graph".as_ref(),
            file.as_os_str(),
            "--format".as_ref(),
            "json".as_ref(),
        ]);
        let portable = project.run([
            "validate".as_ref(),
            "--format".as_ref(),
            "json".as_ref(),
            file.as_os_str(),
        ]);
        dot.expect_code(0);
        let findings = portable.expect_code(0).stdout;
        assert!(
            !findings.contains("portable_dot"),
            "{}: {findings}",
            file.display()
        );
    }
}

#[test]
fn hello() {
    let project = Project::new();
    let output = run(&project, "hello", &[]).expect_code(0);
    assert_eq!(path_of(&output), "start plan build check done");
    assert!(
        project
            .read("sandbox/hello/index.html")
            .contains("<h1>Hello, world!</h1>")
    );
}

#[test]
fn hello_quotes_its_input() {
    let project = Project::new();
    run(
        &project,
        "hello",
        &["--input", "name=$(touch owned); it's \"me\""],
    )
    .expect_code(0);
    assert!(!project.file("owned").exists() && !project.file("sandbox/hello/owned").exists());
    assert!(
        project
            .read("sandbox/hello/index.html")
            .contains("Hello, $(touch owned); it's \"me\"!")
    );
}

#[test]
fn lint_test_fix() {
    let project = Project::new();
    let output = run(&project, "lint-test-fix", &[]).expect_code(0);
    assert_eq!(
        path_of(&output),
        "start create lint test fix patch lint test done"
    );
    assert!(
        project
            .read("sandbox/lint-test-fix/prices.py")
            .contains("(100 - discount) / 100")
    );
}

#[test]
fn release_checklist() {
    let project = Project::new();
    let output = run(
        &project,
        "release-checklist",
        &["--auto-approve", "--input", "version=2.1.0"],
    )
    .expect_code(0);
    assert!(path_of(&output).ends_with("upload published"), "{output}");
    assert_eq!(project.read("sandbox/release/files/VERSION"), "2.1.0\n");
    assert!(
        project
            .file("sandbox/release/public/release.tar.gz")
            .exists()
    );
}

#[test]
fn release_checklist_accepts_text_and_rejection() {
    let project = Project::new();
    let answers = "review = [\"faster by `half`; rm -rf .\", \"A\"]\npublish = \"N\"\n";
    project.write("answers.toml", answers);
    let output = run(
        &project,
        "release-checklist",
        &["--answers", "answers.toml"],
    )
    .expect_code(0);
    assert!(path_of(&output).ends_with("publish stopped"), "{output}");
    assert!(
        project
            .read("sandbox/release/NOTES.md")
            .ends_with("- faster by `half`; rm -rf .\n")
    );
    assert!(!project.file("sandbox/release/public").exists());
}

#[test]
fn parallel_survey() {
    let project = Project::new();
    project.write("src/a.rs", "// TODO one\n// TODO two\n");
    project.write("src/it's here/b c.md", "nothing\n");
    let output = run(&project, "parallel-survey", &["--input", "folder=src"]).expect_code(0);
    assert!(
        path_of(&output).ends_with("survey gather report done"),
        "{output}"
    );
    let report = project.read("sandbox/survey/report.md");
    assert!(report.contains("## count\n\n    2\n"), "{report}");
    assert!(
        report.contains("1 rs") && report.contains("1 md"),
        "{report}"
    );
    assert!(report.contains("## undone\n\n    2\n"), "{report}");
}

#[test]
fn retry_escalate() {
    let project = Project::new();
    let output = run(&project, "retry-escalate", &[]).expect_code(0);
    assert_eq!(path_of(&output), "start reset ask answered");
    let output = run(&project, "retry-escalate", &["--input", "failures=9"]).expect_code(3);
    assert_eq!(output.json()["status"], "escalated");
    assert_eq!(path_of(&output), "start reset ask diagnose cache on_call");
    project.write("sandbox/retry/cache", "answer from yesterday\n");
    let output = run(&project, "retry-escalate", &["--input", "failures=9"]).expect_code(0);
    assert_eq!(path_of(&output), "start reset ask diagnose cache answered");
}

#[test]
fn supervisor() {
    let project = Project::new();
    let output = run(&project, "supervisor", &[]).expect_code(0);
    assert!(path_of(&output).ends_with("supervise done"), "{output}");
    assert_eq!(
        project.read("sandbox/supervisor/finished.txt"),
        "sweep\npaint\npolish\n"
    );
    assert_eq!(project.read("sandbox/supervisor/todo.txt"), "");
}

/// Without a key the models are simulated and the rest is real.
#[test]
fn changes_are_reviewed() {
    let project = Project::new();
    let output = run(&project, "review-changes", &["--answer", "keep=Keep"]).expect_code(0);
    let report = output.json();
    assert_eq!(report["simulated"], true);
    let review = project.read("sandbox/review.md");
    assert!(
        review.starts_with("[simulated] verdict: Two reviewers"),
        "{review}"
    );
}
