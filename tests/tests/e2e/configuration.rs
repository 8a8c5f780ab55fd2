//! A configuration file means the same to the language server and to the command line.

use std::collections::BTreeSet;

use attractor_tests::{Editor, ProcessOutput, Project};
use serde_json::{Value, json};

const USER: &str = ".config/attractor/config.toml";
const PROJECT: &str = "work/.attractor/config.toml";
const NESTED: &str = "work/inner/.attractor/config.toml";
const FILE: &str = "work/inner/flow.dot";
const TEXT: &str = "digraph flow {\ngoal=x\nstart [shape=Mdiamond]; done [shape=Msquare]\nstart -> work -> done\nlone [prompt=x, label=Lone]\n}\n";

const TOOL: &str = "digraph flow {
  start [shape=Mdiamond]
  work  [shape=parallelogram, command=\"touch ran\"]
  done  [shape=Msquare]
  start -> work -> done
}
";

/// The user's file, the project's, and one of a project inside it; empty for none.
const CONFIGURATIONS: &[[&str; 3]] = &[
    ["", "", ""],
    [
        "[lints]\nimplicit_node = \"error\"\n[format]\nindent = 2",
        "",
        "",
    ],
    ["", "[lints]\nimplicit_node = \"error\"", ""],
    [
        "[lints]\nimplicit_node = \"error\"\nreachability = \"error\"\n[format]\nindent = 2\nsemicolons = \"always\"",
        "[lints]\nimplicit_node = \"allow\"\n[format]\nindent = 8",
        "",
    ],
    [
        "[lints]\nreachability = \"error\"",
        "[lints]\nimplicit_node = \"error\"",
        "[lints]\nreachability = \"hint\"",
    ],
];

#[test]
fn editor_and_command_line_agree() {
    let mut seen = BTreeSet::new();
    for files in CONFIGURATIONS {
        let project = Project::with(FILE, TEXT);
        for (path, text) in [USER, PROJECT, NESTED].into_iter().zip(files) {
            if !text.is_empty() {
                project.write(path, text);
            }
        }
        let mut editor = Editor::open(&project, &json!({}));
        let uri = format!("file://{}", project.file(FILE).display());
        editor.did_open(&uri, TEXT);
        let in_editor = editor.diagnostics(&uri, 1);
        let severities = [
            Value::Null,
            "error".into(),
            "warning".into(),
            "info".into(),
            "hint".into(),
        ];
        let in_editor: BTreeSet<String> = in_editor
            .iter()
            .map(|found| {
                let severity = found["severity"].as_u64().expect("a severity");
                let severity = &severities[usize::try_from(severity).expect("a small number")];
                format!("{} {severity}", found["code"])
            })
            .collect();
        let printed = project.run(["validate", FILE, "--format", "json"]).json();
        let printed = printed["files"][0]["diagnostics"]
            .as_array()
            .expect("a list");
        let printed: BTreeSet<String> = printed
            .iter()
            .map(|found| format!("{} {}", found["rule"], found["severity"]))
            .collect();
        assert_eq!(in_editor, printed, "{files:?}");

        let options = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
        let edits = editor
            .request("textDocument/formatting", options)
            .expect("edits");
        project.run(["fmt", FILE]).expect_code(0);
        let formatted = apply(TEXT, edits.as_array().expect("a list"));
        assert_eq!(formatted, project.read(FILE), "{files:?}");
        seen.insert((printed, formatted));
    }
    assert_eq!(
        seen.len(),
        CONFIGURATIONS.len(),
        "each configuration has an effect: {seen:#?}"
    );
}

/// A problem in the user's file is reported by both; the rest of the file is used.
#[test]
fn problems_of_the_users_file_are_reported() {
    let project = Project::with(FILE, TEXT);
    project.write(USER, "[lints]\nimplicit_nod = \"error\"\n");
    let problem = "config.toml:2:1: unknown rule `implicit_nod`; did you mean `implicit_node`?";
    let run = project.run(["validate", FILE]);
    assert!(run.stderr.contains(problem), "{}", run.stderr);
    let mut editor = Editor::open(&project, &json!({}));
    editor.did_open(&format!("file://{}", project.file(FILE).display()), TEXT);
    let shown = editor.notification("window/showMessage", |params| {
        params["message"]
            .as_str()
            .is_some_and(|text| text.contains(problem))
    });
    assert_eq!(shown["type"], 2);
}

