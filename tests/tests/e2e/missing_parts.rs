//! Machines that lack something: Git, or a home folder that can be written.

use std::os::unix::fs::symlink;
use std::path::Path;

use attractor_tests::{ProcessOutput, Project, git};

const PIPELINE: &str = r#"digraph hello {
    start [shape=Mdiamond]
    greet [type=tool, command="echo Hello"]
    done  [shape=Msquare]

    start -> greet -> done
}
"#;

/// Runs the program where `PATH` has a shell and nothing else.
fn run_without_git(project: &Project, arguments: &[&str]) -> ProcessOutput {
    let programs = project.file(".programs");
    std::fs::create_dir_all(&programs).expect("a folder");
    let shell = programs.join("sh");
    if !shell.exists() {
        symlink(Path::new("/bin/sh"), shell).expect("a link");
    }
    let mut command = project.command(arguments);
    command.env("PATH", programs);
    ProcessOutput::new(&command.output().expect("the program starts"))
}

#[test]
fn without_git_pipelines_are_checked_and_run() {
    let project = Project::with("hello.dot", PIPELINE);
    run_without_git(&project, &["validate", "hello.dot"]).expect_code(0);
    let output = run_without_git(&project, &["run", "hello.dot"]).expect_code(0);
    assert!(output.stdout.contains("Hello"), "{output}");
}

#[test]
fn what_needs_git_says_so() {
    let project = Project::with("hello.dot", PIPELINE);
    git(project.path(), &["init", "--quiet"]);
    let output = run_without_git(&project, &["diff", "--git", "HEAD"]).expect_code(1);
    assert!(
        output.stderr.contains("`git` is not on PATH; install it"),
        "{output}"
    );
    let output = run_without_git(&project, &["doctor", "--offline"]).expect_code(0);
    assert!(output.stdout.contains("git: not on PATH"), "{output}");
}

#[test]
fn doctor_says_which_node_needs_git() {
    let pipeline = PIPELINE.replace(
        "start -> greet -> done",
        "each [type=parallel, isolation=worktree]\n    join [shape=tripleoctagon]\n    \
         start -> each -> greet -> join -> done",
    );
    let project = Project::with("hello.dot", &pipeline);
    let doctor = ["doctor", "--offline", "hello.dot"];
    // Without a repository the branches work in ordinary folders.
    run_without_git(&project, &doctor).expect_code(0);
    git(project.path(), &["init", "--quiet"]);
    let output = run_without_git(&project, &doctor).expect_code(1);
    let row = output
        .stdout
        .lines()
        .find(|line| line.contains("program git"));
    let row = row.unwrap_or_default();
    assert!(
        row.contains("each") && row.contains("`git` is not on PATH; install it"),
        "{output}"
    );
}

#[test]
fn a_server_without_a_place_for_its_token_says_where_it_is_kept() {
    let project = Project::with("hello.dot", PIPELINE);
    // As read-only: nothing can be made below a file, also not by root.
    project.write(".local", "");
    let output = project.run(["serve", "--port", "0"]).expect_code(1);
    assert!(output.stderr.contains(".local/state/attractor"), "{output}");
    assert!(output.stderr.contains("XDG_STATE_HOME"), "{output}");
}
