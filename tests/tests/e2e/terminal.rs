//! A run on a terminal: its width, its live rows, and questions, also several that are open at once.

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

    // Answered elsewhere, it is closed, and the next one is asked.
    project.run(["answer", "mid", "no"]).expect_code(0);
    let screen = terminal.eventually("the third question", |screen| {
        ends_with(screen, "Is the date fine?", ">")
    });
    assert!(screen.contains("answered: No, by "), "{screen}");
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
  third_of_the_long_names [shape=parallelogram, command="echo 30 of 100 parts of a long text that says what happens and why it takes so long; until test -e go; do sleep 0.01; done; seq -s ' ' 100"]
  join [shape=tripleoctagon]
  fin [shape=Msquare]
  start -> fork -> {first_of_the_long_names second_of_the_long_names third_of_the_long_names} -> join -> fin
}"#;

/// The rows of the live area: the last lines, from the one with the spinner on.
fn live_rows(screen: &str) -> Vec<&str> {
    let is_head = |line: &&str| line.contains(" · ") && !line.starts_with(['✓', ' ']);
    screen.lines().skip_while(|line| !is_head(line)).collect()
}

#[test]
fn live_rows_fit_every_width() {
    for columns in [60, 80, 200] {
        let project = Project::with("work.dot", WORK);
        let terminal = Terminal::start(&project, &["run", "work.dot"], columns);
        let screen = terminal.eventually("the live rows", |screen| screen.contains(" 30 of 100"));
        // How far the run is, then a row for each running node with the last line it printed.
        let rows = live_rows(&screen);
        assert_eq!(rows.len(), 5, "{screen}");
        assert!(rows[0].contains(" 1/7 · "), "{screen}");
        assert!(rows[4].starts_with("  third_of_the_long"), "{screen}");
        for line in screen.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{screen}");
        }
        project.write("go", "");
        let (code, screen) = terminal.end();
        assert_eq!(code, 0, "{screen}");
        assert!(
            live_rows(&screen).is_empty(),
            "the live rows are gone:\n{screen}"
        );
        let nodes = screen.lines().filter(|line| line.starts_with('✓'));
        // The nodes, and the first line of the summary.
        assert_eq!(nodes.count(), 8, "{screen}");
        for line in screen.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{screen}");
        }
    }
}

#[test]
fn a_narrower_window_keeps_one_line_per_node() {
    let project = Project::with("work.dot", WORK);
    let terminal = Terminal::start(&project, &["run", "work.dot"], 120);
    terminal.eventually("the live rows", |screen| screen.contains(" 30 of 100"));
    terminal.resize(60);
    let screen = terminal.eventually("the narrower rows", |screen| live_rows(screen).len() == 5);
    assert!(
        screen.lines().any(|line| line.starts_with("✓ start")),
        "{screen}"
    );
    for line in screen.lines() {
        assert!(line.chars().count() <= 60, "{screen}");
    }
    project.write("go", "");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert_eq!(screen.matches("✓ start").count(), 1, "{screen}");
}

/// Two gates after one command.
const REVIEWS: &str = r#"digraph reviews {
  start [shape=Mdiamond]
  check [shape=parallelogram, command="echo 12 passed"]
  pick [shape=hexagon, mode=multi, prompt="Which checks?", options="lint, e2e, unit"]
  review [shape=hexagon, prompt="Ship it?"]
  done [shape=Msquare]
  start -> check -> pick -> review
  review -> done [label="[S] Ship…"]
  review -> check [label="[A] Again"]
}"#;

#[test]
fn several_choices_are_typed_by_their_labels() {
    let project = Project::with("reviews.dot", REVIEWS);
    let mut terminal = Terminal::start(&project, &["run", "reviews.dot"], 80);
    let screen = terminal.eventually("the first question", |screen| {
        ends_with(screen, "Which checks?", ">")
    });
    assert!(
        screen.contains("output of check:\n    │ 12 passed"),
        "{screen}"
    );
    terminal.keys("\r");
    terminal.eventually("no answer by Enter alone", |screen| {
        ends_with(
            screen,
            "expected choices separated by commas, or `none`",
            ">",
        )
    });
    terminal.keys("lint, e3e\r");
    terminal.eventually("what is not a choice", |screen| {
        ends_with(screen, "`e3e` is not a choice", ">")
    });
    terminal.keys("lint, e2e\r");
    let screen = terminal.eventually("the second question", |screen| {
        ends_with(screen, "Ship it?", ">")
    });
    // What was shown above is not shown again; the answer is there once; only a choice that takes text ends with dots.
    assert_eq!(screen.matches("12 passed").count(), 2, "{screen}");
    assert!(screen.contains("(output and files as above)"), "{screen}");
    assert_eq!(screen.matches("lint, e2e").count(), 1, "{screen}");
    assert!(screen.contains("[S] Ship   [A] Again"), "{screen}");
    terminal.keys("s\r");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
}

#[test]
fn a_dumb_terminal_gets_lines_without_control_sequences() {
    let project = Project::with("reviews.dot", REVIEWS);
    let mut terminal = Terminal::start_as(&project, &["run", "reviews.dot"], 80, "dumb");
    terminal.eventually("the first question", |screen| {
        ends_with(screen, "Which checks?", ">")
    });
    terminal.keys("lint\r");
    terminal.eventually("the second question", |screen| {
        ends_with(screen, "Ship it?", ">")
    });
    terminal.keys("s\r");
    let sent = terminal.sent();
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(!sent.contains('\x1b'), "{sent:?}");
    assert!(screen.contains("> lint"), "{screen}");
}

/// A step, and a gate after it.
const SLOW_GATE: &str = r#"digraph slow {
  start [shape=Mdiamond]
  work [shape=parallelogram, command="until test -e go; do sleep 0.01; done"]
  first [shape=hexagon, prompt="Deploy to production?"]
  second [shape=hexagon, prompt="Notify everyone?"]
  fin [shape=Msquare]
  start -> work -> first
  first -> second [label="[Y] Yes"]
  first -> fin [label="[N] No"]
  second -> fin [label="[Y] Yes"]
  second -> work [label="[N] No"]
}"#;

#[test]
fn keys_typed_before_a_question_do_not_answer_it() {
    let project = Project::with("slow.dot", SLOW_GATE);
    let mut terminal = Terminal::start(&project, &["run", "slow.dot"], 80);
    terminal.eventually("the step", |screen| screen.contains("1/5 · "));
    terminal.keys("y\ry\r");
    project.write("go", "");
    let screen = terminal.eventually("the question", |screen| {
        ends_with(screen, "Deploy to production?", ">")
    });
    let echoed = screen.lines().any(|line| line.trim_end().ends_with('y'));
    assert!(!echoed, "{screen}");

    // Nor do keys after its answer answer the next one.
    terminal.keys("y\ry\r");
    terminal.eventually("the next question", |screen| {
        ends_with(screen, "Notify everyone?", ">")
    });
    terminal.keys("y\r");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
}
