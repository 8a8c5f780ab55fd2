//! A secret given to a run: commands get it, nothing else does, and it is asked for again.

use std::fs;
use std::path::Path;

use attractor_tests::{Editor, Project};
use serde_json::json;

const SECRET: &str = "correct-horse-battery-staple";

const DEPLOY: &str = r#"digraph deploy {
  goal="deploy with {token}"
  start [shape=Mdiamond]
  say  [shape=parallelogram, label="use {token}", command="echo got {token}; printf %s {token} > used"]
  fail [shape=parallelogram, command="echo {token} >&2; test -e ready"]
  done [shape=Msquare]
  start -> say -> fail -> done
}"#;

/// Everything below a folder, as text.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .filter_map(Result::ok)
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => texts(&path),
            path => {
                let content = fs::read(&path).expect("a file");
                let text = String::from_utf8_lossy(&content).into_owned();
                vec![(path.display().to_string(), text)]
            }
        })
        .collect()
}

#[test]
fn secrets_are_redacted_everywhere() {
    let project = Project::with("deploy.dot", DEPLOY);
    let input = format!("token={SECRET}");
    for format in ["human", "json", "events"] {
        let ended = project.run([
            "run",
            "deploy.dot",
            "-v",
            "--input",
            &input,
            "--format",
            format,
        ]);
        assert_eq!(ended.code, Some(1), "{ended}");
        assert!(!format!("{ended}").contains(SECRET), "{ended}");
    }
    assert_eq!(project.read("used"), SECRET);
    for arguments in [
        &["runs", "--format", "json"][..],
        &["runs", "show"],
        &["runs", "show", "--format", "json"],
        &["runs", "events"],
        &["replay"],
    ] {
        let mut arguments = arguments.to_vec();
        let run = newest(&project);
        if arguments.len() != 3 || arguments.get(1) == Some(&"show") {
            arguments.push(&run);
        }
        let ended = project.run(&arguments).expect_code(0);
        assert!(
            !format!("{ended}").contains(SECRET),
            "{arguments:?}: {ended}"
        );
    }
    for (path, text) in texts(&project.file(".attractor")) {
        assert!(!text.contains(SECRET), "{path}: {text}");
    }
}

fn newest(project: &Project) -> String {
    let list = project.run(["runs", "--format", "json"]).json();
    list["runs"][0]["run"].as_str().expect("a run").to_owned()
}

#[test]
fn resume_requires_secrets() {
    let project = Project::with("deploy.dot", DEPLOY);
    let input = format!("token={SECRET}");
    project
        .run(["run", "deploy.dot", "--input", &input])
        .expect_code(1);
    project.write("ready", "");
    let run = newest(&project);
    let ended = project.run(["resume", &run]).expect_code(1);
    assert!(
        ended.stderr.contains("secret input `token` again"),
        "{ended}"
    );
    assert!(ended.stderr.contains("set TOKEN"), "{ended}");
    let ended = project
        .run(["resume", &run, "--input", "other=1"])
        .expect_code(1);
    assert!(
        ended.stderr.contains("cannot be changed (got `other`)"),
        "{ended}"
    );
    let mut command = project.command(["resume", &run]);
    command.env("TOKEN", SECRET);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    for (path, text) in texts(&project.file(".attractor")) {
        assert!(!text.contains(SECRET), "{path}: {text}");
    }
}

#[test]
fn editor_messages_contain_no_secrets() {
    let project = Project::with("deploy.dot", DEPLOY);
    let announced = json!({
        "experimental": { "attractor": { "events": true, "humanGate": true, "runState": true } },
        "window": { "workDoneProgress": true },
    });
    let mut editor = Editor::open(&project, &announced);
    let uri = format!("file://{}", project.file("deploy.dot").display());
    editor.did_open(&uri, DEPLOY);
    let trust = json!({ "uri": uri, "decision": "version" });
    editor.command("attractor.trust", &trust).expect("trusted");
    let order = json!({ "uri": uri, "inputs": { "token": SECRET } });
    let started = editor.command("attractor.run", &order).expect("it starts");
    editor.notification("attractor/runState", |params| params["state"] == "fail");
    let run = started["run"].as_str().expect("a run");
    for (command, argument) in [
        ("attractor.runs", json!({})),
        ("attractor.events", json!({ "run": run })),
        ("attractor.log", json!({ "run": run })),
        ("attractor.log", json!({ "run": run, "node": "say" })),
        ("attractor.graph", json!({ "uri": uri })),
    ] {
        editor.command(command, &argument).expect(command);
    }
    for (line, character) in [(1, 10), (3, 3), (4, 3)] {
        let place = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
        editor
            .request("textDocument/hover", place)
            .expect("a hover");
    }
    assert_eq!(project.read("used"), SECRET, "the command got it");
    let heard = editor.heard();
    assert!(heard.contains("got "), "no output was published: {heard}");
    assert!(!heard.contains(SECRET), "{heard}");
}

