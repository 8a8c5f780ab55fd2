//! Commands of `attractor` in the documentation are run, each block in a folder of its own with the files that pages
//! mention, and end as the reader expects. Those of other programs are listed by kind.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;

use attractor_tests::{MockProvider, Project, Reply, git, program, repository};

use super::shell_blocks::{ShellBlock, programs, shell_blocks};
use super::{DocumentedNames, all_pages};

/// Commands of `attractor` whose options are checked only: page, command, reason.
const NOT_RUN: &[(&str, &str, &str)] = &[
    (
        "docs/agent.md",
        "attractor agent",
        "a conversation needs a terminal",
    ),
    (
        "docs/agent.md",
        "attractor agent --continue",
        "a conversation needs a terminal",
    ),
    (
        "docs/http.md",
        "attractor serve --port 8080",
        "serves until it is ended",
    ),
    (
        "docs/http.md",
        "attractor answer approve --server http://127.0.0.1:8080",
        "needs the server of another machine",
    ),
    (
        "docs/http.md",
        "attractor runs events --follow --server http://127.0.0.1:8080",
        "needs the server of another machine",
    ),
    (
        "docs/http.md",
        "attractor mcp --http --port 8080",
        "serves until it is ended",
    ),
];

/// Blocks that are a script: page, first command, the test that runs it.
const SCRIPTS: &[(&str, &str, &str)] = &[(
    "docs/http.md",
    "api() { curl --silent --show-error -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \"$@\"; }",
    "http.rs",
)];

/// Programs whose commands are not run here, and why.
const OTHER_PROGRAMS: &[(&[&str], &str)] = &[
    (
        &["cargo", "just"],
        "build this repository; the test above checks their targets",
    ),
    (
        &["./test", "ci/"],
        "scripts of this repository; the test above checks their paths",
    ),
    (&["cd", "export", ".", "for"], "the shell itself"),
    (
        &["mkdir", "ln", "install", "tar", "echo", "sha256sum"],
        "files of the reader",
    ),
    (&["npm", "code", "claude"], "editors and clients"),
    (&["git", "gh", "ssh"], "repositories and machines elsewhere"),
    (
        &["python3", "pip", "strace", "valgrind", "perf"],
        "tools for releases and measurements",
    ),
];

/// A placeholder for a value of the reader, and the folder whose newest entry takes its place.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("RUN", ".attractor/runs"),
    ("20261123-101500-1f3a", ".attractor/sessions"),
];

/// The pipeline of the files that pages mention.
const PIPELINE: &str = r#"digraph release {
    start  [shape=Mdiamond]
    test   [type=tool, command="test -e corrected"]
    fix    [type=tool, command="touch corrected", max_visits=3]
    report [prompt="Summarize the change."]
    done   [shape=Msquare]

    start -> test
    test -> report [condition="outcome=success"]
    test -> fix    [condition="outcome=fail"]
    fix -> test
    report -> done
}
"#;

/// A pipeline whose run fails the first time.
const UNFINISHED: &str = r#"digraph unfinished {
    start [shape=Mdiamond]
    test  [type=tool, command="test -e repaired"]
    done  [shape=Msquare]

    start -> test -> done
}
"#;

