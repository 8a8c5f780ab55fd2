//! `attractor` alone: at a terminal what to do next in this folder, elsewhere the overview of commands.

use attractor_tests::{Project, Terminal};

const GATE: &str = r#"digraph release {
  start [shape=Mdiamond]
  review [shape=hexagon, prompt="Release?"]
  done [shape=Msquare]
  start -> review
  review -> done [label="[A] Approve"]
}"#;

fn shown(project: &Project) -> String {
    let terminal = Terminal::start(project, &[], 100);
    let (code, screen) = terminal.end_showing("attractor --help");
    assert_eq!(code, 0, "{screen}");
    assert!(screen.lines().count() <= 10, "{screen}");
    screen
}

#[test]
fn an_empty_folder_leads_to_a_template() {
    let screen = shown(&Project::new());
    assert!(
        screen.starts_with("No pipeline in this folder yet"),
        "{screen}"
    );
    assert!(
        screen.contains("attractor new bugfix_workflow -o fix.dot"),
        "{screen}"
    );
}

#[test]
fn commands_that_are_shown_work() {
    let project = Project::new();
    project
        .run(["new", "bugfix_workflow", "-o", "fix.dot"])
        .expect_code(0);
    let screen = shown(&project);
    assert!(screen.starts_with("1 pipeline in this folder"), "{screen}");
    let commands: Vec<Vec<&str>> = screen
        .lines()
        .filter_map(|line| line.trim().split("   ").next()?.strip_prefix("attractor "))
        .map(|command| command.split(' ').collect())
        .collect();
    assert!(
        commands.contains(&vec!["run", "fix.dot", "--dry-run"]),
        "{screen}"
    );
    for command in commands.iter().filter(|one| **one != ["run", "fix.dot"]) {
        let output = project.run(command);
        assert_eq!(output.code, Some(0), "{command:?}: {output}");
    }
}

#[test]
fn plain_graphs_are_not_offered() {
    let project = Project::with("family.dot", "digraph { ada -> byron }");
    let screen = shown(&project);
    assert!(
        screen.starts_with("No pipeline in this folder yet"),
        "{screen}"
    );
}

#[test]
fn errors_come_before_a_run() {
    let project = Project::with(
        "release.dot",
        GATE.replace("shape=hexagon", "type=humn_gate"),
    );
    let screen = shown(&project);
    assert!(
        screen.contains("attractor validate release.dot"),
        "{screen}"
    );
    assert!(!screen.contains("attractor run"), "{screen}");
}

#[test]
fn a_question_and_then_a_cancelled_run_come_first() {
    let project = Project::with("release.dot", GATE);
    let terminal = Terminal::start(&project, &["run", "release.dot"], 100);
    terminal.eventually("the question", |screen| screen.contains("Release?"));
    let screen = shown(&project);
    assert!(
        screen.contains("a run of release waits for an answer at review"),
        "{screen}"
    );
    assert!(screen.contains("attractor answer ANSWER"), "{screen}");

    project.run(["cancel"]).expect_code(0);
    terminal.end();
    let screen = shown(&project);
    assert!(
        screen.contains("a run of release was cancelled at review"),
        "{screen}"
    );
    assert!(screen.contains("attractor resume"), "{screen}");
}

#[test]
fn without_a_terminal_a_command_is_required() {
    let output = Project::new().run::<&str>([]).expect_code(2);
    assert!(output.stderr.contains("Usage: attractor"), "{output}");
}