/// A change of the user's file is noticed while a document is open.
#[test]
fn a_change_of_the_users_file_is_noticed() {
    let project = Project::with(FILE, TEXT);
    project.write(USER, "");
    let uri = format!("file://{}", project.file(FILE).display());
    let mut editor = Editor::open(&project, &json!({}));
    editor.did_open(&uri, TEXT);
    let is_error = |params: &Value| {
        let all = params["diagnostics"].as_array().into_iter().flatten();
        all.into_iter()
            .any(|found| found["code"] == "implicit_node" && found["severity"] == 1)
    };
    assert!(!is_error(
        &json!({ "diagnostics": editor.diagnostics(&uri, 1) })
    ));
    project.write(USER, "[lints]\nimplicit_node = \"error\"\n");
    editor.notification("textDocument/publishDiagnostics", is_error);
}

/// The text after edits of whole lines and of characters, from the last to the first.
fn apply(text: &str, edits: &[Value]) -> String {
    let offset = |position: &Value| {
        let line = usize::try_from(position["line"].as_u64().expect("a line")).expect("small");
        let column = position["character"].as_u64().expect("a column");
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + usize::try_from(column).expect("small")
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().expect("a text");
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    edits.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
    let mut text = text.to_owned();
    for (start, end, new) in edits {
        text.replace_range(start..end, new);
    }
    text
}

/// Makes something of a configuration file that cannot be read.
type Spoil = fn(&std::path::Path);

/// A policy that is there and cannot be read is not the same as none.
#[test]
fn a_configuration_that_cannot_be_read_refuses_runs() {
    let spoils: [Spoil; 3] = [
        |path| std::os::unix::fs::symlink("nowhere", path).expect("a link"),
        |path| std::fs::create_dir(path).expect("a folder"),
        |path| {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo").success());
        },
    ];
    for spoil in spoils {
        for owner in [USER, PROJECT] {
            let project = Project::with("work/flow.dot", TOOL);
            let path = project.file(owner);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            spoil(&path);
            let arguments: [&[&str]; 5] = [
                &["run", "flow.dot"],
                &["validate", "flow.dot"],
                &["agent", "Work."],
                &["serve"],
                &["config"],
            ];
            for arguments in arguments {
                let mut command = project.command(arguments);
                command.current_dir(project.file("work"));
                let output = ProcessOutput::new(&command.output().expect("the program starts"));
                assert!(
                    output.stderr.contains("error: "),
                    "{owner} {arguments:?} {output}"
                );
                assert!(
                    output.stderr.contains("cannot use this file"),
                    "{arguments:?} {output}"
                );
                // What is validated is not run.
                let is_refused = output.code != Some(0);
                assert!(is_refused, "{owner} {arguments:?} {output}");
            }
            assert!(!project.file("work/ran").exists());
        }
    }
}

/// Nor is one of the user's that cannot be understood.
#[test]
fn a_policy_of_the_user_that_cannot_be_understood_refuses_runs() {
    for (text, message) in [
        ("[agent.permissions]\nshell = \"deny\n", "this is not TOML"),
        (
            "[agent.permissions]\nshell = \"denied\"\n",
            "expected \"allow\"",
        ),
        (
            "[agents.permissions]\nshell = \"deny\"\n",
            "did you mean `agent`?",
        ),
    ] {
        let project = Project::with("work/flow.dot", TOOL);
        project.write(USER, text);
        let arguments: [&[&str]; 4] = [
            &["run", "flow.dot"],
            &["validate", "flow.dot"],
            &["agent", "Work."],
            &["serve"],
        ];
        for arguments in arguments {
            let mut command = project.command(arguments);
            command.current_dir(project.file("work"));
            let output = ProcessOutput::new(&command.output().expect("the program starts"));
            assert!(output.stderr.contains(message), "{arguments:?} {output}");
            assert!(output.stderr.contains("error: "), "{arguments:?} {output}");
            assert_ne!(output.code, Some(0), "{arguments:?} {output}");
        }
        assert!(!project.file("work/ran").exists());
    }
    // What loses none is a warning.
    let project = Project::with("work/flow.dot", TOOL);
    project.write(USER, "dialekt = \"kilroy\"\n");
    let mut command = project.command(["run", "flow.dot"]);
    command.current_dir(project.file("work"));
    let output = ProcessOutput::new(&command.output().expect("the program starts"));
    assert!(output.stderr.contains("warning: "), "{output}");
    assert!(project.file("work/ran").exists());
}
