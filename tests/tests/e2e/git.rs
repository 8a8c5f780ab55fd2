//! Git as the engine calls it: nothing that a repository configures is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use attractor_tests::Project;

/// Runs Git in a project.
pub(crate) fn git(project: &Project, arguments: &[&str]) -> String {
    attractor_tests::git(project.path(), arguments)
}

/// A repository with a commit of everything in the folder.
pub(crate) fn commit_all(project: &Project) {
    project.write(".gitignore", ".attractor/\n");
    git(project, &["init", "--quiet", "-b", "main"]);
    git(project, &["add", "."]);
    git(project, &["commit", "--quiet", "-m", "begin"]);
}

const BRANCHES: &str = "digraph both {
  start  [shape=Mdiamond]
  done   [shape=Msquare]
  attack [shape=parallelogram, command=\"sh attack.sh\"]
  fork   [shape=component, isolation=worktree]
  left   [shape=parallelogram, command=\"git status --porcelain > left.txt\"]
  right  [shape=parallelogram, command=\"echo right > right.txt\"]
  join   [shape=tripleoctagon]
  start -> attack -> fork -> {left right} -> join -> done
}
";

/// A hook that shows that it ran.
fn hook(project: &Project) -> String {
    let pwned = project.file("pwned");
    format!("#!/bin/sh\\ntouch {}\\n", pwned.display())
}

/// What a command may do to a repository so that the next call of Git leads elsewhere, and what the engine says.
#[test]
fn a_repository_that_a_step_swapped_is_not_used() {
    let copy = "mkdir -p e/hooks && cp -r .git/objects .git/refs .git/HEAD .git/config e/";
    let write = "for hook in reference-transaction post-checkout; do printf 'HOOK' > e/hooks/$hook; chmod +x e/hooks/$hook; done";
    for (attack, expected) in [
        ("echo ../e > .git/commondir", "it has a file `commondir`"),
        (
            "mv .git .git2; echo 'gitdir: ./e' > .git",
            "it was a folder and is a pointer",
        ),
        (
            "mv .git .git2; ln -s e .git",
            "it was a folder and is a symbolic link",
        ),
        (
            "echo $PWD/e/objects > .git/objects/info/alternates",
            "it takes objects from another folder",
        ),
    ] {
        let project = Project::with("both.dot", BRANCHES);
        let script = format!("{copy}\n{write}\n{attack}\n").replace("HOOK", &hook(&project));
        project.write("attack.sh", script);
        commit_all(&project);
        let output = project.run(["run", "both.dot"]);
        assert_ne!(output.code, Some(0), "{attack}: {output}");
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains(expected), "{attack}: {output}");
        assert!(said.contains("Git is not called"), "{attack}: {output}");
        assert!(!project.file("pwned").exists(), "{attack}: {output}");
    }
}

/// Hooks and programs of the configuration that were there from the start, as in an archive that somebody sent.
#[test]
fn what_a_repository_configures_is_not_run_for_branches() {
    let project = Project::with("both.dot", BRANCHES);
    project.write("attack.sh", "true\n");
    project.write("sub/.gitattributes", "* filter=x\n");
    commit_all(&project);
    let pwned = project.file("pwned").display().to_string();
    let touch = format!("touch {pwned}; cat");
    for (key, value) in [
        ("core.fsmonitor", &touch),
        ("filter.x.clean", &touch),
        ("filter.x.smudge", &touch),
        ("filter.x.process", &touch),
        ("core.hooksPath", &"hooks".to_owned()),
    ] {
        git(&project, &["config", key, value]);
    }
    for hook in [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ] {
        let path = project.file("hooks").join(hook);
        project.write(
            &format!("hooks/{hook}"),
            format!("#!/bin/sh\ntouch {pwned}\n"),
        );
        let made = Command::new("chmod").arg("+x").arg(path).status();
        assert!(made.expect("chmod").success());
    }
    // The node `left` calls Git itself, as a person would, and is not what this is about.
    project.write(
        "both.dot",
        BRANCHES.replace("git status --porcelain", "echo"),
    );
    project.run(["run", "both.dot"]).expect_code(0);
    assert!(!project.file("pwned").exists());
    assert_eq!(project.read("right.txt"), "right\n");
}

/// An archive that somebody sent: looking at it runs nothing.
#[test]
fn doctor_and_preflight_run_nothing_that_a_repository_configures() {
    let project = Project::with(
        "fix.dot",
        "digraph fix { start [shape=Mdiamond]; done [shape=Msquare]; t [shape=parallelogram, command=\"true\"]; start -> t -> done }",
    );
    project.write("a.txt", "a\n");
    project.write(".gitattributes", "*.txt filter=x diff=x\n");
    commit_all(&project);
    let touch = format!("touch {}; cat", project.file("pwned").display());
    for key in [
        "filter.x.clean",
        "filter.x.process",
        "diff.x.textconv",
        "diff.external",
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
    ] {
        git(&project, &["config", key, &touch]);
    }
    project.write("a.txt", "changed\n");
    let output = project.run(["doctor", "fix.dot", "--offline"]);
    assert!(output.stdout.contains("1 uncommitted change"), "{output}");
    assert!(!project.file("pwned").exists(), "{output}");
    let output = project.run(["run", "fix.dot", "--preflight"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(!project.file("pwned").exists(), "{output}");
}

/// Every call of Git goes through the module that knows how: no other file that starts programs names it. The build of the
/// program records the commit before anything of that module is there.
#[test]
fn one_module_calls_git() {
    const MODULE: &str = "engine/exec/src/git";
    const BUILD: &str = "server/cli/build.rs";
    const STARTS: [&str; 3] = ["Command::new(", "Job {", "find_program("];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut open = vec![root.join("engine"), root.join("server")];
    let (mut files, mut calls) = (0, Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let below = path.strip_prefix(&root).unwrap_or(&path);
            if path.is_dir() && !below.ends_with("node_modules") {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                files += 1;
                let text = fs::read_to_string(&path).expect("a text");
                let starts = STARTS.iter().any(|start| text.contains(start));
                if text.contains("\"git\"")
                    && starts
                    && !below.starts_with(MODULE)
                    && below != Path::new(BUILD)
                {
                    calls.push(below.to_owned());
                }
            }
        }
    }
    assert!(files > 500, "only {files} files were found");
    assert_eq!(calls, Vec::<PathBuf>::new(), "use attractor_exec::git");
}
