//! `attractor ci init`: a workflow, hooks and scenarios, and what exists already.

use attractor_tests::{Project, Terminal, repository};

const PIPELINE: &str = r#"digraph release {
    start [shape=Mdiamond]
    test  [type=tool, command="make test", max_visits=3]
    fix   [prompt="Fix it."]
    done  [shape=Msquare]

    start -> test
    test -> done [condition="outcome=success"]
    test -> fix  [condition="outcome=fail"]
    fix -> test
}
"#;
const WORKFLOW: &str = ".github/workflows/attractor.yml";
const HOOKS: &str = ".pre-commit-config.yaml";

#[test]
fn everything_is_written_once() {
    let project = Project::with("pipelines/release.dot", PIPELINE);
    let output = project.run(["ci", "init"]).expect_code(0);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "created .github/workflows/attractor.yml",
            "created .pre-commit-config.yaml",
            "created pipelines/release.test.toml: 2 scenarios, 4 of 4 edges covered",
        ]
    );
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        project
            .read(WORKFLOW)
            .contains(&format!("uses: attractor-dot/attractor@v{version}\n"))
    );
    assert!(project.read(HOOKS).contains("id: attractor-validate"));
    project
        .run(["test", "--coverage-fail-under", "100"])
        .expect_code(0);

    let output = project.run(["ci", "init"]).expect_code(0);
    assert!(
        output.stdout.starts_with(
            "unchanged .github/workflows/attractor.yml\nunchanged .pre-commit-config.yaml\n"
        ),
        "{output}"
    );
}

#[test]
fn a_dry_run_lists_and_writes_nothing() {
    let project = Project::with("release.dot", PIPELINE);
    project.write(WORKFLOW, "name: Mine\n");
    let output = project.run(["ci", "init", "--dry-run"]).expect_code(0);
    assert_eq!(
        output.stdout,
        "would overwrite .github/workflows/attractor.yml\nwould create .pre-commit-config.yaml\n\
         would create release.test.toml\n"
    );
    assert!(!project.file(HOOKS).exists());
    assert!(!project.file("release.test.toml").exists());
    assert_eq!(project.read(WORKFLOW), "name: Mine\n");
}

#[test]
fn a_workflow_is_overwritten_by_force_only() {
    let project = Project::with("release.dot", PIPELINE);
    project.write(WORKFLOW, "name: Mine\n");
    let output = project.run(["ci", "init"]).expect_code(2);
    assert_eq!(
        output.stderr,
        "error: .github/workflows/attractor.yml exists with different content; \
         pass --force to overwrite it, or confirm at a terminal\n"
    );
    assert!(!project.file(HOOKS).exists(), "something was written");
    assert_eq!(project.read(WORKFLOW), "name: Mine\n");

    let output = project.run(["ci", "init", "--force"]).expect_code(0);
    assert!(
        output
            .stdout
            .starts_with("overwrote .github/workflows/attractor.yml\n"),
        "{output}"
    );
    assert!(project.read(WORKFLOW).contains("attractor-dot/attractor@"));
}

#[test]
fn a_terminal_is_asked_before_a_workflow_is_overwritten() {
    let project = Project::with("release.dot", PIPELINE);
    for (answer, kept) in [("n\r", true), ("y\r", false)] {
        project.write(WORKFLOW, "name: Mine\n");
        let mut terminal = Terminal::start(&project, &["ci", "init"], 100);
        terminal.eventually("the question", |screen| {
            screen.contains("Overwrite .github/workflows/attractor.yml? [y/N]")
        });
        terminal.keys(answer);
        // The scenarios are last.
        let screen = terminal.eventually("the scenarios", |screen| {
            screen.contains("release.test.toml")
        });
        assert_eq!(project.read(WORKFLOW) == "name: Mine\n", kept, "{screen}");
    }
}

#[test]
fn hooks_of_others_are_kept_and_the_entry_is_printed() {
    let others = "repos:\n  - repo: local\n    hooks: []\n";
    let project = Project::with("release.dot", PIPELINE);
    project.write(HOOKS, others);
    let output = project.run(["ci", "init", "--force"]).expect_code(0);
    assert_eq!(project.read(HOOKS), others);
    assert!(
        output
            .stderr
            .contains(".pre-commit-config.yaml is not changed; add this to its `repos`:"),
        "{output}"
    );
    assert!(
        output
            .stdout
            .contains("        entry: attractor validate\n"),
        "{output}"
    );
}

#[test]
fn nothing_is_written_without_pipelines() {
    let project = Project::with("notes.md", "# Notes\n");
    let output = project.run(["ci", "init"]).expect_code(2);
    assert!(
        output.stderr.contains("error: no DOT file in ."),
        "{output}"
    );
    assert!(!project.file(WORKFLOW).exists());
}

#[test]
fn a_folder_that_does_not_exist_is_not_made() {
    let project = Project::with("release.dot", PIPELINE);
    for (place, problem) in [
        ("nowhere", "error: nowhere is not a folder"),
        ("release.dot", "error: release.dot is not a folder"),
    ] {
        let output = project.run(["ci", "init", place]).expect_code(2);
        assert!(output.stderr.contains(problem), "{output}");
    }
    assert!(!project.file("nowhere").exists());
}

#[test]
fn the_hooks_are_those_that_this_repository_offers() {
    let project = Project::with("release.dot", PIPELINE);
    project.run(["ci", "init"]).expect_code(0);
    let read = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim).map(str::to_owned);
        lines
            .filter(|line| line.starts_with("entry:") || line.starts_with("files:"))
            .collect()
    };
    let offered = std::fs::read_to_string(repository().join(".pre-commit-hooks.yaml"));
    let (mut offered, mut written) = (
        read(&offered.expect("the hooks")),
        read(&project.read(HOOKS)),
    );
    offered.sort();
    written.sort();
    assert_eq!(written, offered);
}

#[test]
fn no_link_of_the_project_is_written_through() {
    let project = Project::with("pipelines/release.dot", PIPELINE);
    project.write("mine.txt", "mine");
    std::fs::create_dir_all(project.file(".github/workflows")).expect("a folder");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(project.file(target), project.file(name)).expect("a link");
    };
    link("mine.txt", WORKFLOW);
    let refused = project.run(["ci", "init", "--force"]).expect_code(1);
    assert!(refused.stderr.contains(WORKFLOW), "{refused}");
    assert_eq!(project.read("mine.txt"), "mine");
    std::fs::remove_file(project.file(WORKFLOW)).expect("removed");
    link("other.txt", HOOKS);
    project.run(["ci", "init", "--force"]).expect_code(1);
    assert!(!project.file("other.txt").exists());
}
