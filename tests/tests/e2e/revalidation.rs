//! A run validates its pipeline once more, with the inputs that only it knows.

use attractor_tests::{Editor, Project};
use serde_json::json;

/// `topic` is not declared, so that the file alone says nothing of it.
const WARNED: &str = "digraph warned {
  start [shape=Mdiamond]
  say   [shape=parallelogram, command=\"n={topic}; echo $((n))\"]
  done  [shape=Msquare]
  start -> say -> done
}
";

const REFUSED: &str = "digraph refused {
  start [shape=Mdiamond]
  mark  [shape=parallelogram, command=\"touch marked\"]
  say   [shape=parallelogram, command=\"sh -c 'echo {topic}'\"]
  done  [shape=Msquare]
  start -> mark -> say -> done
}
";

const WARNING: &str = "`topic` is stored in `n`, which bash evaluates in arithmetic as code";
const ERROR: &str = "`{topic}` is interpolated into code for `sh`";

#[test]
fn a_warning_about_an_input_is_printed_once() {
    let project = Project::with("warned.dot", WARNED);
    let validated = project.run(["validate", "warned.dot"]).expect_code(0);
    assert!(
        !format!("{validated}").contains("arithmetic"),
        "{validated}"
    );
    let with_input = ["run", "warned.dot", "--input", "topic=3"];
    let ended = project.run(with_input).expect_code(0);
    let all = format!("{ended}");
    assert_eq!(all.matches(WARNING).count(), 1, "{ended}");
    assert!(all.contains("line 3: "), "{ended}");
    let quiet = project.run(["run", "warned.dot", "--input", "topic=3", "-q"]);
    assert!(!format!("{quiet}").contains(WARNING), "{quiet}");
    let events = project.run([
        "run",
        "warned.dot",
        "--input",
        "topic=3",
        "--format",
        "events",
    ]);
    let warnings = events
        .stdout
        .lines()
        .filter(|line| line.contains("validation_warning"));
    assert_eq!(warnings.count(), 1, "{events}");
    let without = project.run(["run", "warned.dot", "--format", "events"]);
    assert!(!without.stdout.contains("validation_warning"), "{without}");
}

#[test]
fn an_error_about_an_input_refuses_before_the_first_step() {
    let project = Project::with("refused.dot", REFUSED);
    project.run(["validate", "refused.dot"]).expect_code(0);
    let ended = project.run(["run", "refused.dot", "--input", "topic=$(touch pwned)"]);
    assert_ne!(ended.code, Some(0), "{ended}");
    assert!(format!("{ended}").contains(ERROR), "{ended}");
    for file in ["marked", "pwned", ".attractor/runs"] {
        assert!(!project.file(file).exists(), "{file}: {ended}");
    }
}

#[test]
fn a_value_in_the_program_of_an_interpreter_refuses_the_run() {
    for command in [
        "bash <<END\necho {topic}\nEND",
        "echo {topic} | sh",
        ". /dev/stdin <<END\n{topic}\nEND",
    ] {
        let text = REFUSED.replace("sh -c 'echo {topic}'", command);
        let project = Project::with("refused.dot", text);
        let ended = project.run(["run", "refused.dot", "--input", "topic=touch pwned"]);
        assert_ne!(ended.code, Some(0), "{ended}");
        for file in ["marked", "pwned", ".attractor/runs"] {
            assert!(!project.file(file).exists(), "{file}: {ended}");
        }
    }
}

#[test]
fn the_editor_refuses_it_too() {
    let project = Project::with("refused.dot", REFUSED);
    let mut editor = Editor::open(&project, &json!({}));
    let uri = format!("file://{}", project.file("refused.dot").display());
    editor.did_open(&uri, REFUSED);
    let trust = json!({ "uri": uri, "decision": "version" });
    editor.command("attractor.trust", &trust).expect("trusted");
    let order = json!({ "uri": uri, "inputs": { "topic": "news" } });
    let refused = editor.command("attractor.run", &order);
    let error = refused.expect_err("it is refused").to_string();
    assert!(error.contains(ERROR), "{error}");
    assert!(!project.file("marked").exists());
}
