//! Every example does what it says: it validates without a warning, runs, and leaves what it promised.

use std::fs;
use std::path::PathBuf;

use attractor_tests::{Ended, Project, repository};

fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("examples")).expect("the examples");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "dot"))
        .collect();
    files.sort();
    files
}

fn run(project: &Project, name: &str, arguments: &[&str]) -> Ended {
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

fn path_of(ended: &Ended) -> String {
    let report = ended.json();
    let nodes = report["path"].as_array().expect("a path").iter();
    nodes
        .filter_map(|node| node.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn each_has_a_test_of_its_own() {
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
fn all_validate_without_a_warning() {
    let files = examples();
    assert!(files.len() >= 5, "{files:?}");
    let arguments = ["validate".into(), "--strict".into()]
        .into_iter()
        .chain(files);
    let ended = Project::new().run(arguments).expect_code(0);
    assert!(!ended.stdout.contains("warning"), "{ended}");
}

#[test]
fn all_are_dot_that_graphviz_reads() {
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
    let ended = run(&project, "hello", &[]).expect_code(0);
    assert_eq!(path_of(&ended), "start plan build check done");
    assert!(
        project
            .read("sandbox/hello/index.html")
            .contains("<h1>Hello, world!</h1>")
    );
}

#[test]
fn hello_quotes_what_it_is_given() {
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
    let ended = run(&project, "lint-test-fix", &[]).expect_code(0);
    assert_eq!(
        path_of(&ended),
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
    let ended = run(
        &project,
        "release-checklist",
        &["--auto-approve", "--input", "version=2.1.0"],
    )
    .expect_code(0);
    assert!(path_of(&ended).ends_with("upload published"), "{ended}");
    assert_eq!(project.read("sandbox/release/files/VERSION"), "2.1.0\n");
    assert!(
        project
            .file("sandbox/release/public/release.tar.gz")
            .exists()
    );
}

#[test]
fn release_checklist_takes_text_and_a_no() {
    let project = Project::new();
    let answers = "review = [\"faster by `half`; rm -rf .\", \"A\"]\npublish = \"N\"\n";
    project.write("answers.toml", answers);
    let ended = run(
        &project,
        "release-checklist",
        &["--answers", "answers.toml"],
    )
    .expect_code(0);
    assert!(path_of(&ended).ends_with("publish stopped"), "{ended}");
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
    let ended = run(&project, "parallel-survey", &["--input", "folder=src"]).expect_code(0);
    assert!(
        path_of(&ended).ends_with("survey gather report done"),
        "{ended}"
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
    let ended = run(&project, "retry-escalate", &[]).expect_code(0);
    assert_eq!(path_of(&ended), "start reset ask answered");
    let ended = run(&project, "retry-escalate", &["--input", "failures=9"]).expect_code(3);
    assert_eq!(ended.json()["status"], "escalated");
    assert_eq!(path_of(&ended), "start reset ask diagnose cache on_call");
    project.write("sandbox/retry/cache", "answer from yesterday\n");
    let ended = run(&project, "retry-escalate", &["--input", "failures=9"]).expect_code(0);
    assert_eq!(path_of(&ended), "start reset ask diagnose cache answered");
}

#[test]
fn supervisor() {
    let project = Project::new();
    let ended = run(&project, "supervisor", &[]).expect_code(0);
    assert!(path_of(&ended).ends_with("supervise done"), "{ended}");
    assert_eq!(
        project.read("sandbox/supervisor/finished.txt"),
        "sweep\npaint\npolish\n"
    );
    assert_eq!(project.read("sandbox/supervisor/todo.txt"), "");
}
