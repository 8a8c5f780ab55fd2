//! `attractor agent` without a task: a conversation in a terminal.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply, Terminal};
use serde_json::json;

use super::{call, skip};

/// A conversation with these answers of the model.
fn talk(project: &Project, arguments: &[&str], replies: Vec<Reply>) -> (Terminal, MockProvider) {
    let provider = MockProvider::start(replies);
    let mut variables = provider.variables();
    variables.push(("TERM", "xterm-256color".to_owned()));
    let words = [&["agent", "--model", "sonnet"], arguments].concat();
    let terminal = Terminal::start_with(project, &words, 80, variables);
    terminal.eventually("it begins", |screen| {
        screen.contains("/help lists the commands")
    });
    (terminal, provider)
}

/// Types a line.
fn say(terminal: &mut Terminal, line: &str) {
    terminal.keys(&format!("{line}\r"));
}

fn shows(terminal: &Terminal, text: &str) -> String {
    terminal.eventually(text, |screen| screen.contains(text))
}

fn texts(provider: &MockProvider, request: usize) -> String {
    provider.sent()[request].body.to_string()
}

#[test]
fn it_answers_turn_by_turn_and_continues_later() {
    let project = Project::new();
    let replies = vec![
        Reply::Says("The **Elbe** flows here.\n\n- one\n- two"),
        Reply::Says("To the sea."),
    ];
    let (mut terminal, provider) = talk(&project, &[], replies);
    say(&mut terminal, "Name a river.");
    let screen = shows(&terminal, "done: ");
    for line in ["> Name a river.", "Elbe", "  • one", "1 turn"] {
        assert!(screen.contains(line), "{line}:\n{screen}");
    }
    say(&mut terminal, "Where does it go?");
    shows(&terminal, "To the sea.");
    terminal.eventually("both ends", |screen| screen.matches("done: ").count() == 2);
    say(&mut terminal, "/cost");
    shows(&terminal, "2 turns, 54 tokens");
    assert!(
        texts(&provider, 1).contains("Elbe"),
        "{}",
        texts(&provider, 1)
    );
    terminal.keys("\x04");
    let (code, screen) = terminal.end_showing("continue it with");
    assert_eq!(code, 0, "{screen}");

    let (mut terminal, provider) = talk(&project, &["--continue"], vec![Reply::Says("Yes.")]);
    shows(&terminal, "> Where does it go?");
    say(&mut terminal, "Really?");
    shows(&terminal, "Yes.");
    assert!(texts(&provider, 0).contains("To the sea."));
}

#[test]
fn a_call_is_allowed_by_one_key_and_undone_by_a_command() {
    let project = Project::with(
        ".config/attractor/config.toml",
        "[agent.permissions]\nwrite = \"ask\"\n",
    );
    let content = json!({ "path": "notes.txt", "content": "one\ntwo\n" });
    let replies = vec![
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("Written."),
    ];
    let (mut terminal, _provider) = talk(&project, &[], replies);
    // What is typed before the question does not answer it.
    say(&mut terminal, "Write the notes.");
    shows(&terminal, "[y/a/n]");
    // The letters of a word are no answers, one by one.
    terminal.keys("xyay");
    assert!(!project.file("notes.txt").exists());
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert!(!project.file("notes.txt").exists());
    terminal.keys("y");
    shows(&terminal, "Written.");
    shows(&terminal, "+one");
    assert_eq!(project.read("notes.txt"), "one\ntwo\n");
    shows(&terminal, "done: ");
    say(&mut terminal, "/undo");
    shows(&terminal, "deleted notes.txt");
    assert!(!project.file("notes.txt").exists());
    say(&mut terminal, "/undo all");
    shows(&terminal, "nothing to undo");
}

#[test]
fn a_call_that_is_denied_says_why_to_the_model() {
    let project = Project::with(
        ".config/attractor/config.toml",
        "[agent.permissions]\nwrite = \"ask\"\n",
    );
    let content = json!({ "path": "notes.txt", "content": "one" });
    let replies = vec![
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("Then not."),
    ];
    let (mut terminal, provider) = talk(&project, &[], replies);
    say(&mut terminal, "Write the notes.");
    shows(&terminal, "[y/a/n]");
    terminal.keys("n");
    shows(&terminal, "no, because:");
    say(&mut terminal, "use README.md");
    shows(&terminal, "Then not.");
    assert!(texts(&provider, 1).contains("use README.md"));
}

