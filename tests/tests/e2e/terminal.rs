//! A run on a terminal: its width, its live row, and three questions that are open at once.

use attractor_tests::{Project, Terminal};

/// Three gates in branches, in an order that is not that of their names.
const GATES: &str = r#"digraph gates {
  start [shape=Mdiamond]
  fork [shape=component]
  zeta [shape=hexagon, prompt="Are the notes good?"]
  mid [shape=hexagon, prompt="Is the budget fine?"]
  alpha [shape=hexagon, prompt="Is the date fine?"]
  z [shape=parallelogram, command="echo {human.gate.text}"]
  m [shape=parallelogram, command="echo m"]
  a [shape=parallelogram, command="echo a"]
  late [shape=parallelogram, command="until test -e go; do sleep 0.01; done; echo late is here"]
  join [shape=tripleoctagon]
  fin [shape=Msquare]
  start -> fork
  fork -> zeta
  fork -> mid
  fork -> alpha
  fork -> late
  zeta -> z [label="[A] Approve"]
  zeta -> z [label="[E] Add a line", freeform=true]
  mid -> m [label="[Y] Yes"]
  mid -> m [label="[N] No"]
  alpha -> a [label="[Y] Yes"]
  alpha -> a [label="[N] No"]
  {z m a late} -> join -> fin
}"#;

/// The line with the cursor, when these are the last lines.
fn ends_with(screen: &str, question: &str, line: &str) -> bool {
    let prompt = screen.lines().next_back().unwrap_or_default();
    screen.contains(question) && prompt == line
}

#[test]
fn questions_are_asked_one_at_a_time_in_order() {
    let project = Project::with("gates.dot", GATES);
    let mut terminal = Terminal::start(&project, &["run", "gates.dot"], 80);
    let screen = terminal.eventually("the first question", |screen| {
        ends_with(screen, "zeta  Are the notes good?", ">")
    });
    assert!(screen.contains("[A] Approve   [E] Add a line…"), "{screen}");
    assert!(!screen.contains("Is the budget"), "{screen}");

    // A choice that takes text asks for it; a line that comes meanwhile is above, and what was typed stays.
    terminal.keys("e\r");
    terminal.eventually("the text is asked for", |screen| {
        ends_with(screen, "zeta", "Add a line >")
    });
    terminal.keys("Thanks");
    terminal.eventually("the text", |screen| {
        ends_with(screen, "zeta", "Add a line > Thanks")
    });
    project.write("go", "");
    let screen = terminal.eventually("the other branch", |screen| screen.contains("late is here"));
    let (line, prompt) = (screen.find("late is here"), screen.find("? zeta"));
    assert!(line < prompt, "{screen}");
    assert!(
        ends_with(&screen, "zeta", "Add a line > Thanks"),
        "{screen}"
    );
    terminal.keys(" to Ada\r");

    // A typo is asked about.
    terminal.eventually("the second question", |screen| {
        ends_with(screen, "Is the budget fine?", ">")
    });
    terminal.keys("yess\r");
    terminal.eventually("the typo", |screen| {
        ends_with(screen, "Did you mean Yes?", "[y/n] >")
    });

    // Answered elsewhere, it is withdrawn, and the next one is asked.
    project.run(["answer", "mid", "no"]).expect_code(0);
    let screen = terminal.eventually("the third question", |screen| {
        ends_with(screen, "Is the date fine?", ">")
    });
    assert!(screen.contains("withdrawn: No ("), "{screen}");
    terminal.keys("y\r");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("Thanks to Ada"), "{screen}");
    assert!(screen.contains("gates success"), "{screen}");
}

/// Three steps at once, one with a lot of output.
const WORK: &str = r#"digraph work {
  start [shape=Mdiamond]
  fork [shape=component]
  first_of_the_long_names [shape=parallelogram, command="until test -e go; do sleep 0.01; done"]
  second_of_the_long_names [shape=parallelogram, command="until test -e go; do sleep 0.01; done"]
  third_of_the_long_names [shape=parallelogram, command="until test -e go; do sleep 0.01; done; seq -s ' ' 100"]
  join [shape=tripleoctagon]
  fin [shape=Msquare]
  start -> fork -> {first_of_the_long_names second_of_the_long_names third_of_the_long_names} -> join -> fin
}"#;

#[test]
fn output_fits_every_width() {
    for columns in [60, 80, 120] {
        let project = Project::with("work.dot", WORK);
        let terminal = Terminal::start(&project, &["run", "work.dot"], columns);
        let screen = terminal.eventually("the live row", |screen| screen.contains(" s · fork"));
        // One row, cut at the edge, below the lines that stay.
        let rows: Vec<&str> = screen.lines().collect();
        assert_eq!(rows.len(), 4, "{screen}");
        project.write("go", "");
        let (code, screen) = terminal.end();
        assert_eq!(code, 0, "{screen}");
        assert!(
            !screen.contains(" s · fork"),
            "the live row is gone:\n{screen}"
        );
        let nodes: Vec<&str> = screen
            .lines()
            .filter(|line| line.starts_with('✓'))
            .collect();
        // The nodes, and the first line of the summary.
        assert_eq!(nodes.len(), 8, "{screen}");
        for line in &nodes[..7] {
            assert_eq!(line.chars().count(), usize::from(columns), "{screen}");
        }
    }
}

#[test]
fn resize_updates_the_width() {
    let project = Project::with("work.dot", WORK);
    let terminal = Terminal::start(&project, &["run", "work.dot"], 60);
    terminal.eventually("the live row", |screen| screen.contains(" s · fork"));
    terminal.resize(120);
    terminal.eventually("the wider row", |screen| {
        screen
            .lines()
            .any(|line| line.contains("third_of_the_long_names"))
    });
    project.write("go", "");
    let (_, screen) = terminal.end();
    let fork = screen.lines().find(|line| line.contains("3 of 3 branches"));
    assert_eq!(fork.map(|line| line.chars().count()), Some(120), "{screen}");
}
