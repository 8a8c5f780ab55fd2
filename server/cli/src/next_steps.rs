//! What `attractor` alone shows at a terminal: what to do next in this folder, in ten lines at most.
//!
//! Pure: the facts come from [`crate::folder_facts`].

use std::fmt::Write as _;

use crate::columns::width;
use crate::console::plain;
use crate::render::counted;
use crate::style::{FAINT, STRONG, paint};

/// What is known of the current folder without asking anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderFacts {
    /// The pipeline files; the one that is worked on comes first.
    pub pipelines: Vec<PipelineFile>,
    /// The newest run that can be answered, watched or resumed.
    pub run: Option<UnfinishedRun>,
    /// Whether a provider of models has a key or an address.
    pub has_models: bool,
    /// Whether a configuration file has a problem.
    pub has_broken_configuration: bool,
}

/// A pipeline file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PipelineFile {
    /// Its path for the shell, relative to the folder.
    pub path: String,
    /// How many errors it has.
    pub errors: usize,
    /// Whether it has a file of scenarios.
    pub has_scenarios: bool,
}

/// A run that has not ended well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedRun {
    /// The name of its pipeline.
    pub pipeline: String,
    /// Its state in words, such as `interrupted 2 h ago at review`.
    pub state: String,
    /// What can be done with it.
    pub next: RunStep,
}

/// What can be done with a run that has not ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStep {
    /// It waits for an answer.
    Answer,
    /// Another process works on it.
    Watch,
    /// It can be resumed.
    Resume,
}

/// A command and what it is for.
type Row = (String, String);

/// The text, with a line end after each line.
pub fn next_steps(facts: &FolderFacts) -> String {
    let mut rows = Vec::new();
    rows.extend(facts.run.iter().flat_map(of_run));
    if facts.has_broken_configuration {
        rows.push(row("attractor config", "show what is wrong in a setting"));
    }
    match facts.pipelines.as_slice() {
        [] => rows.extend(without_pipelines()),
        [first, others @ ..] => rows.extend(of_pipelines(first, others.len())),
    }
    // Who has an unfinished run has met it, and the lines are few.
    if !facts.has_models && facts.run.is_none() {
        rows.push(row("attractor doctor", "show why prompts are simulated"));
    }
    rows.push(row("attractor --help", "list all commands"));
    let widest = rows.iter().map(|(command, _)| width(command)).max();
    let widest = widest.unwrap_or_default();
    let mut text = format!("{}\n\n", paint(STRONG, heading(facts)));
    for (command, purpose) in &rows {
        let gap = " ".repeat(widest - width(command) + 3);
        writeln!(text, "  {command}{gap}{}", paint(FAINT, purpose)).ok();
    }
    text
}

fn row(command: impl Into<String>, purpose: impl Into<String>) -> Row {
    (command.into(), purpose.into())
}

/// `2 pipelines in this folder; release is interrupted`
fn heading(facts: &FolderFacts) -> String {
    let pipelines = match facts.pipelines.len() {
        0 => "No pipeline in this folder yet".to_owned(),
        count => format!("{} in this folder", counted(count, "pipeline")),
    };
    match &facts.run {
        Some(run) => format!(
            "{pipelines}; a run of {} {}",
            plain(&run.pipeline),
            plain(&run.state)
        ),
        None => pipelines,
    }
}

fn of_run(run: &UnfinishedRun) -> Vec<Row> {
    match run.next {
        RunStep::Answer => vec![
            row("attractor runs show", "show its question"),
            row("attractor answer ANSWER", "answer it"),
        ],
        RunStep::Watch => vec![row("attractor runs show", "show how far it is")],
        RunStep::Resume => vec![row("attractor resume", "continue it")],
    }
}

fn without_pipelines() -> [Row; 3] {
    [
        row("attractor new", "list the templates"),
        row(
            "attractor new bugfix_workflow -o fix.dot",
            "create a pipeline from one of them",
        ),
        row(
            "attractor run fix.dot --dry-run",
            "show what each step would do",
        ),
    ]
}