#[test]
fn what_is_typed_while_it_works_is_given_to_the_model() {
    let project = Project::new();
    let slow = json!({ "command": "until test -e go; do sleep 0.05; done" });
    let replies = vec![
        Reply::Calls(vec![call("shell", &slow)]),
        Reply::Says("Understood."),
        Reply::Hangs("I am "),
        Reply::Says("Stopped and listening."),
    ];
    let (mut terminal, provider) = talk(&project, &[], replies);
    say(&mut terminal, "Wait.");
    shows(&terminal, "→ shell");
    say(&mut terminal, "Use tabs.");
    shows(&terminal, "> Use tabs.");
    project.write("go", "");
    shows(&terminal, "Understood.");
    assert!(texts(&provider, 1).contains("Use tabs."));

    shows(&terminal, "done: ");
    say(&mut terminal, "Continue.");
    shows(&terminal, "I am");
    terminal.keys("Stop now.\x1b");
    shows(&terminal, "Stopped and listening.");
    assert!(texts(&provider, 3).contains("Stop now."));
}

#[test]
fn ctrl_c_stops_the_work_and_then_leaves() {
    let project = Project::new();
    let (mut terminal, _provider) = talk(&project, &[], vec![Reply::Hangs("I am ")]);
    say(&mut terminal, "Begin.");
    shows(&terminal, "I am");
    terminal.keys("\x03");
    shows(&terminal, "cancelled");
    terminal.keys("dra\x03");
    terminal.keys("\x03");
    shows(&terminal, "press Ctrl-C again to leave");
    terminal.keys("\x03");
    let (code, screen) = terminal.end_showing("continue it with");
    assert_eq!(code, 0, "{screen}");
}

#[test]
fn commands_are_completed_explained_and_forgiving() {
    let project = Project::with("src/main.rs", "");
    let (mut terminal, provider) = talk(&project, &[], vec![Reply::Says("Good.")]);
    terminal.keys("/dif\t\r");
    shows(&terminal, "no file was changed");
    say(&mut terminal, "/cots");
    shows(&terminal, "did you mean /cost?");
    say(&mut terminal, "/effort high");
    shows(&terminal, "effort: high");
    say(&mut terminal, "/model sonet");
    shows(&terminal, "did you mean");
    say(&mut terminal, "/model gpt-6-luna");
    shows(&terminal, "it continues with `gpt-6-luna`");
    // Keys are read from when its exit status is shown.
    say(&mut terminal, "!echo from the shell; exit 7");
    let screen = shows(&terminal, "exit status: 7");
    assert!(screen.contains("\nfrom the shell"), "{screen}");
    terminal.keys("See @sr\tma\t\r");
    shows(&terminal, "Good.");
    assert!(texts(&provider, 0).contains("See @src/main.rs"));
    // Several lines that are pasted are one message.
    terminal.keys("\x1b[200~one\ntwo\x1b[201~\r");
    terminal.eventually("both lines", |screen| screen.contains("> one\n  two"));
}

#[test]
fn without_a_terminal_a_task_is_needed() {
    let project = Project::new();
    let output = project.command(["agent"]).output().expect("it starts");
    let output = ProcessOutput::new(&output).expect_code(2);
    assert!(output.stderr.contains("no task is given"), "{output}");
}