const KEY: &str = "sk-e2e-0123456789abcdefghijklmnop";

#[test]
fn commands_cannot_read_engine_secrets() {
    let project = Project::with(
        "spy.dot",
        r#"digraph {
  start [shape=Mdiamond]
  spy [shape=parallelogram, command="env; tr '\\000' '\\n' < /proc/$PPID/environ; true"]
  done [shape=Msquare]
  start -> spy -> done
}"#,
    );
    let mut command = project.command(["run", "spy.dot", "-v"]);
    command
        .env("OPENAI_API_KEY", KEY)
        .env("NPM_CONFIG__AUTH", "bnBtOmF1dGgtdmFsdWU=")
        .env(
            "DATABASE_URL",
            "postgres://app:e2e-database-password@db/app",
        );
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let mut everything = texts(&project.file(".attractor"));
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream).into_owned();
        everything.push(("the output".to_owned(), text));
    }
    let shown: String = everything.iter().map(|(_, text)| text.as_str()).collect();
    assert!(shown.contains("PATH="), "the command ran: {shown}");
    for (path, text) in everything {
        for hidden in [
            "OPENAI_API_KEY",
            KEY,
            "bnBtOmF1dGgtdmFsdWU=",
            "e2e-database-password",
        ] {
            assert!(!text.contains(hidden), "{path} holds {hidden}: {text}");
        }
    }
}

#[test]
fn file_copies_contain_no_secrets() {
    let project = Project::with("prompt.md", format!("Use {KEY}."));
    project.write("run.sh", format!("test -e ready && echo {KEY} > used"));
    project.write(
        "x.dot",
        r#"digraph { start [shape=Mdiamond]; ask [prompt="@prompt.md"]
        use [shape=parallelogram, command="@run.sh"]; done [shape=Msquare]; start -> ask -> use -> done }"#,
    );
    project.run(["run", "x.dot"]).expect_code(1);
    let run = newest(&project);
    project.write("ready", "");
    project.run(["resume", &run]).expect_code(0);
    assert_eq!(project.read("used").trim(), KEY, "the script ran as it is");
    for (path, text) in texts(&project.file(".attractor")) {
        assert!(!text.contains(KEY), "{path}: {text}");
    }
}

#[test]
fn files_outside_the_project_are_refused() {
    let outer = Project::new();
    outer.write("secret.txt", KEY);
    std::fs::create_dir_all(outer.file("project/.git")).expect("a folder");
    std::os::unix::fs::symlink("../secret.txt", outer.file("project/link.md")).expect("a link");
    std::fs::hard_link(outer.file("secret.txt"), outer.file("project/hard.md")).expect("a link");
    for path in [
        "/proc/self/environ",
        "/etc/hostname",
        "../secret.txt",
        "link.md",
        "hard.md",
    ] {
        let text = format!(
            "digraph {{ start [shape=Mdiamond]; ask [prompt=\"@{path}\"]; done [shape=Msquare]; start -> ask -> done }}"
        );
        outer.write("project/x.dot", text);
        let ended = outer.run(["run", "project/x.dot"]).expect_code(1);
        assert!(
            ended.stderr.contains("outside of the project"),
            "{path}: {ended}"
        );
        let ended = outer.run(["validate", "project/x.dot"]).expect_code(1);
        assert!(format!("{ended}").contains("missing_file"), "{ended}");
    }
}

/// Characters that JSON and URLs escape.
const ODD: &str = "pa\"ss\\w rd/+%&7890";

/// Prints the secret in every common encoding, each on a line of its own.
const ENCODINGS: &str = r#"digraph encodings {
  start [shape=Mdiamond]
  print [shape=parallelogram, command="@print.sh", env.VALUE="{token}"]
  done  [shape=Msquare]
  start -> print -> done
}"#;