fn of_pipelines(first: &PipelineFile, others: usize) -> Vec<Row> {
    let path = &first.path;
    let mut rows = Vec::new();
    if first.errors > 0 {
        let errors = counted(first.errors, "error");
        rows.push(row(
            format!("attractor validate {path}"),
            format!("show its {errors}"),
        ));
    } else {
        rows.push(row(
            format!("attractor run {path} --dry-run"),
            "show what each step would do",
        ));
        rows.push(row(format!("attractor run {path}"), "run it"));
        rows.push(if first.has_scenarios {
            row(
                format!("attractor test {path}"),
                "run its scenarios, without a model",
            )
        } else {
            row(
                format!("attractor test --init {path}"),
                "write scenarios that cover every edge",
            )
        });
    }
    if others > 0 {
        rows.push(row(
            "attractor validate .",
            format!("check all {} pipelines", others + 1),
        ));
    }
    rows
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use expect_test::{Expect, expect};

    use super::{FolderFacts, PipelineFile, RunStep, UnfinishedRun, next_steps};
    use crate::columns::width;

    fn check(facts: &FolderFacts, expected: &Expect) {
        let text = strip_str(&next_steps(facts)).to_string();
        assert!(text.lines().count() <= 10, "{text}");
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        expected.assert_eq(&text);
    }

    fn run(state: &str, next: RunStep) -> UnfinishedRun {
        UnfinishedRun {
            pipeline: "release".to_owned(),
            state: state.to_owned(),
            next,
        }
    }

    fn pipeline(path: &str) -> PipelineFile {
        PipelineFile {
            path: path.to_owned(),
            ..PipelineFile::default()
        }
    }

    #[test]
    fn an_empty_folder_begins_with_a_template() {
        check(
            &FolderFacts::default(),
            &expect![[r#"
                No pipeline in this folder yet

                  attractor new                              list the templates
                  attractor new bugfix_workflow -o fix.dot   create a pipeline from one of them
                  attractor run fix.dot --dry-run            show what each step would do
                  attractor doctor                           show why prompts are simulated
                  attractor --help                           list all commands
            "#]],
        );
    }

    #[test]
    fn a_pipeline_is_tried_and_run() {
        check(
            &FolderFacts {
                pipelines: vec![pipeline("release.dot")],
                has_models: true,
                ..FolderFacts::default()
            },
            &expect![[r#"
                1 pipeline in this folder

                  attractor run release.dot --dry-run   show what each step would do
                  attractor run release.dot             run it
                  attractor test --init release.dot     write scenarios that cover every edge
                  attractor --help                      list all commands
            "#]],
        );
    }

    #[test]
    fn errors_come_before_a_run() {
        let broken = PipelineFile {
            errors: 2,
            ..pipeline("release.dot")
        };
        check(
            &FolderFacts {
                pipelines: vec![broken, pipeline("other.dot")],
                ..FolderFacts::default()
            },
            &expect![[r#"
                2 pipelines in this folder

                  attractor validate release.dot   show its 2 errors
                  attractor validate .             check all 2 pipelines
                  attractor doctor                 show why prompts are simulated
                  attractor --help                 list all commands
            "#]],
        );
    }

    #[test]
    fn a_run_that_can_be_resumed_comes_first() {
        check(
            &FolderFacts {
                pipelines: vec![pipeline("release.dot")],
                run: Some(run("was interrupted at build 2 h ago", RunStep::Resume)),
                has_models: true,
                ..FolderFacts::default()
            },
            &expect![[r#"
                1 pipeline in this folder; a run of release was interrupted at build 2 h ago

                  attractor resume                      continue it
                  attractor run release.dot --dry-run   show what each step would do
                  attractor run release.dot             run it
                  attractor test --init release.dot     write scenarios that cover every edge
                  attractor --help                      list all commands
            "#]],
        );
    }

    #[test]
    fn all_at_once_fit_ten_lines() {
        let tested = PipelineFile {
            has_scenarios: true,
            ..pipeline("release.dot")
        };
        check(
            &FolderFacts {
                pipelines: vec![tested, pipeline("a.dot"), pipeline("b.dot")],
                run: Some(run("waits for an answer at review", RunStep::Answer)),
                has_models: false,
                has_broken_configuration: true,
            },
            &expect![[r#"
                3 pipelines in this folder; a run of release waits for an answer at review

                  attractor runs show                   show its question
                  attractor answer ANSWER               answer it
                  attractor config                      show what is wrong in a setting
                  attractor run release.dot --dry-run   show what each step would do
                  attractor run release.dot             run it
                  attractor test release.dot            run its scenarios, without a model
                  attractor validate .                  check all 3 pipelines
                  attractor --help                      list all commands
            "#]],
        );
    }

    #[test]
    fn a_run_of_another_process_is_shown() {
        check(
            &FolderFacts {
                run: Some(run("is at build", RunStep::Watch)),
                has_models: true,
                ..FolderFacts::default()
            },
            &expect![[r#"
                No pipeline in this folder yet; a run of release is at build

                  attractor runs show                        show how far it is
                  attractor new                              list the templates
                  attractor new bugfix_workflow -o fix.dot   create a pipeline from one of them
                  attractor run fix.dot --dry-run            show what each step would do
                  attractor --help                           list all commands
            "#]],
        );
    }
}