#[test]
fn sessions_are_listed_shown_and_deleted() {
    let project = Project::new();
    let replies = vec![Reply::Says("The **Elbe**."), Reply::Says("The Rhine.")];
    let provider = MockProvider::start(replies);
    for task in ["Name a river.", "Another one?"] {
        let mut command = project.command(["agent", "--model", "sonnet", task]);
        command.envs(provider.variables());
        assert!(command.output().expect("it starts").status.success());
    }
    let listed = project.run(["sessions"]).expect_code(0);
    for part in ["Name a river.", "Another one?", "sonnet", "just now"] {
        assert!(listed.stdout.contains(part), "{part}: {listed}");
    }
    let listed = project
        .run(["sessions", "--format", "json"])
        .expect_code(0)
        .json();
    let id = |at: usize| {
        listed["sessions"][at]["session"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    assert_eq!(listed["sessions"][1]["own"], true, "{listed}");
    let shown = project.run(["sessions", "show", &id(1)]).expect_code(0);
    assert_eq!(
        shown.stdout,
        "> Name a river.\nThe `Elbe`.\n".replace('`', ""),
        "{shown}"
    );
    let deleted = project.run(["sessions", "delete", &id(1)]).expect_code(0);
    assert_eq!(deleted.stdout, format!("deleted {}\n", id(1)));
    let left = project.run(["sessions", "show"]).expect_code(0);
    assert!(left.stdout.contains("The Rhine."), "{left}");
    let unknown = project.run(["sessions", "show", &id(1)]).expect_code(2);
    assert!(unknown.stderr.contains("unknown session"), "{unknown}");
}

#[test]
fn nothing_of_a_change_is_cut_where_it_is_asked_about() {
    let config = "[agent.permissions]\nwrite = \"ask\"\n";
    let project = Project::with(".config/attractor/config.toml", config);
    let line = format!("-- {}THE END", "x".repeat(400));
    let content = json!({ "path": "q.sql", "old_string": line, "new_string": "" });
    project.write("q.sql", format!("{line}\n"));
    let replies = vec![
        Reply::Calls(vec![call("edit_file", &content)]),
        Reply::Says("Removed."),
    ];
    let (mut terminal, _provider) = talk(&project, &[], replies);
    say(&mut terminal, "Remove the comment.");
    let screen = shows(&terminal, "[y/a/n]");
    let shown: String = screen.split_whitespace().collect();
    assert!(
        shown.contains("---x") && shown.contains("xTHEEND"),
        "{screen}"
    );
}

#[test]
fn what_a_model_wrote_before_it_was_stopped_is_shown() {
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Hangs("I am thinking")]);
    let mut variables = provider.variables();
    variables.push(("TERM", "xterm-256color".to_owned()));
    let words = ["agent", "--model", "sonnet", "Begin."];
    let mut terminal = Terminal::start_with(&project, &words, 80, variables);
    shows(&terminal, "… writing");
    terminal.keys("\x03");
    let (code, screen) = terminal.end_showing("cancelled");
    assert_eq!(code, 130, "{screen}");
    assert!(screen.contains("I am thinking"), "{screen}");
}

#[test]
fn the_output_of_an_own_command_and_named_paths_go_with_the_message() {
    let project = Project::with("src/a.rs", "");
    let replies = vec![Reply::Says("I see."), Reply::Says("Short.")];
    let (mut terminal, provider) = talk(&project, &[], replies);
    say(&mut terminal, "!echo fai''led; exit 3");
    shows(&terminal, "exit status: 3");
    say(&mut terminal, "!!echo own''ed; exit 4");
    let screen = shows(&terminal, "exit status: 4");
    assert!(screen.contains("owned"), "{screen}");
    say(&mut terminal, "Why, in @src/a.rs?");
    shows(&terminal, "I see.");
    let request = texts(&provider, 0);
    for part in [
        "Why, in @src/a.rs?",
        "`@src/a.rs` is the file `src/a.rs`",
        "myself (exit status: 3)",
        "failed",
    ] {
        assert!(request.contains(part), "{part}: {request}");
    }
    assert!(!request.contains("owned"), "{request}");
    // It goes once.
    shows(&terminal, "done: ");
    say(&mut terminal, "And now?");
    shows(&terminal, "Short.");
    assert_eq!(texts(&provider, 1).matches("myself").count(), 1);
}

#[test]
fn several_lines_are_edited_as_one_input() {
    let project = Project::new();
    let (mut terminal, provider) = talk(&project, &[], vec![Reply::Says("Two lines.")]);
    terminal.keys("first\\\rsecond");
    let screen = shows(&terminal, "  second");
    assert!(screen.contains("> first"), "{screen}");
    // Up, then the end of the line.
    terminal.keys("\x1b[A\x05 line\r");
    shows(&terminal, "Two lines.");
    let request = texts(&provider, 0);
    assert!(request.contains(r"first line\nsecond"), "{request}");
}