#[test]
fn commands_of_attractor_do_what_the_page_says() {
    let known = DocumentedNames::of_repository();
    let mut report = String::new();
    let mut count = 0;
    let mut rows = BTreeSet::new();
    for (page, block) in blocks() {
        if !block
            .commands
            .iter()
            .any(|(_, command)| is_attractor(command))
        {
            continue;
        }
        let reader = Reader::new();
        for (line, command) in &block.commands {
            if let Some(row) = row_of(NOT_RUN, &page, command) {
                rows.insert(row);
                if let Err(problem) = known.check(command) {
                    let _ = writeln!(report, "{page}:{line}: {problem}: `{command}`");
                }
            } else if is_attractor(command) || programs(command) == ["mkdir"] {
                count += usize::from(is_attractor(command));
                if let Err(problem) = reader.run(command) {
                    let _ = writeln!(report, "{page}:{line}: `{command}`: {problem}");
                }
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(count >= 25, "only {count} commands were run");
    for (at, row) in NOT_RUN.iter().enumerate() {
        assert!(
            rows.contains(&at),
            "no page has this command any more: {row:?}"
        );
    }
}

#[test]
fn commands_of_other_programs_are_of_a_listed_kind() {
    let mut report = String::new();
    let mut seen = BTreeSet::new();
    let mut scripts = BTreeSet::new();
    for (page, block) in blocks() {
        let first = block.commands.first().map(|(_, command)| command.as_str());
        if let Some(row) = first.and_then(|first| row_of(SCRIPTS, &page, first)) {
            scripts.insert(row);
            continue;
        }
        for (line, command) in &block.commands {
            for name in programs(command)
                .into_iter()
                .filter(|name| *name != "attractor")
            {
                if let Some(program) = known_program(name) {
                    seen.insert(program);
                } else {
                    let _ = writeln!(report, "{page}:{line}: `{name}` is not listed: `{command}`");
                }
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
    let listed = OTHER_PROGRAMS.iter().flat_map(|(names, _)| *names);
    let unused: Vec<_> = listed.filter(|name| !seen.contains(*name)).collect();
    assert!(unused.is_empty(), "no page uses these any more: {unused:?}");
    assert_eq!(scripts.len(), SCRIPTS.len(), "a script is gone");
}

/// The shell blocks of all pages, with the path of the page.
fn blocks() -> impl Iterator<Item = (String, ShellBlock)> {
    all_pages().into_iter().flat_map(|page| {
        let text = fs::read_to_string(&page).expect("a page");
        let page = page.strip_prefix(repository()).unwrap_or(&page);
        let page = page.display().to_string();
        let blocks = shell_blocks(&text).into_iter();
        blocks.map(move |block| (page.clone(), block))
    })
}

fn is_attractor(command: &str) -> bool {
    programs(command).contains(&"attractor")
}

fn row_of(rows: &[(&str, &str, &str)], page: &str, command: &str) -> Option<usize> {
    rows.iter()
        .position(|row| (row.0, row.1) == (page, command))
}

/// The entry of the list of other programs for the first word of a command; folders end with `/`.
fn known_program(name: &str) -> Option<&'static str> {
    let name = name.split_once("=$(").map_or(name, |(_, program)| program);
    let mut names = OTHER_PROGRAMS.iter().flat_map(|(names, _)| *names);
    names
        .find(|known| name == **known || known.ends_with('/') && name.starts_with(**known))
        .copied()
}

/// Somebody who reads a page, in a repository of pipelines, with models that answer.
struct Reader {
    project: Project,
    models: MockProvider,
}

impl Reader {
    fn new() -> Self {
        let project = Project::new();
        for file in [
            "pipeline.dot",
            "release.dot",
            "flow.dot",
            "old.dot",
            "flows/flow.dot",
        ] {
            project.write(file, PIPELINE);
        }
        project.write("new.dot", PIPELINE.replace("max_visits=3", "max_visits=5"));
        project.write("unfinished.dot", UNFINISHED);
        project.run(["test", "--init", "."]).expect_code(0);
        git(
            project.path(),
            &["init", "--quiet", "--initial-branch=main"],
        );
        git(project.path(), &["add", "."]);
        git(
            project.path(),
            &["commit", "--quiet", "--message", "pipelines"],
        );
        git(project.path(), &["remote", "add", "origin", "."]);
        fs::create_dir(project.file(".git/bin")).expect("a folder");
        symlink(program(), project.file(".git/bin/attractor")).expect("a link");
        Self {
            project,
            models: MockProvider::start(vec![Reply::Says("Done.")]),
        }
    }

    fn run(&self, command: &str) -> Result<(), String> {
        let command = self.filled(command);
        let path = std::env::var("PATH").unwrap_or_default();
        let programs = self.project.file(".git/bin");
        let mut shell = self.project.other_command("sh");
        shell.args(["-c", &command]);
        shell.env("PATH", format!("{}:{path}", programs.display()));
        shell.envs(self.models.variables());
        let output = assert_cmd::Command::from_std(shell)
            .write_stdin(PIPELINE)
            .output()
            .expect("a shell");
        if output.status.success() {
            return Ok(());
        }
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(format!("{}\n{stdout}{stderr}", output.status))
    }

    /// A command with the values of this reader.
    fn filled(&self, command: &str) -> String {
        let mut command = command.to_owned();
        for (placeholder, folder) in PLACEHOLDERS {
            if !command.split(' ').any(|word| word == *placeholder) {
                continue;
            }
            if *placeholder == "RUN" {
                self.project.run(["run", "unfinished.dot"]).expect_code(1);
                self.project.write("repaired", "");
            }
            let entries = fs::read_dir(self.project.file(folder)).expect("a folder");
            let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            let newest = names.filter(|name| !name.starts_with('.')).max();
            command = command.replace(placeholder, &newest.expect("an entry"));
        }
        command
    }
}