const PRINT: &str = r#"
hex() { printf '%s' "$VALUE" | od -An -v -tx1 | tr -d ' \n'; }
printf '{"a":"%s"}\n' "$(printf '%s' "$VALUE" | sed 's/\\/\\\\/g; s/"/\\"/g')"
echo "all $(hex | sed 's/../%&/g')"
echo "url pa%22ss%5Cw%20rd%2F%2B%25%267890"
echo "form pa%22ss%5cw+rd%2f%2b%25%267890"
echo "hex $(hex)"
echo "HEX $(hex | tr a-f A-F)"
printf '%s' "$VALUE" | od -An -v -tx1
for before in '' x xy; do printf '%s' "$before$VALUE" | base64; done
printf 'some more text before it, so that lines are wrapped %s%s' "$VALUE" "$VALUE" | base64
"#;

#[test]
fn secrets_are_redacted_in_every_encoding() {
    let project = Project::with("encodings.dot", ENCODINGS);
    project.write("print.sh", PRINT);
    let input = format!("token={ODD}");
    let spaced: Vec<String> = ODD.bytes().map(|byte| format!("{byte:02x}")).collect();
    let hex = spaced.concat();
    let forbidden = [
        ODD.to_owned(),
        ODD.replace('\\', "\\\\").replace('"', "\\\""),
        "w%20rd".to_owned(),
        "w+rd".to_owned(),
        "%73%73".to_owned(),
        hex.clone(),
        hex.to_uppercase(),
        spaced.get(..4).expect("four bytes").join(" "),
        // Of the three offsets.
        "cGEic3Nc".to_owned(),
        "hIAic3Nc".to_owned(),
        "YSJzc1x3".to_owned(),
        "BhInNzXH".to_owned(),
    ];
    let mut seen = Vec::new();
    for format in ["human", "events"] {
        let ended = project
            .run([
                "run",
                "encodings.dot",
                "-v",
                "--input",
                &input,
                "--format",
                format,
            ])
            .expect_code(0);
        seen.push((format.to_owned(), ended.stdout));
    }
    seen.extend(texts(&project.file(".attractor")));
    let all: String = seen.iter().map(|(_, text)| text.as_str()).collect();
    for label in [
        "all [redacted]",
        "url [redacted]",
        "form [redacted]",
        "hex [redacted]",
        "HEX [redacted]",
    ] {
        assert!(
            all.contains(label) || label.starts_with("all") && all.contains("all %[redacted]"),
            "{label}: {all}"
        );
    }
    for (path, text) in seen {
        for form in &forbidden {
            assert!(!text.contains(form.as_str()), "{path} holds {form}: {text}");
        }
    }
}

const TOKEN: &str = "ghp_0123456789abcdefghij0123456789abcdef";

#[test]
fn a_text_is_redacted_before_it_is_cut() {
    let project = Project::with(
        "x.dot",
        r#"digraph { start [shape=Mdiamond]; ask [prompt="@prompt.md"]; done [shape=Msquare]; start -> ask -> done }"#,
    );
    // Answers of simulated models, notes, events and graphs show the first 160 or 200 characters.
    for before in [146, 156, 186, 196] {
        project.write(
            "prompt.md",
            format!("{} {TOKEN} and more\n", "x".repeat(before)),
        );
        for how in ["--simulate", "--dry-run"] {
            let ended = project.run(["run", "x.dot", how, "-v"]).expect_code(0);
            assert!(
                !format!("{ended}").contains("ghp_"),
                "{before} {how}: {ended}"
            );
        }
    }
    for (path, text) in texts(&project.file(".attractor")) {
        assert!(!text.contains("ghp_"), "{path}: {text}");
    }
}

#[test]
fn diagnostics_do_not_repeat_keys() {
    let text = format!(
        "digraph {{ start [shape=Mdiamond]; a [shape=parallelogram, command=\"curl -H 'x: {TOKEN}'\"]; \
         b [model=\"{TOKEN}\", prompt=p, fidelity=\"{TOKEN}\"]; done [shape=Msquare]; start -> a -> b -> done }}"
    );
    let project = Project::with("x.dot", &text);
    for format in ["human", "json", "github", "sarif"] {
        let ended = project.run(["validate", "x.dot", "--format", format, "--notes"]);
        assert!(format!("{ended}").contains("secret_in_pipeline"), "{ended}");
        assert!(!format!("{ended}").contains(TOKEN), "{ended}");
    }
    let mut editor = Editor::open(&project, &json!({}));
    let uri = format!("file://{}", project.file("x.dot").display());
    editor.did_open(&uri, &text);
    editor.diagnostics(&uri, 1);
    let heard = editor.heard();
    assert!(heard.contains("secret_in_pipeline"), "{heard}");
    assert!(!heard.contains(TOKEN), "{heard}");
}