#[test]
fn another_session_is_continued_by_its_place_in_the_list() {
    let project = Project::new();
    let earlier = vec![Reply::Says("The *Elbe*.")];
    let (mut terminal, _provider) = talk(&project, &[], earlier);
    say(&mut terminal, "Name a river.");
    shows(&terminal, "done: ");
    terminal.keys("\x04");
    assert_eq!(terminal.end_showing("continue it with").0, 0);

    let (mut terminal, provider) = talk(&project, &[], vec![Reply::Says("To the sea.")]);
    say(&mut terminal, "/resume");
    let screen = shows(&terminal, "/resume NUMBER");
    let listed = screen.lines().find(|line| line.contains("Name a river."));
    let number: String = listed
        .expect("the session is listed")
        .chars()
        .take_while(|letter| !letter.is_alphabetic())
        .filter(char::is_ascii_digit)
        .take(1)
        .collect();
    say(&mut terminal, &format!("/resume {number}"));
    let screen = shows(&terminal, "The Elbe.");
    assert!(screen.contains("> Name a river."), "{screen}");
    say(&mut terminal, "Where does it go?");
    shows(&terminal, "To the sea.");
    assert!(texts(&provider, 0).contains("Elbe"));
}

#[test]
fn escape_says_at_once_what_waits() {
    let project = Project::new();
    let replies = vec![Reply::Hangs("I am "), Reply::Says("Stopped and listening.")];
    let (mut terminal, provider) = talk(&project, &[], replies);
    say(&mut terminal, "Begin.");
    shows(&terminal, "I am");
    say(&mut terminal, "Use tabs.");
    shows(&terminal, "> Use tabs.");
    terminal.keys("\x1b");
    shows(&terminal, "Stopped and listening.");
    assert!(texts(&provider, 1).contains("Use tabs."));
}

#[test]
fn a_conversation_is_made_shorter_on_request() {
    let project = Project::with("long.txt", "word ".repeat(5_000));
    let read = json!({ "path": "long.txt" });
    let replies = vec![
        Reply::Calls(vec![call("read_file", &read)]),
        Reply::Says("Read."),
        Reply::Says("One."),
        Reply::Says("Two."),
        Reply::Says("Three."),
        Reply::Says("Four."),
        Reply::Says("Still here."),
    ];
    let (mut terminal, provider) = talk(&project, &[], replies);
    for (count, message) in ["Read it.", "1?", "2?", "3?", "4?"].iter().enumerate() {
        say(&mut terminal, message);
        terminal.eventually("it is done", |screen| {
            screen.matches("done: ").count() == count + 1
        });
    }
    say(&mut terminal, "/compact");
    shows(&terminal, "the conversation was made shorter");
    say(&mut terminal, "Still there?");
    shows(&terminal, "Still here.");
    assert!(texts(&provider, 5).len() > 25_000);
    assert!(texts(&provider, 6).len() < texts(&provider, 5).len() / 2);
    say(&mut terminal, "/permissions");
    shows(&terminal, "workspace-write");
    say(&mut terminal, "/permissions all");
    shows(&terminal, "`all` is not one of the permissions");
}

#[test]
fn commands_that_end_with_their_session_are_reported() {
    let project = Project::new();
    let doctor = project.run(["doctor", "--offline"]);
    if !doctor.stdout.contains("sandbox of agents: bubblewrap") {
        skip(
            "commands in the background",
            "this machine has no bubblewrap",
        );
        return;
    }
    let runs = json!({ "command": "sleep 60", "background": true });
    let replies = vec![
        Reply::Calls(vec![call("shell", &runs)]),
        Reply::Says("It runs."),
    ];
    let (mut terminal, _provider) = talk(&project, &[], replies);
    say(&mut terminal, "Start it.");
    shows(&terminal, "done: ");
    say(&mut terminal, "/new");
    shows(
        &terminal,
        "1 command in the background ended with the session",
    );
}
